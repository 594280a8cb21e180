// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <sodium.h>

#include <cstddef>
#include <cstdint>

namespace muster::fuzz {

/// Keys and hash seeds are drawn from libsodium; a target gives it this source, so that an input does the same in every
/// run. Construct one at the start of each run. For fuzzing only.
class RepeatableRandomness {
 public:
  RepeatableRandomness() {
    static randombytes_implementation source{&Name, &Next, nullptr, nullptr, &Fill, nullptr};
    static const bool isSet = randombytes_set_implementation(&source) == 0;
    static_cast<void>(isSet);
    s_state = 0x6D75737465720001U;
  }

 private:
  static const char* Name() { return "repeatable"; }
  static std::uint32_t Next() {
    s_state ^= s_state << 13U;
    s_state ^= s_state >> 7U;
    s_state ^= s_state << 17U;
    return static_cast<std::uint32_t>(s_state >> 32U);
  }
  static void Fill(void* out, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      static_cast<std::uint8_t*>(out)[i] = static_cast<std::uint8_t>(Next());
    }
  }

  static inline std::uint64_t s_state = 0;
};

}  // namespace muster::fuzz
