// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CheckList.h"
#include "GateErrors.h"
#include "TestOutcome.h"

#include "Core/Files.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace muster::gate::test {
namespace {

using Json = nlohmann::json;

Json Sound() {
  return Json::parse(R"({
    "schema": 1, "profile": "p", "checks": [
      {"id": "a", "kind": "tests", "shows": "s", "binary": "B", "filter": "F.*", "bars": {"failed": {"equals": 0}}},
      {"id": "b", "kind": "run", "shows": "s", "when": "full", "clients": 2, "bars": {"verdict": {"equals": "held"}}}
    ]})");
}

Error FailureOf(const Json& json) {
  const auto list = ParseCheckList(json.dump());
  EXPECT_FALSE(list) << "nothing was wrong";
  return list ? Error{} : list.Failure();
}

TEST(CheckList, ReadsWhatIsSound) {
  const auto list = ParseCheckList(Sound().dump());
  ASSERT_TRUE(list) << list.Failure().ToString();
  EXPECT_EQ(list->profile, "p");
  ASSERT_EQ(list->checks.size(), 2u);
  EXPECT_TRUE(list->checks[0].IsIn(Depth::Quick));
  EXPECT_TRUE(list->checks[0].IsIn(Depth::Full));
  EXPECT_FALSE(list->checks[1].IsIn(Depth::Quick));
  EXPECT_TRUE(list->checks[1].IsIn(Depth::Full));
  ASSERT_EQ(list->checks[0].bars.size(), 1u);
  EXPECT_EQ(list->checks[0].bars[0].figure, "failed");
}

TEST(CheckList, RefusesAnUnknownKeyByItsName) {
  Json json = Sound();
  json["checks"][0]["filtre"] = "x";
  const Error error = FailureOf(json);
  EXPECT_EQ(error.code, kCheckUnknownKey);
  EXPECT_NE(error.sentence.find("filtre"), std::string::npos) << error.ToString();
  EXPECT_NE(error.cause.find("filter"), std::string::npos) << error.ToString();

  Json top = Sound();
  top["profil"] = "q";
  EXPECT_EQ(FailureOf(top).code, kCheckUnknownKey);
}

TEST(CheckList, RefusesAMisspeltComparison) {
  Json json = Sound();
  json["checks"][0]["bars"]["failed"] = {{"at_mots", 0}};
  const Error error = FailureOf(json);
  EXPECT_EQ(error.code, kCheckListMalformed);
  EXPECT_NE(error.cause.find("at_mots"), std::string::npos) << error.ToString();
}

TEST(CheckList, RefusesACheckThatCannotFail) {
  for (const Json& bars : {Json(nullptr), Json::object(), Json::array(), Json{{"failed", Json::object()}}}) {
    Json json = Sound();
    json["checks"][0]["bars"] = bars;
    EXPECT_EQ(FailureOf(json).code, kCheckListMalformed) << bars;
  }
  Json without = Sound();
  without["checks"][0].erase("bars");
  EXPECT_EQ(FailureOf(without).code, kCheckListMalformed);
}

TEST(CheckList, RefusesALimitOfTheWrongKind) {
  Json json = Sound();
  json["checks"][0]["bars"]["failed"] = {{"at_most", "0"}};
  EXPECT_EQ(FailureOf(json).code, kCheckListMalformed);
}

TEST(CheckList, RefusesAnUnknownKindAndListsThoseThereAre) {
  Json json = Sound();
  json["checks"][0]["kind"] = "runn";
  const Error error = FailureOf(json);
  EXPECT_EQ(error.code, kCheckListMalformed);
  EXPECT_NE(error.cause.find("named-errors"), std::string::npos) << error.ToString();
}

TEST(CheckList, RefusesMissingAndWrongParameters) {
  Json missing = Sound();
  missing["checks"][0].erase("filter");
  EXPECT_EQ(FailureOf(missing).code, kCheckListMalformed);
  Json wrong = Sound();
  wrong["checks"][1]["clients"] = "two";
  EXPECT_EQ(FailureOf(wrong).code, kCheckListMalformed);
  Json half = Sound();
  half["checks"][1]["clients"] = 2.5;
  EXPECT_EQ(FailureOf(half).code, kCheckListMalformed);
}

