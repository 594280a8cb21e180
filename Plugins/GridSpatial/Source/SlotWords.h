// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which slots a view holds, as the words of a bit set, and the scan of the view in that order: the k-th point of a word
// is its k-th bit. As many words as hold a slot, whatever the slots are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "Kernels.h"
#include "PluginApi/SpatialIndex.h"

namespace muster::grid {

class SlotWords {
 public:
  void Build(const mu_spatial_view& view);

  /// Sets every slot.
  void SetAll(std::uint64_t* bits) const;
  /// Sets the slots of the points that pass. Where a position is not finite, only for a finite radius.
  void SetPassing(const Kernels& kernels, const Target& target, std::uint64_t* bits) const;

  std::uint64_t Bytes() const { return m_words.capacity() * sizeof(Word); }

 private:
  struct Word {
    std::uint64_t mask;
    std::uint32_t place;  // in the bit set
    std::uint32_t count;  // of bits in the mask
  };

  mu_spatial_view m_view{};  // the host keeps it unchanged until the next rebuild
  std::vector<Word> m_words;
};

}  // namespace muster::grid
