// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How a synthetic player flies. A pattern is a function of time, the client's index and its seed, so that a run
// repeats.
//
//   Result<PatternMix> mix = PatternMix::Parse("weave:80,aggressive:15,idle:5");
//   std::unique_ptr<IFlightPattern> pattern = MakePattern(mix->At(i, clients), i, seed);
//   const mu_control control = pattern->At(tick);
//
// A new pattern is a class in FlightPattern.cpp and a line in its table.
#pragma once

#include "Core/Result.h"
#include "Core/Tick.h"
#include "Core/WeightedMix.h"
#include "PluginApi/AiController.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::swarm {

inline constexpr ErrorCode kPatternUnknown{3301, "PatternUnknown"};
inline constexpr ErrorCode kPatternMixInvalid{3302, "PatternMixInvalid"};

class IFlightPattern {
 public:
  virtual ~IFlightPattern() = default;
  /// Ticks ascend; some may be left out.
  virtual mu_control At(Tick tick) = 0;
};

/// Names for help texts, in the order of the table.
std::vector<std::string_view> PatternNames();

/// Fails with kPatternUnknown, which lists the names.
Result<std::unique_ptr<IFlightPattern>> MakePattern(std::string_view name, std::uint32_t clientIndex,
                                                    std::uint64_t seed);

/// Weights over pattern names, dealt out to clients by their index.
class PatternMix {
 public:
  /// "weave", or "weave:80,idle:20" with whole weights from 1. Fails with kPatternMixInvalid or kPatternUnknown.
  static Result<PatternMix> Parse(std::string_view text);

  [[nodiscard]] std::string_view At(std::uint32_t clientIndex, std::uint32_t clients) const;

 private:
  explicit PatternMix(WeightedMix mix) : m_mix{std::move(mix)} {}

  WeightedMix m_mix;
};

}  // namespace muster::swarm
