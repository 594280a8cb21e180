// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Version.h"

#include <gtest/gtest.h>

#include <array>

namespace muster::plugins {
namespace {

[[nodiscard]] Version V(std::string_view text) {
  const auto version = Version::Parse(text);
  EXPECT_TRUE(version) << text;
  return version.value_or(Version{});
}

[[nodiscard]] bool Fits(std::string_view range, std::string_view version) {
  const auto parsed = VersionRange::Parse(range);
  EXPECT_TRUE(parsed) << range;
  return parsed && parsed->Contains(V(version));
}

TEST(Version, ReadsBackWhatItWrote) {
  for (const char* text : {"0.0.0", "1.2.3", "10.20.30", "4294967295.0.1", "1.0.0-rc.1", "1.0.0-alpha-7.x"}) {
    EXPECT_EQ(V(text).ToString(), text);
  }
}

TEST(Version, RefusesWhatIsNoVersion) {
  for (const char* text : {"", "1", "1.2", "1.2.3.4", "v1.2.3", "1.2.3 ", " 1.2.3", "01.2.3", "1.02.3", "1.2.-3",
                           "1.2.3-", "1.2.3-a..b", "1.2.3-a.", "1.2.3-01", "1.2.3-a_b", "1.2.3+build", "4294967296.0.0",
                           "1.2.x", "1.0.0-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    EXPECT_FALSE(Version::Parse(text)) << text;
  }
}

TEST(Version, OrdersAsTheSpecificationLists) {
  const std::array<const char*, 12> ascending{"0.9.9",      "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
                                              "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
                                              "1.0.0",      "1.0.1",        "1.2.0",         "2.0.0"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(V(ascending[i]) < V(ascending[j]), i < j) << ascending[i] << " and " << ascending[j];
      EXPECT_EQ(V(ascending[i]) == V(ascending[j]), i == j);
    }
  }
}

TEST(VersionRange, HoldsItsEnds) {
  EXPECT_TRUE(Fits(">=1.2.0 <2.0.0", "1.2.0"));
  EXPECT_TRUE(Fits(">=1.2.0 <2.0.0", "1.99.0"));
  EXPECT_FALSE(Fits(">=1.2.0 <2.0.0", "2.0.0"));
  EXPECT_FALSE(Fits(">=1.2.0 <2.0.0", "1.1.9"));
  EXPECT_TRUE(Fits(">1.2.0 <=1.3.0", "1.3.0"));
  EXPECT_FALSE(Fits(">1.2.0 <=1.3.0", "1.2.0"));
  EXPECT_TRUE(Fits("1.2.3", "1.2.3"));
  EXPECT_FALSE(Fits("1.2.3", "1.2.4"));
  EXPECT_TRUE(Fits("*", "0.0.1-rc.1"));
  EXPECT_TRUE(VersionRange{}.Contains(V("7.7.7")));
}

TEST(VersionRange, CaretKeepsTheMajorAndBelowOneTheMinor) {
  EXPECT_TRUE(Fits("^1.2.3", "1.9.0"));
  EXPECT_FALSE(Fits("^1.2.3", "2.0.0"));
  EXPECT_FALSE(Fits("^1.2.3", "2.0.0-rc.1"));
  EXPECT_FALSE(Fits("^1.2.3", "1.2.2"));
  EXPECT_TRUE(Fits("^0.2.3", "0.2.9"));
  EXPECT_FALSE(Fits("^0.2.3", "0.3.0"));
  EXPECT_TRUE(Fits("~1.2.3", "1.2.9"));
  EXPECT_FALSE(Fits("~1.2.3", "1.3.0"));
}

TEST(VersionRange, RefusesWhatIsNoRange) {
  for (const char* text : {"", " ", "1.2", ">=", ">=1.2", "> 1.2.0", "1.2.0 ", " 1.2.0", "1.0.0  2.0.0", "=1.2.0", "^*",
                           "^4294967295.0.0", "~1.4294967295.0", "1.x", "latest"}) {
    EXPECT_FALSE(VersionRange::Parse(text)) << '"' << text << '"';
  }
  EXPECT_FALSE(VersionRange::Parse(std::string(300, '*')));
}

}  // namespace
}  // namespace muster::plugins
