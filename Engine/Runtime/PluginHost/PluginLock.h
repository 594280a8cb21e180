// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Exactly which plugins a process runs, as a value and as text that can be kept and compared. Both ends of a connection
// must agree on the plugins that decide what is on the wire: the join compares that part's digest.
//
// Values; the functions are pure. [any]
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "Core/Result.h"
#include "Core/Sha256.h"
#include "PluginHost/Descriptor.h"

namespace muster::plugins {

struct LockEntry {
  std::string id;
  Version version;
  Sha256Digest descriptorDigest{};
  Sha256Digest librarySha256{};
  bool wireAffecting = false;

  friend bool operator==(const LockEntry&, const LockEntry&) = default;
};

/// Entries by id, each id once.
class PluginLock {
 public:
  PluginLock() = default;
  /// Sorts; of entries with one id the last stays.
  explicit PluginLock(std::vector<LockEntry> entries);

  [[nodiscard]] const std::vector<LockEntry>& Entries() const noexcept { return m_entries; }
  friend bool operator==(const PluginLock&, const PluginLock&) = default;

 private:
  std::vector<LockEntry> m_entries;
};

/// The entry of a plugin whose library for `platform` has been resolved.
[[nodiscard]] LockEntry LockEntryOf(const Descriptor& descriptor, const LibraryEntry& library);

/// As text: JSON, canonical, ends with a line end. ReadLock gives back the same value.
[[nodiscard]] std::string WriteLock(const PluginLock& lock);
/// Fails with kLockMismatch when the text is no lock of this schema.
[[nodiscard]] Result<PluginLock> ReadLock(std::string_view text);

/// What the join compares: SHA-256 over id, version and descriptor digest of each wire-affecting plugin. Library hashes
/// are left out, since the two ends may be different builds of the same plugin.
[[nodiscard]] Sha256Digest LockDigest(const PluginLock& lock);

/// One sentence per difference, by id: what is missing on either side and what has another version, descriptor or
/// library. Empty when the locks are equal.
[[nodiscard]] std::vector<std::string> DescribeDifferences(const PluginLock& ours, const PluginLock& theirs);

}  // namespace muster::plugins
