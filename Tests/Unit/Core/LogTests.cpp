// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Log.h"
#include "Core/LogThrottle.h"
#include "Support/TemporaryDirectoryTest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace muster {
namespace {

using namespace std::chrono_literals;

class FileSinkTest : public test::TemporaryDirectoryTest {};

TEST(Logger, FormatsWithItsComponentAndLevel) {
  MemorySink sink;
  const Logger log(sink, "Link");
  log.Info("{} peers on port {}", 3, 7777);
  log.For("Server").Error("stopped");
  const auto entries = sink.Entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].text, "3 peers on port 7777");
  EXPECT_EQ(entries[0].component, "Link");
  EXPECT_EQ(entries[0].level, LogLevel::Info);
  EXPECT_EQ(entries[1].component, "Server");
  EXPECT_EQ(entries[1].level, LogLevel::Error);
}

TEST(Logger, DropsWhatIsBelowTheSinksLevelWhichMayChange) {
  MemorySink sink(LogLevel::Warning);
  const Logger log(sink, "Test");
  log.Trace("no");
  log.Debug("no");
  log.Info("no");
  log.Warning("yes");
  EXPECT_FALSE(log.IsEnabled(LogLevel::Info));
  sink.SetLevel(LogLevel::Debug);
  EXPECT_TRUE(log.IsEnabled(LogLevel::Debug));
  log.Trace("no");
  log.Debug("yes");
  EXPECT_EQ(sink.Entries().size(), 2u);
}

TEST(Logger, KeepsAHostileNameOnOneLine) {
  MemorySink sink;
  const Logger log(sink, "Sessions");
  log.Info("'{}' joined", "eve\n2026-01-01T00:00:00.000Z error Server: pwned\x1b[2J");
  ASSERT_EQ(sink.Entries().size(), 1u);
  EXPECT_EQ(sink.Entries()[0].text, "'eve\\n2026-01-01T00:00:00.000Z error Server: pwned\\x1b[2J' joined");
}

TEST(Logger, TakesBracesInReadyTextAsTheyAre) {
  MemorySink sink;
  Logger(sink, "Plugin").WriteText(LogLevel::Info, "{} {0:x}");
  EXPECT_TRUE(sink.Contains("{} {0:x}"));
}

TEST(FormatLogLine, StampsUtcWithMilliseconds) {
  LogRecord record;
  record.time = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'772'530'203'045));
  record.level = LogLevel::Warning;
  record.component = "Link";
  record.text = "text";
  EXPECT_EQ(FormatLogLine(record), "2026-03-03T09:30:03.045Z warning Link: text");
  record.time = std::chrono::system_clock::time_point(-1ms);
  EXPECT_EQ(FormatLogLine(record), "1969-12-31T23:59:59.999Z warning Link: text");
}

TEST(MemorySink, KeepsTheNewestUpToItsCapacity) {
  MemorySink sink(LogLevel::Trace, 3);
  const Logger log(sink, "Test");
  for (int i = 0; i < 10; ++i) {
    log.Info("{}", i);
  }
  const auto entries = sink.Entries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries.front().text, "7");
  EXPECT_EQ(entries.back().text, "9");
}

TEST(TeeSink, GivesEachSinkWhatItsLevelTakes) {
  MemorySink all;
  MemorySink errors(LogLevel::Error);
  TeeSink tee({&all, &errors});
  const Logger log(tee, "Test");
  log.Info("small");
  log.Error("big");
  EXPECT_EQ(all.Entries().size(), 2u);
  ASSERT_EQ(errors.Entries().size(), 1u);
  EXPECT_EQ(errors.Entries()[0].text, "big");
}

TEST(StderrSink, WritesWholeLinesThatPassItsLevel) {
  ::testing::internal::CaptureStderr();
  StderrSink sink(LogLevel::Info);
  const Logger log(sink, "Test");
  log.Debug("hidden");
  log.Info("shown");
  const std::string written = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(written.find(" info Test: shown\n"), std::string::npos);
  EXPECT_EQ(written.find("hidden"), std::string::npos);
}

