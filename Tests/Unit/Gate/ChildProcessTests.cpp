// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ChildProcess.h"
#include "GateErrors.h"
#include "ThreadTimes.h"

#include <gtest/gtest.h>

#include <sys/types.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>

namespace muster::gate::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ChildProcess Shell(const std::string& script, bool hasInput = false) {
  auto child = ChildProcess::Start({.program = "sh", .arguments = {"-c", script}, .hasInput = hasInput});
  EXPECT_TRUE(child) << child.Failure().ToString();
  return std::move(child).Value();
}

bool IsGone(pid_t process) {
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

TEST(ChildProcess, GivesOutputAndStatusOfAProgramThatEnds) {
  ChildProcess child = Shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(child.WaitFor(seconds{10}), 7);
  EXPECT_EQ(child.Output(), "out\n");
  EXPECT_EQ(child.ErrorText(), "err\n");
  EXPECT_EQ(child.ExitStatus(), 7);
}

TEST(ChildProcess, SaysWhichProgramCouldNotBeStarted) {
  const auto child = ChildProcess::Start({.program = "/nowhere/muster-nothing"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.Failure().code, kProcessNotStarted);
  EXPECT_NE(child.Failure().sentence.find("muster-nothing"), std::string::npos);
}

TEST(ChildProcess, AnswersOnItsStandardInput) {
  ChildProcess child = Shell("read line; echo \"got $line\"", true);
  EXPECT_TRUE(child.WriteLine("hello"));
  EXPECT_EQ(child.WaitFor(seconds{10}), 0);
  EXPECT_EQ(child.Output(), "got hello\n");
}

TEST(ChildProcess, ReadsNothingWithoutAnInput) {
  ChildProcess child = Shell("read line; echo \"end $?\"");
  EXPECT_EQ(child.WaitFor(seconds{10}), 0);
  EXPECT_EQ(child.Output(), "end 1\n");
}

TEST(ChildProcess, TellsASignalFromAStatus) {
  ChildProcess child = Shell("kill -ABRT $$");
  EXPECT_EQ(child.WaitFor(seconds{10}), 128 + SIGABRT);
}

TEST(ChildProcess, IsOverWhenItsOwnerGoes) {
  pid_t process = -1;
  {
    ChildProcess child = Shell("exec sleep 60");
    process = child.Id();
    EXPECT_FALSE(child.ExitStatus());
  }
  EXPECT_TRUE(IsGone(process));
}

TEST(ChildProcess, IsOverEvenWhenItDoesNotListen) {
  pid_t process = -1;
  {
    ChildProcess child = Shell("trap '' TERM; echo deaf; while :; do sleep 0.05; done");
    process = child.Id();
    while (child.Output().empty()) {
      child.Pump(milliseconds{50});
    }
  }
  EXPECT_TRUE(IsGone(process));
}

TEST(ChildProcess, IsOverOnceWhenItWasMoved) {
  ChildProcess first = Shell("exec sleep 60");
  const pid_t process = first.Id();
  ChildProcess second = std::move(first);
  EXPECT_EQ(second.Id(), process);
  EXPECT_FALSE(second.ExitStatus());
  second = Shell("exit 3");
  EXPECT_TRUE(IsGone(process));
  EXPECT_EQ(second.WaitFor(seconds{10}), 3);
}

TEST(ChildProcess, SeesTheEnvironmentItWasGiven) {
  auto child = ChildProcess::Start({.program = "sh",
                                    .arguments = {"-c", "echo $MUSTER_GATE_TEST $PWD"},
                                    .directory = "/",
                                    .environment = {"MUSTER_GATE_TEST=yes"}});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->WaitFor(seconds{10}), 0);
  EXPECT_EQ(child->Output(), "yes /\n");
}

TEST(ThreadTimes, AreThereForALivingProcessAndNotForNobody) {
  EXPECT_FALSE(ReadThreadTimes(::getpid()).empty());
  EXPECT_TRUE(ReadThreadTimes(999'999'999).empty());
}

TEST(ThreadTimes, ShareIsThatOfTheThreadThatWaitedMost) {
  const ThreadTimes before{{1, {milliseconds{5}, milliseconds{10}}}, {2, {milliseconds{0}, milliseconds{0}}}};
  const ThreadTimes after{{1, {milliseconds{50}, milliseconds{110}}},
                          {2, {milliseconds{50}, milliseconds{30}}},
                          {3, {milliseconds{50}, milliseconds{900}}}};
  EXPECT_DOUBLE_EQ(LargestWaitShare(before, after, seconds{1}), 0.1);
  EXPECT_EQ(LargestWaitShare({}, after, seconds{1}), 0.0);
  EXPECT_EQ(LargestWaitShare(before, after, seconds{0}), 0.0);
}

}  // namespace
}  // namespace muster::gate::test
