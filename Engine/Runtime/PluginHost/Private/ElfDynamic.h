// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The table of entries that the dynamic loader works through (.dynamic), each of them checked before it sees them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ElfImage.h"

namespace muster::plugins {

// Packed relocations; newer than the C library's header that this is built with.
inline constexpr std::int64_t kEntryRelrSize = 35;
inline constexpr std::int64_t kEntryRelr = 36;
inline constexpr std::int64_t kEntryRelrStep = 37;
inline constexpr std::uint32_t kSectionRelr = 19;

/// Bytes of the image, by address.
struct ElfRange {
  std::uint64_t address = 0;
  std::uint64_t size = 0;

  [[nodiscard]] bool Contains(std::uint64_t place) const noexcept { return place - address < size; }
};

class ElfDynamic {
 public:
  /// Reads and checks. `image` outlives it.
  explicit ElfDynamic(const ElfImage& image);

  [[nodiscard]] bool Has(std::int64_t tag) const noexcept { return m_values.count(tag) != 0; }
  /// Zero for an entry that is not there.
  [[nodiscard]] std::uint64_t Value(std::int64_t tag) const noexcept;
  /// The range that two entries describe; empty when they are not there.
  [[nodiscard]] ElfRange Range(std::int64_t addressTag, std::int64_t sizeTag) const noexcept;

  [[nodiscard]] const std::vector<std::string>& Needed() const noexcept { return m_needed; }
  [[nodiscard]] const std::string& SoName() const noexcept { return m_soName; }
  [[nodiscard]] bool IsNoDelete() const noexcept { return (Value(DT_FLAGS_1) & DF_1_NODELETE) != 0; }

  /// Symbols' names.
  [[nodiscard]] std::span<const std::byte> Names() const noexcept { return m_names; }
  /// The name at an offset; throws when there is none, or none that ends within 4 KiB.
  [[nodiscard]] std::string_view NameAt(std::uint64_t offset) const;

 private:
  void ReadEntries();
  void ReadNames();
  void CheckFlags() const;
  void CheckTables() const;
  void CheckCalls() const;
  void CheckSectionOf(std::uint32_t type, std::int64_t addressTag, std::int64_t sizeTag) const;
  void CheckRelocationTables() const;

  const ElfImage& m_image;
  std::map<std::int64_t, std::uint64_t> m_values;
  std::vector<std::uint64_t> m_neededOffsets;
  std::vector<std::string> m_needed;
  std::string m_soName;
  std::span<const std::byte> m_names;
};

}  // namespace muster::plugins
