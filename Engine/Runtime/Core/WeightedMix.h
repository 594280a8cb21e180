// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Named things in given shares, as people write them: "loiter:60, pursuit:25". A weight that is left out is 1.
//
//   Result<WeightedMix> mix = WeightedMix::Parse(text, Error{kSpawnMixInvalid, "...", "", "Write name:weight pairs."});
//   const std::size_t part = mix->PartOf(17, 500);       // index into mix->Parts(): what the 18th of 500 is
//
// Values; what the names mean is the caller's business. [any]
#pragma once

#include "Core/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

class WeightedMix {
 public:
  static constexpr std::uint32_t kMaxWeight = 1'000'000;

  struct Part {
    std::string name;          ///< without blanks around it, not empty
    std::uint32_t weight = 1;  ///< 1..kMaxWeight
  };

  /// Fails with `failure`, its cause filled in.
  static Result<WeightedMix> Parse(std::string_view text, const Error& failure);

  /// At least one, as they stand in the text; a name may come twice.
  [[nodiscard]] const std::vector<Part>& Parts() const noexcept { return m_parts; }

  /// With weights of total w, thing i of n belongs to the part whose share holds floor(i * w / n). `index` is below
  /// `count`.
  [[nodiscard]] std::size_t PartOf(std::uint32_t index, std::uint32_t count) const;

 private:
  std::vector<Part> m_parts;
  std::uint64_t m_total = 0;
};

}  // namespace muster
