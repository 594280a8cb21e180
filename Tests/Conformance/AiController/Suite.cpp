// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Suite.h"

#include "PluginApi/PluginHostAccess.h"
#include "Simulation/ControllerDirectory.h"
#include "Simulation/Simulation.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include <fmt/format.h>

namespace muster::conformance {
namespace {

std::uint32_t CountOf(Subject& subject) {
  const Instance instance{subject.First()};
  return std::min(instance.Table().controller_count(instance.Raw()), 32U);
}

/// Runs a look at every controller, and puts its name before what was found.
Findings ForEachController(Subject& subject, const std::function<Findings(const Rig&)>& look) {
  Findings all;
  for (std::uint32_t controller = 0; controller < CountOf(subject); ++controller) {
    const Rig rig{subject.First(), controller};
    for (const std::string& finding : look(rig)) {
      all.push_back(fmt::format("{}: {}", rig.Name(), finding));
    }
  }
  return all;
}

void Take(Findings& findings, const Flight& flight, const Scene& scene) {
  for (const std::string& finding : flight.findings) {
    findings.push_back(fmt::format("{}: {}", scene.name, finding));
  }
}

/// Says so where two flights differ, and what either of them came upon.
void Compare(const Flight& reference, const Flight& other, const Scene& scene, std::string_view difference,
             Findings& findings) {
  Take(findings, reference, scene);
  Take(findings, other, scene);
  if (reference.log != other.log) {
    findings.push_back(fmt::format("{}: other bytes {}", scene.name, difference));
  }
}

/// Scenes that tell answers apart: an ordinary one, and one in which everybody is equally near.
std::vector<Scene> TellingScenes() {
  std::vector<Scene> scenes = AllScenes();
  scenes.erase(scenes.begin() + 3, scenes.end());
  return scenes;
}

using Said = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint32_t>;

std::vector<Said> WhatItSays(const Instance& instance) {
  std::vector<Said> said;
  const std::uint32_t count = std::min(instance.Table().controller_count(instance.Raw()), 32U);
  for (std::uint32_t index = 0; index < count; ++index) {
    mu_controller_info info{};
    instance.Table().controller_info(instance.Raw(), index, &info);
    said.emplace_back(plugin::ToView(info.name), info.blackboard_bytes, info.blackboard_schema, info.think_stride);
  }
  return said;
}

Findings CheckDescription(Subject& subject) {
  Findings findings;
  const mu_ai_controller_v0& table = *subject.First().table;
  if (!subject.IsBuiltIn()) {  // which the directory has from the start
    MemorySink sink;
    simulation::Simulation world{{.capacity = 64}, {}};
    simulation::ControllerDirectory directory{world.Store(), Logger{sink, "conformance"}};
    if (const auto added = directory.Add({"the subject", &table, {}}); !added) {
      return {added.Failure().ToString()};
    }
  }
  const Instance instance{subject.First()};
  const Instance other{subject.First()};
  const std::vector<Said> said = WhatItSays(instance);
  mu_controller_info info{};
  if (table.controller_info(instance.Raw(), static_cast<std::uint32_t>(said.size()), &info) >= 0) {
    findings.push_back("controller_info takes an index that is too high");
  }
  for (std::uint32_t controller = 0; controller < said.size(); ++controller) {
    Take(findings, Rig{subject.First(), controller}.Fly(instance, Ordinary(), {}), Ordinary());
  }
  if (WhatItSays(instance) != said || WhatItSays(other) != said) {
    findings.push_back("it describes itself otherwise after a while, or in another instance");
  }
  return findings;
}

Findings CheckRepetition(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    for (const Scene& scene : TellingScenes()) {
      const Instance instance{subject.First()};
      const Flight first = rig.Fly(instance, scene, {});
      Compare(first, rig.Fly(instance, scene, {}), scene, "when asked again", findings);
      Take(findings, rig.Fly(instance, BeforeItBroke(), {.ticks = 2}), scene);
      Compare(first, rig.Fly(instance, scene, {}), scene, "after thinking about others", findings);
      Compare(first, rig.Fly(Instance{subject.First()}, scene, {}), scene, "from a new instance", findings);
      Compare(first, rig.Fly(instance, scene, {.isRecreated = true}), scene, "from a new instance every tick",
              findings);
    }
    return findings;
  });
}

