// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The suite judged: a transport that breaks one promise must fail it, by the name of that promise.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <ostream>
#include <string>

namespace muster::conformance {
namespace {

struct Verdict {
  int exitStatus = -1;
  std::string output;

  [[nodiscard]] bool Fails(const std::string& promise) const {
    return output.find("[  FAILED  ] Transports/TransportTest." + promise + "/") != std::string::npos;
  }
};

/// This program over the fixture, in a process of its own.
Verdict JudgeTransportWith(const std::string& fault) {
  const std::string program = std::string{MUSTER_TEST_BINARY_DIR} + "/tests/TransportConformanceTests";
  const std::string folder = std::string{MUSTER_TEST_BINARY_DIR} + "/Conformance/WrongTransport";
  const std::string command = "MUSTER_WRONG_TRANSPORT=" + fault + " '" + program + "' --plugin '" + folder + "' 2>&1";
  Verdict verdict;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return verdict;
  }
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    verdict.output.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  verdict.exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return verdict;
}

TEST(TransportSuite, PassesTheFixtureWithoutAFault) {
  const Verdict verdict = JudgeTransportWith("");
  EXPECT_EQ(verdict.exitStatus, 0) << verdict.output;
  EXPECT_NE(verdict.output.find("DeliversReliableMessagesInOrderAndWhole/WrongTransport"), std::string::npos);
}

struct Fault {
  const char* name;
  const char* promise;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

class TransportSuiteRefuses : public testing::TestWithParam<Fault> {};

TEST_P(TransportSuiteRefuses, ATransportWithOneFault) {
  const Verdict verdict = JudgeTransportWith(GetParam().name);
  EXPECT_EQ(verdict.exitStatus, 1) << verdict.output;
  EXPECT_TRUE(verdict.Fails(GetParam().promise)) << verdict.output;
}

INSTANTIATE_TEST_SUITE_P(Faults, TransportSuiteRefuses,
                         testing::Values(Fault{"lose", "DeliversReliableMessagesInOrderAndWhole"},
                                         Fault{"reorder", "DeliversReliableMessagesInOrderAndWhole"},
                                         Fault{"repeat", "DeliversReliableMessagesInOrderAndWhole"},
                                         Fault{"silent-loss", "RefusesAnUnreliableMessageThatDoesNotFitOneDatagram"},
                                         Fault{"wrong-channel", "CarriesBothChannelsBothWays"},
                                         Fault{"cut", "HandsMessagesOverIntactUntilTheNextService"},
                                         Fault{"no-gate", "OffersEveryDatagramToTheGateFirst"},
                                         Fault{"no-backlog",
                                               "RefusesReliableMessagesBeyondTheBacklogAndThenEndsTheConnection"},
                                         Fault{"no-farewell", "TimesOutByTheHostsClock"},
                                         Fault{"no-reason", "DeliversWhatWasQueuedReliablyBeforeTheFarewell"}),
                         [](const auto& fault) {
                           std::string name = fault.param.name;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace muster::conformance
