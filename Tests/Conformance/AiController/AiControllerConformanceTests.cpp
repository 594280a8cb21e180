// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The suite over every provider of the build tree, or over a stranger's alone:
//
//   AiControllerConformanceTests --plugin <folder with plugin.json>     (or MUSTER_CONFORMANCE_PLUGIN=<folder>)
//
// and the proof that the suite bites: a provider with one mistake at a time, each found by the check that is for it.
#include "Suite.h"

#include "PluginConformance/Request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster::conformance {

/// For GoogleTest's messages.
void PrintTo(const SubjectPlace& place, std::ostream* out) {
  *out << place.name;
}
void PrintTo(const Check& check, std::ostream* out) {
  *out << check.name;
}

namespace {

/// Set by main before the tests are made.
Request g_request;

std::vector<SubjectPlace> Subjects() {
  std::vector<SubjectPlace> places =
      g_request.plugin ? std::vector<SubjectPlace>{SubjectIn(*g_request.plugin)} : SubjectsOfBuildTree();
  for (SubjectPlace& place : places) {
    place.settings = g_request.settings;
  }
  return places;
}

std::vector<Check> AllChecks() {
  return {Checks().begin(), Checks().end()};
}

std::string PascalOf(std::string_view text) {
  std::string name;
  bool isStart = true;
  for (const char letter : text) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) {
      isStart = true;
    } else {
      name += isStart ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
      isStart = false;
    }
  }
  return name;
}

using Case = std::tuple<SubjectPlace, Check>;

class AiControllerConformance : public ::testing::TestWithParam<Case> {};

TEST_P(AiControllerConformance, Holds) {
  const auto& [place, check] = GetParam();
  const std::unique_ptr<Subject> subject = Subject::Open(place);
  const Findings findings = check.run(*subject);
  EXPECT_TRUE(findings.empty()) << fmt::format("{}", fmt::join(findings, "\n"));
}

INSTANTIATE_TEST_SUITE_P(Providers, AiControllerConformance,
                         ::testing::Combine(::testing::ValuesIn(Subjects()), ::testing::ValuesIn(AllChecks())),
                         [](const ::testing::TestParamInfo<Case>& one) {
                           return PascalOf(std::get<0>(one.param).name) + std::string{std::get<1>(one.param).name};
                         });

TEST(AiControllerSubjects, AreOursAndTheFixturesOrTheStrangerAlone) {
  std::vector<std::string> names;
  for (const SubjectPlace& place : Subjects()) {
    names.push_back(place.name);
  }
  if (!g_request.plugin) {
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("builtin.hold", "muster.ai.basic", "muster.ai.steering",
                                                       "com.example.steersman", "com.example.plainc"));
  } else {
    EXPECT_THAT(names, ::testing::SizeIs(1));
  }
}

/// A mistake and the check that is there for it.
struct Fault {
  const char* name;
  const char* check;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

class AiControllerFault : public ::testing::TestWithParam<Fault> {};

TEST_P(AiControllerFault, IsFound) {
  const std::filesystem::path folder{MUSTER_TEST_BINARY_DIR "/HotReload/Steersman"};
  SubjectPlace place = SubjectIn(folder);
  place.settings["fault"] = std::string{GetParam().name};
  const std::unique_ptr<Subject> subject = Subject::Open(place);
  for (const Check& check : Checks()) {
    if (check.name == GetParam().check) {
      const Findings findings = check.run(*subject);
      EXPECT_FALSE(findings.empty()) << "the suite let it pass";
      std::printf("%s\n", findings.empty() ? "" : findings.front().c_str());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mistakes, AiControllerFault,
                         ::testing::Values(Fault{"bad_name", "Description"}, Fault{"greedy_blackboard", "Description"},
                                           Fault{"any_index", "Description"},
                                           Fault{"changing_description", "Description"},
                                           Fault{"remembers", "Repetition"}, Fault{"place_in_batch", "Partition"},
                                           Fault{"size_of_batch", "Partition"}, Fault{"per_thread", "Threads"},
                                           Fault{"addresses", "Surroundings"}, Fault{"reads_gap", "Surroundings"},
                                           Fault{"reads_next_agent", "Surroundings"},
                                           Fault{"reads_reserved", "Surroundings"},
                                           Fault{"address_of_library", "Generations"},
                                           Fault{"command_too_far", "Fences"}, Fault{"blackboard_before", "Fences"},
                                           Fault{"writes_gap", "Fences"}, Fault{"moves_the_world", "Fences"},
                                           Fault{"divides_by_speed", "Worlds"}, Fault{"full_and_more", "Worlds"},
                                           Fault{"keeps_nan", "Recovery"}, Fault{"allocates", "Allocation"},
                                           Fault{"one_by_one", "Budget"}, Fault{"asks_too_much", "Budget"}),
                         [](const ::testing::TestParamInfo<Fault>& one) { return PascalOf(one.param.name); });

}  // namespace
}  // namespace muster::conformance

int main(int argc, char** argv) {
  const std::optional<muster::conformance::Request> request = muster::conformance::TakeRequest(argc, argv);
  if (!request) {
    std::fprintf(stderr, "%s\n", muster::conformance::kRequestUsage);
    return 2;
  }
  muster::conformance::g_request = *request;
  try {
    ::testing::InitGoogleMock(&argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
  }
  return RUN_ALL_TESTS();
}
