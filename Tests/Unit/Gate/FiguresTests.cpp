// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Figures.h"

#include <gtest/gtest.h>

#include <limits>

namespace muster::gate::test {
namespace {

Figure Number(double value) {
  return {.name = "f", .value = value};
}

TEST(Bar, AtLeastBitesBelowAndNotAtTheLimit) {
  const Bar bar{"f", Comparison::AtLeast, 59.5};
  EXPECT_TRUE(Meets(Number(59.5), bar));
  EXPECT_TRUE(Meets(Number(60.0), bar));
  EXPECT_FALSE(Meets(Number(59.499), bar));
}

TEST(Bar, AtMostBitesAboveAndNotAtTheLimit) {
  const Bar bar{"f", Comparison::AtMost, 150.0};
  EXPECT_TRUE(Meets(Number(150.0), bar));
  EXPECT_TRUE(Meets(Number(0.0), bar));
  EXPECT_FALSE(Meets(Number(150.001), bar));
}

TEST(Bar, EqualsBitesOnBothSides) {
  const Bar bar{"f", Comparison::Equals, 64.0};
  EXPECT_TRUE(Meets(Number(64.0), bar));
  EXPECT_FALSE(Meets(Number(63.0), bar));
  EXPECT_FALSE(Meets(Number(65.0), bar));
}

TEST(Bar, ComparesTextsWhole) {
  const Bar bar{"f", Comparison::Equals, std::string{"held"}};
  EXPECT_TRUE(Meets({.name = "f", .value = std::string{"held"}}, bar));
  EXPECT_FALSE(Meets({.name = "f", .value = std::string{"held "}}, bar));
  EXPECT_FALSE(Meets({.name = "f", .value = std::string{"short"}}, bar));
}

TEST(Bar, IsNotMetByWhatWasNotMeasured) {
  for (const Comparison comparison : {Comparison::AtLeast, Comparison::AtMost, Comparison::Equals}) {
    EXPECT_FALSE(Meets({.name = "f"}, {"f", comparison, 0.0}));
    EXPECT_FALSE(Meets(Number(std::numeric_limits<double>::quiet_NaN()), {"f", comparison, 0.0}));
  }
}

TEST(Bar, IsNotMetByAnotherKindOfValue) {
  EXPECT_FALSE(Meets({.name = "f", .value = std::string{"0"}}, {"f", Comparison::Equals, 0.0}));
  EXPECT_FALSE(Meets(Number(0), {"f", Comparison::Equals, std::string{"0"}}));
  EXPECT_FALSE(Meets({.name = "f", .value = std::string{"a"}}, {"f", Comparison::AtLeast, std::string{"a"}}));
}

TEST(Judge, MissesABarWhoseFigureNobodyMeasured) {
  const auto judged = Judge({Number(1)}, {{"f", Comparison::Equals, 1.0}, {"other", Comparison::AtMost, 5.0}});
  ASSERT_EQ(judged.size(), 2u);
  EXPECT_TRUE(judged[0].isMet);
  EXPECT_EQ(judged[1].figure.name, "other");
  EXPECT_FALSE(judged[1].isMet);
  EXPECT_FALSE(AreAllMet(judged));
}

TEST(Judge, ShowsAFigureWithoutABarAndDoesNotJudgeIt) {
  const auto judged = Judge({Number(1), {.name = "g"}}, {{"f", Comparison::Equals, 1.0}});
  ASSERT_EQ(judged.size(), 2u);
  EXPECT_FALSE(judged[1].bar);
  EXPECT_TRUE(AreAllMet(judged));
}

TEST(Judge, HoldsAFigureAgainstBothOfItsBars) {
  const std::vector<Bar> range{{"f", Comparison::AtLeast, 1.0}, {"f", Comparison::AtMost, 3.0}};
  EXPECT_TRUE(AreAllMet(Judge({Number(2)}, range)));
  EXPECT_FALSE(AreAllMet(Judge({Number(0)}, range)));
  EXPECT_FALSE(AreAllMet(Judge({Number(4)}, range)));
}

TEST(FigureText, SaysWholeNumbersWithoutDecimalsAndNothingForNothing) {
  EXPECT_EQ(ToText(Figure{.name = "f", .value = 64.0}), "64");
  EXPECT_EQ(ToText(Figure{.name = "f", .value = 59.9731, .unit = "Hz"}), "59.973 Hz");
  EXPECT_EQ(ToText(Figure{.name = "f"}), "not measured");
  EXPECT_EQ(ToText(Bar{"f", Comparison::AtLeast, 59.5}), ">= 59.5");
}

}  // namespace
}  // namespace muster::gate::test
