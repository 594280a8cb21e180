// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Clock.h"
#include "Recipes.h"
#include "Simulation/FixedStepLoop.h"

#include <chrono>
#include <thread>

namespace muster::bench {
namespace {

/// Late by how much a tick begins, nothing else running in this process.
double LatenessOfLoop(SteadyClock& clock, simulation::FixedStepLoop& loop) {
  loop.Resynchronise();  // the others slept in between
  const MonotonicTime due = loop.NextDeadline();
  std::chrono::nanoseconds late{0};
  loop.Step([&](Tick /*tick*/) { late = clock.Now() - due; });
  return static_cast<double>(late.count());
}

double LatenessOfSleep() {
  const auto due = std::chrono::steady_clock::now() + std::chrono::nanoseconds(16'666'667);
  std::this_thread::sleep_until(due);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - due).count();
}

Group JitterGroup(const std::string& name) {
  Group group;
  group.name = name;
  group.caseTime = std::chrono::milliseconds(2'500);
  const auto clock = std::make_shared<SteadyClock>();
  const auto loop = std::make_shared<simulation::FixedStepLoop>(*clock);
  Case ours;
  ours.label = "loop";
  ours.subject = "FixedStepLoop";
  ours.unit = "tick";
  ours.measure = [clock, loop] { return LatenessOfLoop(*clock, *loop); };
  Case plain;
  plain.label = "sleep";
  plain.subject = "std::this_thread::sleep_until";
  plain.unit = "tick";
  plain.measure = [] { return LatenessOfSleep(); };
  group.cases = {std::move(ours), std::move(plain)};
  group.ratios = {{"loop", "sleep"}};
  return group;
}

}  // namespace

std::vector<GroupRecipe> JitterRecipes() {
  return {{"loop/jitter/60hz", "how late a tick begins on an idle loop", true,
           [] { return JitterGroup("loop/jitter/60hz"); }}};
}

}  // namespace muster::bench
