// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LinkSim/LinkConditions.h"

#include "Core/Random.h"

#include <algorithm>

namespace muster::linksim {

namespace {

// Draws of one message; its number times this is where they begin, so that no message's draws move another's.
enum Draw : std::uint64_t { Loss, Duplicate, Reorder, Jitter, DuplicateJitter, kDraws };

double Unit(std::uint64_t seed, std::uint64_t index, Draw draw) noexcept {
  return static_cast<double>(Random::At(seed, index * kDraws + draw) >> 11) * 0x1p-53;
}

std::chrono::nanoseconds Scale(std::chrono::nanoseconds range, double unit) noexcept {
  return std::chrono::nanoseconds{static_cast<std::int64_t>(static_cast<double>(range.count()) * unit)};
}

}  // namespace

Fate Decide(const LinkConditions& conditions, std::uint64_t seed, std::uint64_t index) noexcept {
  Fate fate;
  fate.isLost = Unit(seed, index, Loss) < conditions.loss;
  fate.isDuplicated = Unit(seed, index, Duplicate) < conditions.duplicate;
  fate.isReordered = Unit(seed, index, Reorder) < conditions.reorder;
  fate.delay = conditions.delay + Scale(conditions.jitter, Unit(seed, index, Jitter));
  fate.duplicateDelay = conditions.delay + Scale(conditions.jitter, Unit(seed, index, DuplicateJitter));
  if (fate.isReordered) {
    fate.delay += conditions.reorderDelay;
  }
  return fate;
}

std::chrono::nanoseconds DecideReliableDelay(const LinkConditions& conditions, std::uint64_t seed,
                                             std::uint64_t index) noexcept {
  constexpr std::chrono::nanoseconds kLeastResend = std::chrono::milliseconds{50};
  const Fate fate = Decide(conditions, seed, index);
  const std::chrono::nanoseconds resend = std::max(kLeastResend, 2 * (conditions.delay + conditions.jitter));
  return fate.isLost ? fate.delay + resend : fate.delay;
}

}  // namespace muster::linksim
