// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The kinds of checks: their parameters, and what those measure that need no server.
#include "CheckList.h"
#include "GateErrors.h"

#include "Core/Files.h"
#include "Support/TemporaryDirectoryTest.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace muster::gate::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct KindCase {
  const char* kind;
  Json sound;
  std::vector<Json> unsound;  ///< merge patches that make it so
};

Result<CheckList> Parse(const char* kind, const Json& parameters) {
  Json check{{"id", "a"}, {"kind", kind}, {"shows", "s"}, {"bars", {{"f", {{"equals", 0}}}}}};
  check.update(parameters);
  return ParseCheckList(Json{{"schema", 1}, {"profile", "p"}, {"checks", {check}}}.dump());
}

std::vector<KindCase> KindCases() {
  return {
      {"storm",
       {{"clients", 4},
        {"transport", "t"},
        {"codec", "c"},
        {"set", {"world.seed=2"}},
        {"datagrams", 10},
        {"per_second", 5},
        {"oversize_per_second", 1},
        {"oversize_s", 1},
        {"sources", 3},
        {"replays_per_second", 1},
        {"quiet_s", 1},
        {"seed", 2}},
       {{{"datagrams", 0}}, {{"per_second", 0}}, {{"sources", 201}}, {{"quiet_s", -1}}, {{"oversize_per_second", -1}}}},
      {"killed-joining", {{"kills", 3}, {"most_datagrams", 2}, {"seed", 4}}, {{{"kills", 0}}, {{"most_datagrams", 0}}}},
      {"clock-step", {{"steps", {3600, 0}}, {"interval_s", 1}}, {{{"steps", Json::array()}}, {{"steps", {"an hour"}}}}},
      {"stopped", {{"who", "server"}, {"seconds", 1}, {"stopped_clients", 1}}, {{{"who", "swarm"}}, {{"seconds", 0}}}},
      {"second-server", {{"clients", 2}}, {{{"clients", "two"}}}},
      {"refused",
       {{"refused_clients", 5}, {"protocol_version", 7}},
       {{{"refused_clients", 0}}, {{"protocol_version", 70'000}}}},
      {"ratios",
       {{"filter", "x"}, {"limit_s", 5}, {"worst", {{"a", "b.*"}}}},
       {{{"worst", {{"a", "("}}}}, {{"worst", "x"}}}},
      {"fuzz", {{"seconds", 1}, {"at_once", 1}, {"binaries", "b"}}, {{{"seconds", 0}}, {{"at_once", 0}}}},
      {"run",
       {{"clients", 2}, {"seconds", 1}, {"transport", "t"}, {"codec", "c"}, {"set", {"a.b=c"}}},
       {{{"tries", 9}}}}};
}

TEST(CheckKind, TakesWhatIsSoundAndRefusesWhatIsNot) {
  for (const KindCase& kindCase : KindCases()) {
    const auto sound = Parse(kindCase.kind, kindCase.sound);
    EXPECT_TRUE(sound) << kindCase.kind << ": " << sound.Failure().ToString();
    for (const Json& patch : kindCase.unsound) {
      Json parameters = kindCase.sound;
      parameters.merge_patch(patch);
      const auto unsound = Parse(kindCase.kind, parameters);
      ASSERT_FALSE(unsound) << kindCase.kind << patch;
      EXPECT_EQ(unsound.Failure().code, kCheckListMalformed) << kindCase.kind << patch;
    }
    Json unknown = kindCase.sound;
    unknown["nonsense"] = 1;
    const auto refused = Parse(kindCase.kind, unknown);
    ASSERT_FALSE(refused) << kindCase.kind;
    EXPECT_EQ(refused.Failure().code, kCheckUnknownKey) << kindCase.kind;
  }
}

TEST(CheckKind, WantsWhatTheSwarmNeedsTooInItsOwnKey) {
  for (const char* setting : {"network.transport=t", "plugins.codec=c", "no equals sign"}) {
    EXPECT_FALSE(Parse("run", {{"set", {setting}}})) << setting;
  }
}

/// Checks that run programs of a build tree, which here are scripts.
class ToolChecks : public muster::test::TemporaryDirectoryTest {
 protected:
  void Script(const fs::path& path, const std::string& body) const {
    fs::create_directories((Directory() / path).parent_path());
    ASSERT_TRUE(WriteFileAtomically(Directory() / path, "#!/bin/sh\n" + body + "\n"));
    fs::permissions(Directory() / path, fs::perms::owner_all);
  }

  std::map<std::string, Figure> Measure(const char* kind, const Json& parameters) {
    auto list = Parse(kind, parameters);
    EXPECT_TRUE(list) << list.Failure().ToString();
    const Places places{.build = Directory(), .source = Directory()};
    const StopFlag stop{false};
    const CheckContext context{
        .places = places, .stop = stop, .say = [this](const std::string& line) { said += line + "\n"; }};
    auto figures = list->checks.front().check->Measure(context);
    failure = figures ? std::optional<Error>{} : figures.Failure();
    std::map<std::string, Figure> byName;
    for (const Figure& figure : figures ? *figures : std::vector<Figure>{}) {
      byName[figure.name] = figure;
    }
    return byName;
  }

  static double NumberOf(const Figure& figure) { return figure.value ? std::get<double>(*figure.value) : -1; }

  std::string said;
  std::optional<Error> failure;
};

TEST_F(ToolChecks, FuzzCountsWhatTargetsFindAndHowLongTheyRan) {
  const std::string done = "echo 'Done 500 runs in 7 second(s)' >&2";
  Script("bin/GoodFuzzer", "for corpus; do :; done; [ -f \"$corpus/seed\" ] || exit 3; " + done);
  Script("bin/ShortFuzzer", "echo 'Done 20 runs in 2 second(s)' >&2");
  Script("bin/BadFuzzer",
         "for a in \"$@\"; do case $a in -artifact_prefix=*) echo x > \"${a#*=}crash-1\" ;; esac; done; "
         "echo 'SUMMARY: AddressSanitizer: heap-buffer-overflow' >&2; exit 77");
  Script("bin/LeavingFuzzer", "exit 0");
  Script("bin/not-a-target", "exit 0");
  fs::create_directories(Directory() / "Tests/Fuzz/Corpus/Good");
  ASSERT_TRUE(WriteFileAtomically(Directory() / "Tests/Fuzz/Corpus/Good/seed", std::string_view{"seed"}));

  auto figures = Measure("fuzz", {{"seconds", 1}, {"at_once", 2}, {"binaries", "bin"}});
  ASSERT_FALSE(failure) << failure->ToString();
  EXPECT_EQ(NumberOf(figures["targets"]), 4) << said;
  EXPECT_EQ(NumberOf(figures["findings"]), 2) << "a crash, and a target that ended before its time\n" << said;
  EXPECT_EQ(NumberOf(figures["executions"]), 520);
  EXPECT_EQ(NumberOf(figures["shortest"]), 2);
  EXPECT_NE(said.find("heap-buffer-overflow"), std::string::npos) << said;
  EXPECT_TRUE(fs::exists(Directory() / "Reports/Fuzz/BadFuzzer/crash-1"));
}

TEST_F(ToolChecks, FuzzWithoutTargetsShowsNothing) {
  fs::create_directories(Directory() / "bin");
  Measure("fuzz", {{"seconds", 1}, {"binaries", "bin"}});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, kFixtureMissing);
}

TEST_F(ToolChecks, RatiosAreThoseOfTheBenchmarksReport) {
  Script("bin/muster-bench",
         "[ \"$3 $4\" = '--filter spatial' ] || exit 9\n"
         "echo '{\"ratios\": [{\"name\": \"hit\", \"value\": 0.5}, {\"name\": \"peer\", \"value\": null}]}' > \"$2\"; "
         "exit 4");
  auto figures = Measure("ratios", {{"filter", "spatial"}});
  ASSERT_FALSE(failure) << failure->ToString();
  EXPECT_EQ(NumberOf(figures["hit"]), 0.5);
  EXPECT_FALSE(figures["peer"].value) << "what was not measured meets no bar";
  EXPECT_EQ(NumberOf(figures["exit"]), 4);
}

TEST_F(ToolChecks, RatiosWithoutAReportAreAFailure) {
  Script("bin/muster-bench", "echo 'no such benchmark' >&2; exit 2");
  Measure("ratios", {{"filter", "spatial"}});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, kProcessEnded);
  EXPECT_NE(failure->cause.find("no such benchmark"), std::string::npos) << failure->ToString();
}

/// Every profile there is.
class Profiles : public ::testing::TestWithParam<const char*> {
 protected:
  static CheckList Load() {
    const Places places{.build = MUSTER_TEST_BINARY_DIR, .source = MUSTER_TEST_SOURCE_DIR};
    auto list = LoadProfile(places, GetParam());
    EXPECT_TRUE(list) << list.Failure().ToString();
    return list ? std::move(*list) : CheckList{};
  }
};

TEST_P(Profiles, IsReadWholeUnderItsName) {
  const CheckList list = Load();
  EXPECT_EQ(list.profile, GetParam());
  EXPECT_FALSE(list.checks.empty());
}

TEST_P(Profiles, HasBarsThatBite) {
  for (const CheckEntry& entry : Load().checks) {
    for (const Bar& bar : entry.bars) {
      const std::string place = entry.id + ": " + bar.figure;
      EXPECT_TRUE(Meets({.name = bar.figure, .value = bar.limit}, bar)) << place;
      EXPECT_FALSE(Meets({.name = bar.figure}, bar)) << place << ", not measured";
      if (const double* const limit = std::get_if<double>(&bar.limit)) {
        const double step = bar.comparison == Comparison::AtLeast ? -0.01 : 0.01;
        EXPECT_FALSE(Meets({.name = bar.figure, .value = *limit + step}, bar)) << place;
        EXPECT_FALSE(Meets({.name = bar.figure, .value = std::string{"text"}}, bar)) << place;
      } else {
        EXPECT_FALSE(Meets({.name = bar.figure, .value = std::get<std::string>(bar.limit) + "!"}, bar)) << place;
      }
    }
  }
}

TEST_P(Profiles, HoldsNoRateAndNoTimeWhenQuick) {
  const std::set<std::string> timings{"verdict",   "min_observed_hz", "dropped_ticks_after_settling",
                                      "generator", "tick_p99_more",   "tick_p99_storm",
                                      "tick_rate", "executions"};
  for (const CheckEntry& entry : Load().checks) {
    for (const Bar& bar : entry.bars) {
      EXPECT_FALSE(entry.isInQuick && timings.contains(bar.figure)) << entry.id << ": " << bar.figure;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gate, Profiles, ::testing::Values("skeleton", "core"),
                         [](const auto& profile) { return std::string{profile.param}; });

}  // namespace
}  // namespace muster::gate::test
