// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/CallGuard.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "HostServices.h"
#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

/// A host whose error service a pretended plugin can use.
class GuardedCalls : public ::testing::Test {
 protected:
  mu_status Fail(mu_status status, std::string_view sentence) {
    const auto* error =
        static_cast<const mu_host_error_v0*>(m_services.Host()->service(m_services.Host()->context, MU_HOST_ERROR_V0));
    error->set(m_services.Host()->context, mu_text{sentence.data(), sentence.size()});
    return status;
  }

  StderrSink m_sink{LogLevel::Error};
  ManualClock m_clock;
  SpatialService m_spatial;
  GenerationServices m_services{Logger{m_sink, "plugin"}, m_clock, m_spatial, {}, 1000};
};

TEST_F(GuardedCalls, FirstFailureIsKeptWithFunctionAndSentence) {
  CallGuard guard{"x.a 1.0.0"};
  EXPECT_FALSE(guard.IsTripped());
  EXPECT_EQ(guard.Call("rebuild", [&] { return Fail(MU_E_EXCEPTION, "broken glass"); }), MU_E_EXCEPTION);
  EXPECT_EQ(guard.Call("query_ids", [&] { return Fail(MU_E_FAILED, "later"); }), MU_E_FAILED);
  ASSERT_TRUE(guard.IsTripped());
  EXPECT_EQ(guard.Failures(), 2u);
  const Error error = guard.FirstFailure();
  EXPECT_EQ(error.code, kPluginException);
  EXPECT_NE(error.sentence.find("x.a 1.0.0"), std::string::npos);
  EXPECT_NE(error.sentence.find("rebuild"), std::string::npos);
  EXPECT_NE(error.cause.find("broken glass"), std::string::npos);
}

TEST_F(GuardedCalls, ErrorStatusThatIsNoExceptionHasItsOwnCode) {
  CallGuard guard{"x.a"};
  (void)guard.Call("think", [] { return MU_E_FAILED; });
  EXPECT_EQ(guard.FirstFailure().code, kPluginCallFailed);
  EXPECT_NE(guard.FirstFailure().cause.find("left no sentence"), std::string::npos);
  CallGuard unknown{"x.a"};
  (void)unknown.Call("think", [] { return -77; });
  EXPECT_NE(unknown.FirstFailure().cause.find("unknown status (-77)"), std::string::npos);
  CallGuard positive{"x.a"};
  (void)positive.Call("think", [] { return 1; });
  EXPECT_TRUE(positive.IsTripped()) << "there are no positive statuses";
}

TEST_F(GuardedCalls, AnswersAboutBytesAndPeersDoNotTrip) {
  CallGuard guard{"x.a"};
  for (const mu_status status : {MU_OK, MU_E_NOT_SUPPORTED, MU_E_BUFFER_TOO_SMALL, MU_E_MALFORMED, MU_E_TRUNCATED,
                                 MU_E_WOULD_FRAGMENT, MU_E_BACKLOG, MU_E_NOT_CONNECTED, MU_E_ADDRESS_IN_USE}) {
    EXPECT_EQ(guard.Call("decode", [status] { return status; }), status);
  }
  EXPECT_FALSE(guard.IsTripped());
}

TEST_F(GuardedCalls, SentenceOfAnEarlierCallIsForgotten) {
  CallGuard guard{"x.a"};
  (void)guard.Call("decode", [&] { return Fail(MU_E_MALFORMED, "stale"); });
  (void)guard.Call("rebuild", [] { return MU_E_FAILED; });
  EXPECT_EQ(guard.FirstFailure().cause.find("stale"), std::string::npos);
}

TEST_F(GuardedCalls, CallWithoutStatusFailsByItsSentence) {
  CallGuard guard{"x.a"};
  guard.CallVoid("flush", [] {});
  EXPECT_FALSE(guard.IsTripped());
  guard.CallVoid("flush", [&] { Fail(MU_E_EXCEPTION, "flush broke"); });
  EXPECT_TRUE(guard.IsTripped());
  EXPECT_NE(guard.FirstFailure().cause.find("flush broke"), std::string::npos);
}

TEST_F(GuardedCalls, LongSentencesAreCut) {
  CallGuard guard{"x.a"};
  (void)guard.Call("rebuild", [&] { return Fail(MU_E_FAILED, std::string(100000, 'x')); });
  EXPECT_LT(guard.FirstFailure().cause.size(), 1000u);
}

TEST_F(GuardedCalls, CountsAllThreadsAndKeepsEachOnesSentenceApart) {
  CallGuard guard{"x.a"};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::string own = "thread " + std::to_string(t);
      for (int i = 0; i < 1000; ++i) {
        (void)guard.Call("think", [&] { return Fail(MU_E_FAILED, own); });
        EXPECT_EQ(LastSentence(), own);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(guard.Failures(), 4000u);
}

TEST(StatusName, IsDifferentForEachStatus) {
  std::set<std::string_view> names;
  for (mu_status status = MU_E_STATE; status <= MU_OK; ++status) {
    names.insert(StatusName(status));
  }
  EXPECT_EQ(names.size(), 14u);
  EXPECT_EQ(names.count("unknown status"), 0u);
}

}  // namespace
}  // namespace muster::plugins
