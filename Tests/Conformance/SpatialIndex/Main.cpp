// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who is put through the suite: the index that is built in and every plugin of the build tree, or the one plugin that
// the command line names.
#include "SpatialIndexSuite.h"

#include "PluginConformance/OpenPlugin.h"
#include "PluginConformance/Request.h"
#include "Simulation/LinearIndex.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <utility>

namespace muster::conformance {
namespace {

/// Set before GoogleTest asks for the rows.
std::vector<Candidate> g_candidates;

/// A name as GoogleTest allows it.
std::string NameFor(const plugins::PluginGeneration& generation) {
  std::string name = fmt::format("{}_{}", generation.Id(), generation.Identity().version);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  const auto isTaken = [&](const std::string& wanted) {
    return std::any_of(g_candidates.begin(), g_candidates.end(),
                       [&](const Candidate& candidate) { return candidate.name == wanted; });
  };
  std::string unique = name;
  for (int number = 2; isTaken(unique); ++number) {
    unique = fmt::format("{}_{}", name, number);
  }
  return unique;
}

/// False, with a line on stderr, when the plugin cannot be judged.
bool AddCandidate(const std::filesystem::path& folder, const plugins::PluginSettings& settings,
                  std::vector<std::unique_ptr<OpenPlugin>>& open) {
  auto plugin = OpenPlugin::Open(folder, settings);
  if (!plugin) {
    fmt::print(stderr, "{}: {}\n", folder.string(), plugin.Failure().ToString());
    return false;
  }
  const auto* const table = (*plugin)->Table<mu_spatial_index_v0>();
  if (table == nullptr) {
    fmt::print(stderr, "{}: provides no {}\n", folder.string(), MU_SPATIAL_INDEX_V0);
    return false;
  }
  g_candidates.push_back({NameFor((*plugin)->Generation()), table});
  open.push_back(std::move(*plugin));
  return true;
}

int Run(int argc, char** argv) {
  const std::optional<Request> request = TakeRequest(argc, argv);
  if (!request) {
    fmt::print(stderr, "{}\n", kRequestUsage);
    return 2;
  }
  std::vector<std::unique_ptr<OpenPlugin>> open;
  bool isJudgable = true;
  if (request->plugin) {
    isJudgable = AddCandidate(*request->plugin, request->settings, open);
  } else {
    g_candidates.push_back({"builtin_linear", &simulation::LinearIndexTable()});
    for (const plugins::FoundPlugin& plugin : FindPlugins(MUSTER_TEST_BINARY_DIR, MU_SPATIAL_INDEX_V0)) {
      isJudgable = AddCandidate(plugin.folder, request->settings, open) && isJudgable;
    }
  }
  if (!isJudgable) {
    return 1;
  }
  ::testing::InitGoogleTest(&argc, argv);
  if (argc > 1) {
    fmt::print(stderr, "Not known: {}\n{}\n", argv[1], kRequestUsage);
    return 2;
  }
  const int failed = RUN_ALL_TESTS();
  return failed;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Providers, SpatialIndexConformance, ::testing::ValuesIn(g_candidates), NameOf);

}  // namespace muster::conformance

int main(int argc, char** argv) {
  return muster::conformance::Run(argc, argv);
}