Findings CheckPartition(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    const Instance instance{subject.First()};
    for (const Scene& scene : TellingScenes()) {
      const Flight whole = rig.Fly(instance, scene, {.chunkSizes = {1'000}});
      for (const Plan& plan : {Plan{.chunkSizes = {128}}, Plan{.chunkSizes = {1}}, Plan{.chunkSizes = {3, 64, 17}},
                               Plan{.chunkSizes = {7}, .isReversed = true}}) {
        Compare(whole, rig.Fly(instance, scene, plan), scene, "in other batches", findings);
      }
    }
    return findings;
  });
}

Findings CheckThreads(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    const Instance instance{subject.First()};
    for (const Scene& scene : TellingScenes()) {
      const Flight alone = rig.Fly(instance, scene, {.chunkSizes = {16}});
      for (const unsigned threads : {2U, 4U}) {
        const Plan plan{.chunkSizes = {16}, .isReversed = threads == 4, .threads = threads};
        Compare(alone, rig.Fly(instance, scene, plan), scene, fmt::format("on {} threads", threads), findings);
      }
    }
    return findings;
  });
}

Findings CheckSurroundings(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    const Instance instance{subject.First()};
    for (const Scene& scene : TellingScenes()) {
      const Flight first = rig.Fly(instance, scene, {.garbage = 1});
      Compare(first, rig.Fly(instance, scene, {.garbage = 22}), scene, "with other bytes around the rows", findings);
      if (rig.Info().blackboard_bytes != 0) {
        Compare(first, rig.Fly(instance, scene, {.garbage = 7, .extraStride = 40}), scene,
                "with blackboards farther apart", findings);
      }
    }
    return findings;
  });
}

Findings CheckGenerations(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    for (const Scene& scene : TellingScenes()) {
      Compare(rig.Fly(Instance{subject.First()}, scene, {}), rig.Fly(Instance{subject.Second()}, scene, {}), scene,
              "from another generation", findings);
    }
    return findings;
  });
}

Findings CheckFences(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    const Instance instance{subject.First()};
    for (const Scene& scene : AllScenes()) {
      Take(findings, rig.Fly(instance, scene, {.chunkSizes = {1, 50}, .garbage = 5, .extraStride = 16, .ticks = 3}),
           scene);
    }
    // The host asks for no empty batch; who gets one has nothing to do.
    Scene nobody = Ordinary();
    CountingSpatial spatial{nobody};
    Rows rows = rig.NewRows(nobody);
    Findings beside;
    for (const mu_status status :
         rig.Think(instance, nobody, spatial, 1, {.chunkSizes = {0, 128}}, rows, beside).statuses) {
      if (status != MU_OK) {
        beside.push_back(fmt::format("think of an empty batch, or of the next, answered {}", status));
      }
    }
    findings.insert(findings.end(), beside.begin(), beside.end());
    return findings;
  });
}

Findings CheckWorlds(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    for (const Scene& scene : AllScenes()) {
      Take(findings, rig.Fly(Instance{subject.First()}, scene, {.ticks = 20}), scene);
    }
    return findings;
  });
}

