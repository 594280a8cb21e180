// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which files may become code of this process. A file counts as safe when nobody but root, this process's user and the
// owner of the program itself could have put it there or can change it:
//
// - roots are absolute and exist; a file is named relative to its root, without `..`, and after following links it
// still
//   lies below the root: the current directory and search paths play no part;
// - the file, and each folder from it up to `/`, belongs to one of those owners and is not writable for others. A
// folder
//   that is writable for everybody but sticky (/tmp) is accepted above the root, since nobody can rename what is ours
//   there, and never as the root or below it.
//
// Writable for a group is accepted: private user groups make it common, and the group is the owner's choice.
// Checks happen before any library is opened by the loader. [any], blocking.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "Core/Result.h"

namespace muster::plugins {

/// Whose files are trusted.
class TrustedOwners {
 public:
  /// Root, the effective user, and the owner of the running program: whoever owns that already decides what runs.
  [[nodiscard]] static TrustedOwners OfThisProcess();
  explicit TrustedOwners(std::vector<uid_t> owners) : m_owners{std::move(owners)} {}
  [[nodiscard]] bool Contains(uid_t owner) const noexcept;

 private:
  std::vector<uid_t> m_owners;
};

/// The canonical path of a root. Fails with: kUnsafePath, kRootUnreadable (does not exist, no folder).
[[nodiscard]] Result<std::filesystem::path> CheckRoot(const std::filesystem::path& root, const TrustedOwners& owners);

/// The canonical path of `relative` below the canonical `root`, with every folder between them checked, and `relative`
/// too if it is a folder. A file itself is checked once it is open, by ReadSafeFile. Fails with: kUnsafePath,
/// kPluginNotFound (does not exist).
[[nodiscard]] Result<std::filesystem::path> CheckInside(const std::filesystem::path& root,
                                                        const std::filesystem::path& relative,
                                                        const TrustedOwners& owners);

/// Reads a file that CheckInside gave. Owner and mode are those of the open file, so it cannot be exchanged between
/// check and read. Fails with: kUnsafePath, kPluginNotFound, and the errors of Core/Files.h for size and reading.
[[nodiscard]] Result<std::vector<std::byte>> ReadSafeFile(const std::filesystem::path& path, std::size_t maxBytes,
                                                          const TrustedOwners& owners);

}  // namespace muster::plugins
