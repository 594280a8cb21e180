// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What every provider of muster.ai_controller/0 must keep to. A check looks at one thing, for every controller of the
// provider, and says in sentences what it found; nothing found is a pass. So a test can also ask that a provider which is
// wrong is told so.
#pragma once

#include "Rig.h"
#include "Subject.h"

#include <span>
#include <string_view>

namespace muster::conformance {

/// What a think may ask of the host's spatial service. Counts, so that a busy machine changes no verdict.
inline constexpr std::uint64_t kMostQueriesPerAgent = 8;
inline constexpr std::uint64_t kMostCallsPerBatch = 16;  ///< of up to 128 agents: queries are asked in batches
inline constexpr std::uint64_t kMostSlotsPerQuery = 256;

struct Check {
  std::string_view name;
  Findings (*run)(Subject& subject);
};

/// Description       the host would take it; what it says of itself is constant, and an index too high is an error
/// Repetition        the same batch gives the same bytes again: on the same instance, on a new one, with others between
/// Partition         however the agents are cut into batches, and in whichever order those come
/// Threads           and on several threads at once
/// Surroundings      whatever lies beside the rows, between blackboards, behind the arrays, and wherever they lie
/// Generations       and from another generation of the library at other addresses
/// Fences            nothing is written but commands and blackboards, in whatever world
/// Worlds            thinks succeed in all of them, and commands are finite and in their range wherever the world is
/// Recovery          a broken tick leaves nothing behind that breaks the sound ones after it
/// ServiceErrors     when the spatial service fails, think says so or does without, and goes on when it is back
/// Allocation        nothing is allocated behind the first tick
/// Budget            queries are bounded and asked in batches
std::span<const Check> Checks();

}  // namespace muster::conformance
