// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Hash.h"

#include <array>

namespace muster {
namespace {

std::uint64_t LoadWord(const std::byte* from) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

constexpr std::size_t kLanes = 4;
constexpr std::size_t kLaneBytes = 16;
constexpr std::size_t kBlockBytes = kLanes * kLaneBytes;

// One multiplier a lane, fractional bits of square roots of 5, 7, 11 and 13, made odd.
constexpr std::array<std::uint64_t, kLanes> kLaneFactors{0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u, 0x510E527FADE682D1u,
                                                         0x9B05688C2B3E6C1Fu};

}  // namespace

void Digest64::Update(std::span<const std::byte> bytes) noexcept {
  UpdateWord(bytes.size());
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();

  // Independent lanes, because one chain of multiplications is bound by its latency.
  if (left >= kBlockBytes) {
    std::array<std::uint64_t, kLanes> lanes{};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = m_state + kLaneFactors[lane];
    }
    for (; left >= kBlockBytes; left -= kBlockBytes, at += kBlockBytes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t first = LoadWord(at + lane * kLaneBytes);
        const std::uint64_t second = LoadWord(at + lane * kLaneBytes + 8);
        lanes[lane] = detail::Fold(lanes[lane] ^ first, second ^ kLaneFactors[lane]) + kLaneFactors[lane];
      }
    }
    for (const std::uint64_t lane : lanes) {
      UpdateWord(lane);
    }
  }
  for (; left >= 8; left -= 8, at += 8) {
    UpdateWord(LoadWord(at));
  }
  if (left > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, left);
    UpdateWord(word);
  }
}

}  // namespace muster
