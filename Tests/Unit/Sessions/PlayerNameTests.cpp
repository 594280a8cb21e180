// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/PlayerName.h"

#include "Protocol/RefusalCodes.h"

#include <gtest/gtest.h>

#include <string>

namespace muster::sessions {
namespace {

TEST(PlayerName, TakesNamesAsTheyAre) {
  for (const char* name : {"Ada", "x", "Löwe 7", "玩家一号", "<b>bold</b>", "a'b\"c;--"}) {
    const auto checked = CheckPlayerName(name);
    ASSERT_TRUE(checked) << name;
    EXPECT_EQ(*checked, name);
  }
}

TEST(PlayerName, DropsBlanksAtTheEndsOnly) {
  const auto checked = CheckPlayerName(" \u00A0 Red  Baron\u3000 ");
  ASSERT_TRUE(checked);
  EXPECT_EQ(*checked, "Red  Baron");
}

TEST(PlayerName, CountsCharactersNotBytes) {
  std::string name;
  for (std::size_t i = 0; i < kMaxNameCharacters; ++i) {
    name += "ü";
  }
  EXPECT_TRUE(CheckPlayerName(name));
  EXPECT_TRUE(CheckPlayerName("   " + name + "   "));
  EXPECT_FALSE(CheckPlayerName(name + "ü"));
}

TEST(PlayerName, RefusesWhatForgesOrDeceives) {
  const std::string bad[] = {"",
                             "   ",
                             "a\n[INFO] admin logged in",
                             "a\rb",
                             "\x1b[31mred",
                             "a\tb",
                             std::string{"a\0b", 3},
                             "\xC3\x28",
                             "\xED\xA0\x80",
                             "\u202Egnp.exe",
                             "a\u200Bb",
                             "a\u2028b",
                             "\uFEFFa",
                             "del\x7F",
                             "c1\u0085",
                             std::string(10'240, 'a')};
  for (const std::string& name : bad) {
    const auto checked = CheckPlayerName(name);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.Failure().code, protocol::kBadName);
    EXPECT_FALSE(checked.Failure().cause.empty());
    EXPECT_EQ(checked.Failure().ToString().find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace muster::sessions
