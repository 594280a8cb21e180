// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the loader writes into the image before any of its code runs. Checked is that it writes where data is and what
// points into the image; whether it is the right data cannot be seen from outside.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ElfDynamic.h"
#include "ElfImage.h"
#include "ElfSymbols.h"

namespace muster::plugins {

/// Slots of the image that are filled with an address, of those ranges that were asked for.
class ElfPointers {
 public:
  explicit ElfPointers(std::vector<ElfRange> ranges) : m_ranges{std::move(ranges)} {}

  void Note(std::uint64_t slot, std::uint64_t target);
  /// True where the slot will hold the address of code, the image's own or another library's.
  [[nodiscard]] bool IsFunction(const ElfImage& image, std::uint64_t slot) const;

  /// Stands for an address that the loader finds elsewhere.
  static constexpr std::uint64_t kElsewhere = ~std::uint64_t{0};
  /// No place that can be called: null, or a number that is no address.
  static constexpr std::uint64_t kNowhere = kElsewhere - 1;

 private:
  std::vector<ElfRange> m_ranges;
  std::map<std::uint64_t, std::uint64_t> m_targets;
};

/// Checks every relocation and tells `pointers` of them.
void CheckRelocations(const ElfImage& image, const ElfDynamic& dynamic, const ElfSymbols& symbols,
                      ElfPointers& pointers);

}  // namespace muster::plugins
