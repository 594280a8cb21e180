// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Loops.h"

#include "Core/Clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

namespace muster::bench {
namespace {

constexpr std::size_t kGrain = 64;
/// Loops in one pass of the dispatch groups: the clock and the pass cost nothing beside them.
constexpr int kDispatches = 400;
/// The rest of a tick of 60 Hz behind two milliseconds of work.
constexpr std::chrono::milliseconds kIdle{14};

/// About 220 ns: a chain of dependent multiplications, so that no compiler shortens it and no memory bounds it.
double HeavyBody(std::size_t index) {
  double value = 1.0 + static_cast<double>(index % 1'024) * 1e-6;
  for (int turn = 0; turn < 150; ++turn) {
    value = value * 1.0000001 + 1e-9;
  }
  return value;
}

struct Work {
  explicit Work(std::size_t count) : values(count) {}

  static void Run(void* context, std::size_t begin, std::size_t end) {
    auto& values = static_cast<Work*>(context)->values;
    for (std::size_t index = begin; index < end; ++index) {
      values[index] = HeavyBody(index);
    }
  }
  /// Every item once, whoever runs them.
  std::string Check(IParallelLoop& loop) {
    std::fill(values.begin(), values.end(), 0.0);
    loop.WarmUp();
    loop.Run(values.size(), kGrain, &Work::Run, this);
    loop.Rest();
    for (std::size_t index = 0; index < values.size(); ++index) {
      if (values[index] != HeavyBody(index)) {
        return fmt::format("{} left out item {}", loop.Subject(), index);
      }
    }
    return {};
  }

  std::vector<double> values;
};

void Nothing(void* /*context*/, std::size_t begin, std::size_t /*end*/) {
  Keep(begin);
}

using LoopPointer = std::shared_ptr<IParallelLoop>;

std::vector<LoopPointer> MakeLoops(const Peers& peers, bool withPinned) {
  std::vector<LoopPointer> loops;
  loops.push_back(MakeSerialLoop());
  loops.push_back(MakePoolLoop(false));
  if (withPinned) {
    loops.push_back(MakePoolLoop(true));
  }
  loops.push_back(MakeThreadLoop());
  for (const LoopFactory& make : peers.loops) {
    loops.push_back(make());
  }
  return loops;
}

Case CaseOf(const IParallelLoop& loop, Mode mode, std::string unit) {
  Case made;
  made.label = loop.Label();
  made.subject = loop.Subject();
  made.mode = mode;
  made.unit = std::move(unit);
  return made;
}

void AddRatios(Group& group, std::initializer_list<const char*> ours, Mode mode) {
  const std::vector<std::string> mine{ours.begin(), ours.end()};
  for (const std::string& above : mine) {
    for (const Case& made : group.cases) {
      if (std::find(mine.begin(), mine.end(), made.label) == mine.end()) {
        group.ratios.push_back({above, made.label, mode});
      }
    }
  }
}

Group DispatchGroup(const std::string& name, std::size_t chunks, const Peers& peers) {
  Group group;
  group.name = name;
  const std::vector<LoopPointer> loops = MakeLoops(peers, false);
  for (const LoopPointer& loop : loops) {
    Case made = CaseOf(*loop, Mode::Hot, "loop");
    const int dispatches = loop->Label() == "std_thread" ? 10 : kDispatches;
    made.unitsPerPass = dispatches;
    made.prepare = [loop] { loop->WarmUp(); };
    made.pass = [loop, chunks, dispatches] {
      for (int turn = 0; turn < dispatches; ++turn) {
        loop->Run(chunks * kGrain, kGrain, &Nothing, nullptr);
      }
      loop->Rest();
    };
    group.cases.push_back(std::move(made));
  }
  group.check = [loops] {
    std::string wrong;
    Work work{16 * kGrain};
    for (std::size_t at = 0; at < loops.size() && wrong.empty(); ++at) {
      wrong = work.Check(*loops[at]);
    }
    return wrong;
  };
  AddRatios(group, {"pool"}, Mode::Hot);
  return group;
}

Group ScalingGroup(const std::string& name, std::size_t count, const Peers& peers) {
  Group group;
  group.name = name;
  const std::vector<LoopPointer> loops = MakeLoops(peers, true);
  const auto work = std::make_shared<Work>(count);
  for (const LoopPointer& loop : loops) {
    Case made = CaseOf(*loop, Mode::Tick, "loop");
    made.prepare = [loop] { loop->WarmUp(); };
    made.pass = [loop, work] {
      loop->Run(work->values.size(), kGrain, &Work::Run, work.get());
      loop->Rest();
    };
    group.cases.push_back(std::move(made));
  }
  group.check = [loops, work] {
    std::string wrong;
    for (std::size_t at = 0; at < loops.size() && wrong.empty(); ++at) {
      wrong = work->Check(*loops[at]);
    }
    return wrong;
  };
  AddRatios(group, {"pool", "pool_pinned"}, Mode::Tick);
  return group;
}

/// What a phase takes that comes after a tick's idle time; `isWoken`: helpers were woken 200 us ahead of it.
Case IdleCase(const LoopPointer& loop, const std::shared_ptr<Work>& work, bool isWoken) {
  Case made = CaseOf(*loop, Mode::Tick, "loop");
  if (isWoken) {
    made.label += "_woken";
    made.subject += ", woken ahead";
  }
  made.measure = [loop, work, isWoken] {
    SteadyClock clock;
    clock.SleepUntil(clock.Now() + kIdle);
    if (isWoken) {
      loop->WarmUp();
    }
    const MonotonicTime begin = clock.Now();
    loop->Run(work->values.size(), kGrain, &Work::Run, work.get());
    const std::chrono::nanoseconds taken = clock.Now() - begin;
    loop->Rest();
    return static_cast<double>(taken.count());
  };
  return made;
}

Group IdleGroup(const std::string& name, std::size_t count, const Peers& peers) {
  Group group;
  group.name = name;
  group.caseTime = std::chrono::milliseconds(500);
  const auto work = std::make_shared<Work>(count);
  for (const LoopPointer& loop : MakeLoops(peers, true)) {
    const bool isPool = loop->Label() == "pool" || loop->Label() == "pool_pinned";
    if (loop->Label() != "pool_pinned") {
      group.cases.push_back(IdleCase(loop, work, false));
    }
    if (isPool) {
      group.cases.push_back(IdleCase(loop, work, true));
    }
  }
  AddRatios(group, {"pool", "pool_woken", "pool_pinned_woken"}, Mode::Tick);
  return group;
}

}  // namespace

std::vector<GroupRecipe> LoopRecipes(const Peers& peers) {
  std::vector<GroupRecipe> recipes;
  for (const std::size_t chunks : {std::size_t{2}, std::size_t{16}}) {
    const std::string name = fmt::format("jobs/dispatch/{}", chunks);
    recipes.push_back({name, "a loop of so many empty chunks on two awake threads", chunks == 16,
                       [=] { return DispatchGroup(name, chunks, peers); }});
  }
  for (const std::size_t count : {std::size_t{500}, std::size_t{5'000}, std::size_t{50'000}}) {
    const std::string name = fmt::format("jobs/scaling/{}", count);
    recipes.push_back({name, "so many bodies of about 220 ns on two awake threads", count == 500,
                       [=] { return ScalingGroup(name, count, peers); }});
  }
  for (const std::size_t count : {std::size_t{500}, std::size_t{5'000}}) {
    const std::string name = fmt::format("jobs/idle/{}", count);
    recipes.push_back({name, "so many bodies of about 220 ns after 14 ms of idling", count == 500,
                       [=] { return IdleGroup(name, count, peers); }});
  }
  return recipes;
}

}  // namespace muster::bench
