// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The suite itself under test, as a stranger runs it: it passes an index that is in order, and finds every mistake that
// the same index can make by the test that is meant to find it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

namespace muster::conformance {
namespace {

struct Outcome {
  int exitCode = -1;
  std::string output;
};

Outcome RunSuite(const std::string& arguments) {
  const std::string command =
      std::string{"\""} + MUSTER_TEST_BINARY_DIR + "/tests/SpatialIndexConformanceTests\" " + arguments + " 2>&1";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe{::popen(command.c_str(), "r"),
                                                             [](std::FILE*) { return 0; }};
  Outcome outcome;
  if (pipe == nullptr) {
    ADD_FAILURE() << command;
    return outcome;
  }
  std::array<char, 4096> chunk;
  // A wrong index fails thousands of times; what is read on is thrown away.
  while (const std::size_t size = std::fread(chunk.data(), 1, chunk.size(), pipe.get())) {
    outcome.output.append(chunk.data(), size);
    if (outcome.output.size() > 4'000'000) {
      outcome.output.erase(0, 2'000'000);
    }
  }
  const int status = ::pclose(pipe.get());
  outcome.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string WrongIndex() {
  return std::string{"--plugin \""} + MUSTER_TEST_BINARY_DIR + "/Conformance/SpatialIndex/WrongIndex\" ";
}

struct Mistake {
  const char* name;
  const char* foundBy;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}

class SpatialIndexSuite : public ::testing::TestWithParam<Mistake> {};

TEST(SpatialIndexSuite, PassesAnIndexWithoutMistake) {
  const Outcome outcome = RunSuite(WrongIndex());
  EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("com_example_wrong_spatial_1_0_0"), std::string::npos);
}

TEST_P(SpatialIndexSuite, FindsTheMistakeOf) {
  const Mistake& mistake = GetParam();
  const Outcome outcome = RunSuite(WrongIndex() + "--set mistake=" + mistake.name +
                                   " --gtest_brief=1 --gtest_filter=*." + mistake.foundBy + "/*");
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_NE(outcome.output.find("[  FAILED  ] Providers/SpatialIndexConformance." + std::string{mistake.foundBy}),
            std::string::npos)
      << outcome.output.substr(0, 4000);
}

INSTANTIATE_TEST_SUITE_P(
    All, SpatialIndexSuite,
    ::testing::Values(Mistake{"drops_the_boundary", "DecidesOneUlpAroundTheRadius"},
                      Mistake{"tests_in_doubles", "DecidesOneUlpAroundTheRadius"},
                      Mistake{"is_flat", "FindsExactlyWhoIsWithin"},
                      Mistake{"finds_the_infinite", "FindsExactlyWhoIsWithin"},
                      Mistake{"takes_negative_radii", "FindsExactlyWhoIsWithin"},
                      Mistake{"lists_nearest_unsorted", "ListsTheNearestInOrderOfDistanceThenSlot"},
                      Mistake{"ignores_nobody", "ListsTheNearestInOrderOfDistanceThenSlot"},
                      Mistake{"breaks_ties_by_higher_slot", "BreaksTiesOfDistanceByTheLowerSlot"},
                      Mistake{"cries_overflow_when_full", "CutsIdListsAtTheirCapacityAndSaysSo"},
                      Mistake{"writes_behind_the_list", "CutsIdListsAtTheirCapacityAndSaysSo"},
                      Mistake{"lists_a_slot_twice", "CutsIdListsAtTheirCapacityAndSaysSo"},
                      Mistake{"misses_giants", "PairsAGiantWithEverybodyInReach"},
                      Mistake{"swaps_pairs", "FindsEveryPairOfTouchingSpheresOnce"},
                      Mistake{"counts_only_written_pairs", "CountsThePairsThatFindNoRoom"},
                      Mistake{"keeps_old_positions", "AnswersAfterManyTicksAsAFreshOneDoes"},
                      Mistake{"keeps_old_positions", "StaysRightThroughTwoHundredTicks"},
                      Mistake{"packs_its_batch", "KeepsTheAnswersOfABatchApart"},
                      Mistake{"obeys_tiny_cells", "ObeysNoWishForCellsThatWouldCostAnAnswerOrItsMemory"},
                      Mistake{"grows", "BoundsItsMemoryWhateverTheWorldIsLike"}),
    [](const ::testing::TestParamInfo<Mistake>& row) { return std::string{row.param.name} + "_" + row.param.foundBy; });

TEST(SpatialIndexSuite, RefusesAFolderThatIsNoPlugin) {
  const Outcome outcome = RunSuite(std::string{"--plugin \""} + MUSTER_TEST_BINARY_DIR + "/tests\"");
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_NE(outcome.output.find("MU1"), std::string::npos) << "no named error: " << outcome.output;
}

TEST(SpatialIndexSuite, RefusesArgumentsItDoesNotKnow) {
  EXPECT_EQ(RunSuite("--plugin").exitCode, 2);
  EXPECT_EQ(RunSuite(WrongIndex() + "--set nonsense").exitCode, 2);
  EXPECT_EQ(RunSuite(WrongIndex() + "--frobnicate").exitCode, 2);
}

}  // namespace
}  // namespace muster::conformance
