// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Result.h"
#include "Support/AssertionExpectation.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace muster {
namespace {

constexpr ErrorCode kBroken{1, "Broken"};
constexpr ErrorCode kOther{2, "Other"};

Error Broken() {
  return Error{kBroken, "It broke.", "It was old.", "Buy a new one."};
}

Result<int> Half(int value) {
  if (value % 2 != 0) {
    return Broken();
  }
  return value / 2;
}

TEST(Error, PutsEverythingOnOneLine) {
  EXPECT_EQ(Broken().ToString(), "MU0001 Broken: It broke. Cause: It was old. Do: Buy a new one.");
  EXPECT_EQ((Error{ErrorCode{1103, "CyclicDependency"}, "A needs itself."}.ToString()),
            "MU1103 CyclicDependency: A needs itself.");
}

TEST(Error, EscapesWhatWouldBreakTheLine) {
  EXPECT_EQ((Error{kBroken, "File 'a\nb'."}.ToString()), "MU0001 Broken: File 'a\\nb'.");
}

TEST(Error, IsEqualByNumber) {
  EXPECT_EQ(Broken(), (Error{kBroken, "Said differently."}));
  EXPECT_NE(Broken(), (Error{kOther, "It broke."}));
  EXPECT_EQ(kBroken, (ErrorCode{1, "Renamed"}));
}

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = Half(8);
  ASSERT_TRUE(good);
  EXPECT_TRUE(good.HasValue());
  EXPECT_EQ(*good, 4);
  EXPECT_EQ(good.Value(), 4);

  const Result<int> bad = Half(7);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.Failure().code, kBroken);
  EXPECT_EQ(bad.ValueOr(9), 9);
  EXPECT_EQ(good.ValueOr(9), 4);
}

TEST(Result, AssertsThatTheRightSideIsAskedFor) {
  Result<int> good = 1;
  Result<int> bad = Broken();
  EXPECT_ASSERTION(static_cast<void>(bad.Value()), "value of a failed Result");
  EXPECT_ASSERTION(static_cast<void>(*bad), "value of a failed Result");
  EXPECT_ASSERTION(static_cast<void>(good.Failure()), "error of a Result that holds a value");
  EXPECT_ASSERTION(Result<void>(Broken()).Value(), "value of a failed Result");
  EXPECT_ASSERTION(static_cast<void>(Result<void>().Failure()), "error of a Result that holds a value");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> owner = std::make_unique<int>(5);
  ASSERT_TRUE(owner);
  EXPECT_EQ(**owner, 5);
  const std::unique_ptr<int> taken = std::move(owner).Value();
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(*owner, nullptr);
}

TEST(Result, TakesWhateverConvertsToItsValue) {
  struct Base {
    virtual ~Base() = default;
  };
  struct Derived : Base {};
  const Result<std::unique_ptr<Base>> up = std::make_unique<Derived>();
  EXPECT_NE(*up, nullptr);
  const Result<std::string> text = "letters";
  EXPECT_EQ(text->size(), 7u);
  static_assert(!std::is_convertible_v<Result<int>, Result<bool>>, "a Result is no value of another one");
}

TEST(Result, ChainsStepsUntilOneFails) {
  EXPECT_EQ(*Half(40).AndThen(Half).AndThen(Half), 5);
  int calls = 0;
  const Result<int> stopped = Half(6).AndThen(Half).AndThen([&](int value) {
    ++calls;
    return Half(value);
  });
  EXPECT_EQ(stopped.Failure().code, kBroken);
  EXPECT_EQ(calls, 0);
}

TEST(Result, TransformsValuesAndHandsErrorsOn) {
  EXPECT_EQ(*Half(10).Transform([](int value) { return std::to_string(value); }), "5");
  EXPECT_EQ(Half(9).Transform([](int value) { return std::to_string(value); }).Failure().code, kBroken);
  int seen = 0;
  const Result<void> nothing = Half(10).Transform([&](int value) { seen = value; });
  EXPECT_TRUE(nothing);
  EXPECT_EQ(seen, 5);

  Result<std::vector<int>> list = std::vector<int>{1, 2, 3};
  const int* const storage = list->data();
  const auto moved = std::move(list).Transform([](std::vector<int>&& values) { return std::move(values); });
  EXPECT_EQ(moved->data(), storage) << "a temporary's value is moved, not copied";
}

TEST(ResultOfVoid, IsSuccessByDefault) {
  Result<void> good;
  EXPECT_TRUE(good);
  good.Value();
  EXPECT_EQ(*good.AndThen([] { return Half(2); }), 1);
  EXPECT_EQ(*good.Transform([] { return 7; }), 7);

  const Result<void> bad = Broken();
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.Failure().sentence, "It broke.");
  EXPECT_EQ(bad.AndThen([] { return Half(2); }).Failure().code, kBroken);
  EXPECT_EQ(bad.Transform([] { return 7; }).Failure().code, kBroken);
}

TEST(Assert, EvaluatesItsConditionOnceAndOnlyWhenItIsOn) {
  int evaluations = 0;
  MUSTER_ASSERT(++evaluations > 0, "counts");
  EXPECT_EQ(evaluations, MUSTER_ASSERTS ? 1 : 0);
  MUSTER_ASSERT_ALWAYS(++evaluations > 0, "counts");
  EXPECT_EQ(evaluations, MUSTER_ASSERTS ? 2 : 1);
}

TEST(Assert, GoesToTheHandlerAndGivesTheOldOneBack) {
  const AssertHandler before = SetAssertHandler(nullptr);
  SetAssertHandler(before);
  {
    const test::RecordingAssertHandler handler;
    EXPECT_THROW(MUSTER_ASSERT_ALWAYS(1 > 2, "order"), test::AssertionThrown);
    EXPECT_EQ(handler.Failures(), 1);
  }
  EXPECT_EQ(SetAssertHandler(before), before);
}

TEST(AssertDeathTest, EndsTheProcessWithTheReason) {
  EXPECT_DEATH(MUSTER_ASSERT_ALWAYS(1 > 2, "the order of numbers"), "the order of numbers .1 > 2. at");
}

TEST(AssertDeathTest, EndsTheProcessEvenWhenTheHandlerReturns) {
  EXPECT_DEATH(
      {
        SetAssertHandler([](const AssertionFailure&) {});
        MUSTER_ASSERT_ALWAYS(false, "ignored");
      },
      "");
}

}  // namespace
}  // namespace muster
