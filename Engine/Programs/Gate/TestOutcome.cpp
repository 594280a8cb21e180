// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "TestOutcome.h"

#include "GateErrors.h"

#include <nlohmann/json.hpp>

namespace muster::gate {

namespace {

using Json = nlohmann::json;

void Count(const Json& test, TestOutcome& outcome) {
  if (test.value("status", "") != "RUN" || test.value("result", "") == "SKIPPED") {
    ++outcome.skipped;
  } else if (test.contains("failures")) {
    ++outcome.failed;
    outcome.failedNames.push_back(test.value("classname", "") + "." + test.value("name", ""));
  } else {
    ++outcome.passed;
  }
}

}  // namespace

Result<TestOutcome> ParseTestReport(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  TestOutcome outcome;
  if (json.is_object() && json.contains("testsuites") && json["testsuites"].is_array()) {
    for (const Json& suite : json["testsuites"]) {
      if (suite.is_object() && suite.contains("testsuite") && suite["testsuite"].is_array()) {
        for (const Json& test : suite["testsuite"]) {
          Count(test, outcome);
        }
      }
    }
  }
  if (outcome.passed + outcome.failed + outcome.skipped == 0) {
    return Error{kTestsNotRun, "Not a single test was run.",
                 "The filter selects none, or the report is no test report.",
                 "Correct the filter in the list of checks; the tests' names are those of --gtest_list_tests."};
  }
  return outcome;
}

}  // namespace muster::gate