Findings CheckRecovery(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    const Instance instance{subject.First()};
    const Scene sound = BeforeItBroke();
    for (const Scene& broken : AllScenes()) {
      if (broken.isSound) {
        continue;
      }
      Rows rows = rig.NewRows(sound);
      CountingSpatial soundSpatial{sound};
      CountingSpatial brokenSpatial{broken};
      for (std::uint64_t tick = 0; tick < 9; ++tick) {
        const bool isBroken = tick >= 3 && tick < 6;
        rig.Think(instance, isBroken ? broken : sound, isBroken ? brokenSpatial : soundSpatial, tick, {}, rows,
                  findings);
      }
      Findings late;
      rig.JudgeCommands(sound, rows, late);
      for (const std::string& finding : late) {
        findings.push_back(fmt::format("three ticks after {}: {}", broken.name, finding));
      }
    }
    return findings;
  });
}

Findings CheckServiceErrors(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    const Instance instance{subject.First()};
    const Scene scene = Ordinary();
    for (const mu_status error : {MU_E_FAILED, MU_E_NOT_SUPPORTED, MU_E_OUT_OF_MEMORY}) {
      CountingSpatial spatial{scene};
      Rows rows = rig.NewRows(scene);
      rig.Think(instance, scene, spatial, 1, {}, rows, findings);
      spatial.FailWith(error);
      for (const mu_status status : rig.Think(instance, scene, spatial, 2, {}, rows, findings).statuses) {
        if (status > 0) {
          findings.push_back(fmt::format("think answered {}, which is no status", status));
        }
      }
      spatial.FailWith(MU_OK);
      for (const mu_status status : rig.Think(instance, scene, spatial, 3, {}, rows, findings).statuses) {
        if (status != MU_OK) {
          findings.push_back(fmt::format("think answered {} when the service was back", status));
        }
      }
      rig.JudgeCommands(scene, rows, findings);
    }
    return findings;
  });
}

Findings CheckAllocation(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    for (const Scene& scene : TellingScenes()) {
      const Flight flight = rig.Fly(Instance{subject.First()}, scene, {});
      if (flight.lateAllocations != 0) {
        findings.push_back(fmt::format("{}: {} allocations behind the first tick", scene.name, flight.lateAllocations));
      }
    }
    return findings;
  });
}

Findings CheckBudget(Subject& subject) {
  return ForEachController(subject, [&](const Rig& rig) {
    Findings findings;
    const Instance instance{subject.First()};
    for (const Scene& scene : TellingScenes()) {
      CountingSpatial spatial{scene};
      Rows rows = rig.NewRows(scene);
      const std::size_t batches = rig.Think(instance, scene, spatial, 1, {}, rows, findings).statuses.size();
      if (spatial.Queries() > kMostQueriesPerAgent * scene.agents.size()) {
        findings.push_back(fmt::format("{}: {} queries for {} agents; {} each are allowed", scene.name,
                                       spatial.Queries(), scene.agents.size(), kMostQueriesPerAgent));
      }
      if (spatial.Calls() > kMostCallsPerBatch * batches) {
        findings.push_back(fmt::format("{}: {} calls of the spatial service for {} batches; {} each are allowed",
                                       scene.name, spatial.Calls(), batches, kMostCallsPerBatch));
      }
      if (spatial.MostSlots() > kMostSlotsPerQuery) {
        findings.push_back(fmt::format("{}: room for {} slots in a query; {} are allowed", scene.name,
                                       spatial.MostSlots(), kMostSlotsPerQuery));
      }
    }
    return findings;
  });
}

}  // namespace

std::span<const Check> Checks() {
  static constexpr std::array<Check, 12> kChecks{{{"Description", &CheckDescription},
                                                  {"Repetition", &CheckRepetition},
                                                  {"Partition", &CheckPartition},
                                                  {"Threads", &CheckThreads},
                                                  {"Surroundings", &CheckSurroundings},
                                                  {"Generations", &CheckGenerations},
                                                  {"Fences", &CheckFences},
                                                  {"Worlds", &CheckWorlds},
                                                  {"Recovery", &CheckRecovery},
                                                  {"ServiceErrors", &CheckServiceErrors},
                                                  {"Allocation", &CheckAllocation},
                                                  {"Budget", &CheckBudget}}};
  return kChecks;
}

}  // namespace muster::conformance
