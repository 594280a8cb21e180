// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "tests": runs chosen tests of a test binary in the build tree. A filter that selects nothing, a test that is
// skipped or disabled, and a binary that does not end all keep it from passing. Figures: "passed", "failed", "skipped".
#include "CheckKinds.h"

#include "GateErrors.h"
#include "ServerProcess.h"
#include "TestOutcome.h"
#include "ToolRun.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <utility>

namespace muster::gate {

namespace {

constexpr std::size_t kMaxReportBytes = 16 << 20;

class TestsCheck final : public ICheck {
 public:
  TestsCheck(std::string binary, std::string filter, double limitSeconds)
      : m_binary(std::move(binary)), m_filter(std::move(filter)), m_limitSeconds(limitSeconds) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto directory = TemporaryDirectory::Create("muster-gate");
    if (!directory) {
      return std::move(directory).Failure();
    }
    const auto report = directory->Path() / "tests.json";
    const auto ending = RunTool(
        context,
        {.program = context.places.build / "tests" / m_binary,
         .arguments = {"--gtest_filter=" + m_filter, "--gtest_color=no", "--gtest_output=json:" + report.string()},
         .directory = context.places.build},
        m_limitSeconds);
    if (!ending) {
      return ending.Failure();
    }
    const auto text = ReadTextFile(report, kMaxReportBytes);
    if (!text) {
      return Error{kTestsNotRun, fmt::format("{} ended with status {} and no report.", m_binary, ending->status),
                   LastLines(ending->output + ending->errors, 3), "Run it by hand."};
    }
    const auto outcome = ParseTestReport(*text);
    if (!outcome) {
      return outcome.Failure();
    }
    for (const std::string& name : outcome->failedNames) {
      context.say("failed: " + name);
    }
    return std::vector<Figure>{{.name = "passed", .value = static_cast<double>(outcome->passed)},
                               {.name = "failed", .value = static_cast<double>(outcome->failed)},
                               {.name = "skipped", .value = static_cast<double>(outcome->skipped)},
                               {.name = "exit", .value = static_cast<double>(ending->status)}};
  }

 private:
  std::string m_binary;
  std::string m_filter;
  double m_limitSeconds;
};

}  // namespace

std::unique_ptr<ICheck> MakeTestsCheck(StrictObject& parameters) {
  std::string binary = parameters.Text("binary");
  std::string filter = parameters.Text("filter");
  if (binary.find('/') != std::string::npos) {
    parameters.Refuse("\"binary\" is the name of a program in the build tree's tests folder.");
  }
  return std::make_unique<TestsCheck>(std::move(binary), std::move(filter), parameters.Number("limit_s", 300));
}

}  // namespace muster::gate
