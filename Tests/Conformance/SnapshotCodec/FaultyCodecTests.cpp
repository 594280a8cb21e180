// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The suite judged: it runs over codecs with one mistake each, in a process of its own, and has to find every one.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>

#include "CodecUnderTest.h"
#include "Support/TemporaryDirectoryTest.h"

namespace muster::conformance {
namespace {

namespace fs = std::filesystem;

struct Fault {
  const char* name;
  const char* foundBy;  ///< the test that fails; null: none, and empty: the guard page ends the process
};

void PrintTo(const Fault& fault, std::ostream* stream) {
  *stream << fault.name;
}

class SuiteOverFaultyCodec : public test::TemporaryDirectoryTest, public ::testing::WithParamInterface<Fault> {
 protected:
  struct Run {
    bool hasPassed = false;
    std::string output;
  };

  /// The suite's own program over one plugin, as anybody would call it.
  [[nodiscard]] Run RunSuite(const fs::path& plugin) const {
    const std::string command = "'" + fs::canonical("/proc/self/exe").string() + "' --plugin '" + plugin.string() +
                                "' --gtest_filter='Codecs/*' --gtest_brief=1 2>&1";
    Run run;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    std::array<char, 4096> text{};
    while (pipe != nullptr && std::fgets(text.data(), static_cast<int>(text.size()), pipe) != nullptr) {
      run.output += text.data();
    }
    run.hasPassed = pipe != nullptr && ::pclose(pipe) == 0;
    return run;
  }

  /// A copy of the fixture with golden bytes beside it, as its author would ship it.
  [[nodiscard]] fs::path Installed(const std::string& fixture) const {
    const fs::path folder = Directory() / fixture;
    fs::copy(fs::path{MUSTER_TEST_BINARY_DIR} / "Conformance" / "Codecs" / fixture / "Plugin", folder);
    fs::copy(fs::path{MUSTER_TEST_SOURCE_DIR} / "Tests/Conformance/SnapshotCodec/Golden/muster.codec.raw.1.json",
             folder / "codec-golden.json");
    return folder;
  }
};

TEST_P(SuiteOverFaultyCodec, FindsTheMistake) {
  const Run run = RunSuite(Installed(std::string{"Codec"} + GetParam().name));
  EXPECT_EQ(run.hasPassed, GetParam().foundBy == nullptr) << run.output;
  if (GetParam().foundBy != nullptr) {
    EXPECT_NE(run.output.find(GetParam().foundBy), std::string::npos) << run.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, SuiteOverFaultyCodec,
                         ::testing::Values(Fault{"None", nullptr}, Fault{"ReadsPast", ""}, Fault{"WritesPast", ""},
                                           Fault{"BatchDependent", "EncodesAnySplitOfABatchAlike"},
                                           Fault{"Remembers", "EncodesTheSameTwice"},
                                           Fault{"TakesAnything", "SurvivesAnyBytesAndNeverGivesARecordThatCannotBe"},
                                           Fault{"Bias", "KeepsEveryFieldWithinItsStep"},
                                           Fault{"NeedsItsAnchor", "TellsTheLengthOfABodyWithoutItsAnchor"},
                                           Fault{"SilentChange", "WritesTheGoldenBytes"}),
                         [](const auto& fault) { return std::string{fault.param.name}; });

TEST_F(SuiteOverFaultyCodec, AsksForGoldenBytesWhereThereAreNone) {
  const fs::path folder = Installed("CodecNone");
  fs::remove(folder / "codec-golden.json");
  const Run run = RunSuite(folder);
  EXPECT_FALSE(run.hasPassed);
  EXPECT_NE(run.output.find("codec-golden.json is missing"), std::string::npos) << run.output;
}

TEST_F(SuiteOverFaultyCodec, SaysWhyAFolderCannotBeJudged) {
  const Run run = RunSuite(Directory() / "Nowhere");
  EXPECT_FALSE(run.hasPassed);
  EXPECT_NE(run.output.find("MU1001 PluginNotFound"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace muster::conformance