TEST(CheckList, RefusesOneIdTwice) {
  Json json = Sound();
  json["checks"][1]["id"] = "a";
  EXPECT_EQ(FailureOf(json).code, kCheckListMalformed);
}

TEST(CheckList, RefusesAnEmptyListAndWhatIsNoJson) {
  Json json = Sound();
  json["checks"] = Json::array();
  EXPECT_EQ(FailureOf(json).code, kCheckListMalformed);
  EXPECT_FALSE(ParseCheckList("{"));
  EXPECT_FALSE(ParseCheckList("[]"));
}

class SkeletonProfile : public ::testing::Test {
 protected:
  static Json Text() {
    const auto text = ReadTextFile(MUSTER_TEST_SOURCE_DIR "/Tests/Load/skeleton.json", 1 << 20);
    EXPECT_TRUE(text);
    return Json::parse(*text, nullptr, true, /*ignore_comments=*/true);
  }
};

TEST_F(SkeletonProfile, HasABarForEveryNamedError) {
  const Json text = Text();
  for (const Json& check : text["checks"]) {
    if (check["kind"] == "named-errors") {
      std::set<std::string> names;
      for (const Json& errorCase : check["cases"]) {
        EXPECT_TRUE(check["bars"].contains(errorCase["name"])) << errorCase["name"];
        EXPECT_TRUE(names.insert(errorCase["name"]).second) << errorCase["name"] << " stands twice";
      }
      EXPECT_EQ(names.size(), check["bars"].size());
    }
  }
}

TEST_F(SkeletonProfile, HoldsEveryTestSuiteAgainstFailuresAndSkips) {
  const Json text = Text();
  for (const Json& check : text["checks"]) {
    if (check["kind"] == "tests") {
      for (const char* figure : {"passed", "failed", "skipped", "exit"}) {
        EXPECT_TRUE(check["bars"].contains(figure)) << check["id"] << " " << figure;
      }
    }
  }
}

TEST(Profile, IsUnknownWithTheNamesOfThoseThereAre) {
  const Places places{.build = MUSTER_TEST_BINARY_DIR, .source = MUSTER_TEST_SOURCE_DIR};
  for (const char* name : {"skelton", "../Load/skeleton", ""}) {
    const auto list = LoadProfile(places, name);
    ASSERT_FALSE(list) << name;
    EXPECT_EQ(list.Failure().code, kProfileUnknown);
    EXPECT_NE(list.Failure().cause.find("skeleton"), std::string::npos);
  }
}

TEST(TestReport, CountsPassedFailedAndSkipped) {
  const auto outcome = ParseTestReport(R"({"testsuites": [{"testsuite": [
    {"name": "A", "classname": "S", "status": "RUN", "result": "COMPLETED"},
    {"name": "B", "classname": "S", "status": "RUN", "result": "COMPLETED", "failures": [{"failure": "x"}]},
    {"name": "C", "classname": "S", "status": "RUN", "result": "SKIPPED"},
    {"name": "D", "classname": "S", "status": "NOTRUN", "result": "SUPPRESSED"}]}]})");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->passed, 1u);
  EXPECT_EQ(outcome->failed, 1u);
  EXPECT_EQ(outcome->skipped, 2u);
  ASSERT_EQ(outcome->failedNames.size(), 1u);
  EXPECT_EQ(outcome->failedNames[0], "S.B");
}

TEST(TestReport, OfNoTestIsAFailure) {
  for (const char* text : {R"({"tests": 0, "testsuites": []})", "", "[]", R"({"testsuites": [{"testsuite": []}]})"}) {
    const auto outcome = ParseTestReport(text);
    ASSERT_FALSE(outcome) << text;
    EXPECT_EQ(outcome.Failure().code, kTestsNotRun);
  }
}

}  // namespace
}  // namespace muster::gate::test
