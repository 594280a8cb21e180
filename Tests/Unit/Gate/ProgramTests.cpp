// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The programs themselves: a bar that nothing can meet must make the gate fail, and only that.
#include "ChildProcess.h"

#include "Core/Files.h"
#include "Support/TemporaryDirectoryTest.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace muster::gate::test {
namespace {

using Json = nlohmann::json;

struct Ending {
  int status = -1;
  std::string output;
  std::string errors;
};

class Programs : public muster::test::TemporaryDirectoryTest {
 protected:
  static Ending Run(const char* program, std::vector<std::string> arguments) {
    auto child = ChildProcess::Start({.program = std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "bin" / program,
                                      .arguments = std::move(arguments)});
    EXPECT_TRUE(child) << child.Failure().ToString();
    const auto status = child->WaitFor(std::chrono::seconds{60});
    return {status.value_or(-1), child->Output(), child->ErrorText()};
  }

  /// A list with one real check that takes a few seconds, and this bar on what it measures.
  [[nodiscard]] std::string ListWithBar(const Json& bar) const {
    Json list = Json::parse(R"({
      "schema": 1, "profile": "try", "checks": [{
        "id": "errors", "kind": "named-errors", "shows": "a missing plugin is named",
        "cases": [{"name": "missing plugin", "program": "muster-server",
                   "arguments": ["--no-console", "--port", "0", "--set", "plugins.codec=nothing"]}]}]})");
    list["checks"][0]["bars"]["missing plugin"] = bar;
    const auto path = Directory() / "list.json";
    EXPECT_TRUE(WriteFileAtomically(path, list.dump()));
    return path.string();
  }

  Ending RunGate(const std::string& list) const {
    return Run("muster-gate", {"try", "--data", list, "--json", Report().string()});
  }
  [[nodiscard]] std::filesystem::path Report() const { return Directory() / "report.json"; }
  [[nodiscard]] Json ReadReport() const {
    return Json::parse(ReadTextFile(Report(), 1 << 20).ValueOr(std::string{"{}"}));
  }
};

TEST_F(Programs, GatePassesAndSaysSoInItsReport) {
  const Ending ending = RunGate(ListWithBar({{"equals", "MU1105 NoProvider"}}));
  EXPECT_EQ(ending.status, 0) << ending.output << ending.errors;
  EXPECT_EQ(ReadReport()["passed"], true);
  EXPECT_EQ(ReadReport()["checks"][0]["figures"][0]["met"], true);
}

TEST_F(Programs, GateFailsOnABarThatNothingCanMeet) {
  const Ending ending = RunGate(ListWithBar({{"equals", "MU9999 Impossible"}}));
  EXPECT_EQ(ending.status, 1) << ending.output << ending.errors;
  EXPECT_NE(ending.output.find("MISSED"), std::string::npos) << ending.output;
  EXPECT_EQ(ReadReport()["passed"], false);
  EXPECT_EQ(ReadReport()["checks"][0]["figures"][0]["met"], false);
}

TEST_F(Programs, GateFailsOnABarWhoseFigureIsNotMeasured) {
  Json list = Json::parse(ReadTextFile(ListWithBar({{"equals", "MU1105 NoProvider"}}), 1 << 20).Value());
  list["checks"][0]["bars"]["another"] = {{"at_most", 5}};
  const auto path = Directory() / "another.json";
  ASSERT_TRUE(WriteFileAtomically(path, list.dump()));
  const Ending ending = RunGate(path.string());
  EXPECT_EQ(ending.status, 1);
  EXPECT_NE(ending.output.find("not measured"), std::string::npos) << ending.output;
}

TEST_F(Programs, GateRefusesAListItCannotReadWhole) {
  Json list = Json::parse(ReadTextFile(ListWithBar({{"equals", "x"}}), 1 << 20).Value());
  list["checks"][0]["tresholds"] = 1;
  const auto path = Directory() / "bad.json";
  ASSERT_TRUE(WriteFileAtomically(path, list.dump()));
  const Ending ending = RunGate(path.string());
  EXPECT_EQ(ending.status, 2);
  EXPECT_NE(ending.errors.find("MU3316 CheckUnknownKey"), std::string::npos) << ending.errors;
  EXPECT_NE(ending.errors.find("tresholds"), std::string::npos) << ending.errors;
}

