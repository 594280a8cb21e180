// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SlotWords.h"

#include <bit>

namespace muster::grid {

void SlotWords::Build(const mu_spatial_view& view) {
  m_view = view;
  m_words.clear();
  for (std::uint32_t first = 0; first < view.count;) {
    const std::uint32_t place = view.slots[first] / 64;
    if (view.slots[first] % 64 == 0 && view.count - first >= 64 && view.slots[first + 63] == view.slots[first] + 63) {
      m_words.push_back({~std::uint64_t{0}, place, 64});
      first += 64;
      continue;
    }
    std::uint64_t mask = 0;
    std::uint32_t next = first;
    for (; next < view.count && view.slots[next] / 64 == place; ++next) {
      mask |= std::uint64_t{1} << (view.slots[next] % 64);
    }
    m_words.push_back({mask, place, next - first});
    first = next;
  }
}

void SlotWords::SetAll(std::uint64_t* bits) const {
  for (const Word& word : m_words) {
    bits[word.place] |= word.mask;
  }
}

void SlotWords::SetPassing(const Kernels& kernels, const Target& target, std::uint64_t* bits) const {
  const PointColumns points{m_view.x, m_view.y, m_view.z, m_view.radius, m_view.slots};
  std::uint32_t first = 0;
  for (const Word& word : m_words) {
    const std::uint64_t hits = kernels.testBlock(points.From(first), word.count, m_view.count - first, target);
    bits[word.place] |= word.mask == ~std::uint64_t{0} ? hits : kernels.spreadBits(hits, word.mask);
    first += word.count;
  }
}

}  // namespace muster::grid