TEST_F(FileSinkTest, AppendsWholeLinesFromManyThreads) {
  const std::string path = (Directory() / "muster.log").string();
  {
    FileSink first(path);
    Logger(first, "Test").Info("first run");
  }
  FileSink sink(path);
  ASSERT_TRUE(sink.IsOpen());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&sink, thread] {
      const Logger log(sink, "Test");
      for (int line = 0; line < 200; ++line) {
        log.Info("thread {} line {}.", thread, line);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const Result<std::string> text = ReadTextFile(path, 1 << 20);
  ASSERT_TRUE(text);
  EXPECT_EQ(std::count(text->begin(), text->end(), '\n'), 801);
  EXPECT_NE(text->find("Test: first run\n"), std::string::npos);
  for (int thread = 0; thread < 4; ++thread) {
    EXPECT_NE(text->find(fmt::format(" info Test: thread {} line 199.\n", thread)), std::string::npos);
  }
  EXPECT_EQ(sink.LostLines(), 0u);
}

TEST_F(FileSinkTest, CountsWhatItCannotWrite) {
  FileSink sink((Directory() / "missing" / "muster.log").string());
  EXPECT_FALSE(sink.IsOpen());
  Logger(sink, "Test").Info("lost");
  EXPECT_EQ(sink.LostLines(), 1u);
}

TEST(LogThrottle, LetsSomeThroughASecondAndTellsHowManyItHeldBack) {
  ManualClock clock;
  MemorySink sink;
  const Logger log(sink, "Link");
  LogThrottle throttle(clock, 2);
  for (int i = 0; i < 10; ++i) {
    throttle.Log(log, LogLevel::Warning, 1, "bad packet {}", i);
  }
  EXPECT_EQ(sink.Entries().size(), 2u);
  clock.Advance(999ms);
  throttle.Log(log, LogLevel::Warning, 1, "still");
  EXPECT_EQ(sink.Entries().size(), 2u);
  clock.Advance(1ms);
  throttle.Log(log, LogLevel::Warning, 1, "again");
  ASSERT_EQ(sink.Entries().size(), 3u);
  EXPECT_EQ(sink.Entries()[2].text, "again (9 suppressed)");
  throttle.Log(log, LogLevel::Warning, 1, "and again");
  EXPECT_EQ(sink.Entries()[3].text, "and again");
}

TEST(LogThrottle, CountsKeysApart) {
  ManualClock clock;
  LogThrottle throttle(clock, 1);
  EXPECT_TRUE(throttle.Admit(1));
  EXPECT_TRUE(throttle.Admit(2));
  EXPECT_FALSE(throttle.Admit(1));
  EXPECT_FALSE(throttle.Admit(2));
}

TEST(LogThrottle, DoesNotGrowWithKeysFromOutside) {
  ManualClock clock;
  LogThrottle throttle(clock, 1, 8);
  int admitted = 0;
  for (std::uint64_t key = 0; key < 100'000; ++key) {
    admitted += throttle.Admit(key) ? 1 : 0;
  }
  EXPECT_EQ(admitted, 9) << "eight of their own and one that all others share";
  clock.Advance(1s);
  EXPECT_EQ(throttle.Admit(500'000), 0u) << "an idle place is given away";
}

TEST(LogThrottle, SpendsNothingOnLevelsNobodyReads) {
  ManualClock clock;
  MemorySink sink(LogLevel::Error);
  LogThrottle throttle(clock, 1);
  throttle.Log(Logger(sink, "Test"), LogLevel::Debug, 1, "hidden");
  sink.SetLevel(LogLevel::Debug);
  throttle.Log(Logger(sink, "Test"), LogLevel::Debug, 1, "shown");
  ASSERT_EQ(sink.Entries().size(), 1u);
  EXPECT_EQ(sink.Entries()[0].text, "shown");
}

}  // namespace
}  // namespace muster