TEST_F(Programs, GateKnowsNoProfileOfAnotherName) {
  const Ending ending = Run("muster-gate", {"skelton"});
  EXPECT_EQ(ending.status, 2);
  EXPECT_NE(ending.errors.find("MU3317 ProfileUnknown"), std::string::npos) << ending.errors;
}

TEST_F(Programs, GateDoesNotPassACheckThatIsNotThere) {
  const Ending ending = Run("muster-gate", {"skeleton", "--only", "nothing"});
  EXPECT_EQ(ending.status, 2) << ending.output;
}

TEST_F(Programs, GateListsTheChecksAndMakesNone) {
  const Ending ending = Run("muster-gate", {"core", "--list", "--json", Report().string()});
  EXPECT_EQ(ending.status, 0) << ending.errors;
  EXPECT_NE(ending.output.find("clock-step"), std::string::npos) << ending.output;
  EXPECT_NE(ending.output.find("fuzz"), std::string::npos) << "those of --full too\n" << ending.output;
  EXPECT_FALSE(std::filesystem::exists(Report()));
}

TEST_F(Programs, GateMeasuresAStormAndItsBarsBite) {
  Json list = Json::parse(R"({
    "schema": 1, "profile": "try", "checks": [{
      "id": "storm", "kind": "storm", "shows": "s", "clients": 2, "agents": 0, "datagrams": 900, "per_second": 3000,
      "oversize_per_second": 100, "oversize_s": 0.2, "sources": 2, "quiet_s": 0.5, "bars": {
        "clients_connected": {"equals": 2}, "honest_disconnects": {"equals": 0},
        "captured_disconnects": {"equals": 0}, "datagrams_sent": {"equals": 900},
        "oversize_sent": {"equals": 20}, "turned_away": {"at_least": 100}, "leftovers": {"equals": "none"},
        "server_exit": {"equals": 0}, "replays_sent": {"at_least": 1000000}}}]})");
  const auto path = Directory() / "storm.json";
  ASSERT_TRUE(WriteFileAtomically(path, list.dump()));
  const Ending ending = RunGate(path.string());
  EXPECT_EQ(ending.status, 1) << ending.output << ending.errors;
  const Json report = ReadReport();
  int judged = 0;
  for (const Json& figure : report["checks"][0]["figures"]) {
    if (!figure["bar"].is_null()) {
      ++judged;
      EXPECT_EQ(figure["met"], figure["name"] != "replays_sent") << figure;
    }
  }
  EXPECT_EQ(judged, 9);
}

TEST_F(Programs, RunOfASwarmThatIsNotLetInIsShort) {
  const Ending ending = Run("muster-gate", {"run", "--clients", "3", "--duration", "4", "--ai", "0", "--set",
                                            "security.max_connections_per_ip=1", "--json", Report().string()});
  EXPECT_EQ(ending.status, 1) << ending.output << ending.errors;
  EXPECT_NE(ending.output.find("verdict: SHORT"), std::string::npos) << ending.output;
  EXPECT_EQ(ReadReport()["verdict"], "short");
  EXPECT_EQ(ReadReport()["tries"].size(), 1u) << "only a machine's fault is tried again";
}

TEST_F(Programs, TopSaysWhatIsWrongWithItsFile) {
  const Ending ending = Run("muster-top", {"--once", "--metrics", (Directory() / "none.json").string()});
  EXPECT_EQ(ending.status, 1);
  EXPECT_NE(ending.errors.find("MU1901 FileNotFound"), std::string::npos) << ending.errors;
}

TEST_F(Programs, TopShowsTheTableOnce) {
  const auto path = Directory() / "metrics.json";
  ASSERT_TRUE(WriteFileAtomically(path, std::string{R"({"tick_hz": 60.0, "peers": 5, "ticks_sampled": 10})"}));
  const Ending ending = Run("muster-top", {"--once", "--metrics", path.string()});
  EXPECT_EQ(ending.status, 0) << ending.errors;
  EXPECT_NE(ending.output.find("60.00 Hz   players 5"), std::string::npos) << ending.output;
  EXPECT_EQ(ending.output.find('\x1b'), std::string::npos) << "no colours where nobody sees them";
}

}  // namespace
}  // namespace muster::gate::test
