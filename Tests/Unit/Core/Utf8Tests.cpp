// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Utf8.h"

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <string>

namespace muster {
namespace {

using namespace std::string_literals;

TEST(Utf8, AcceptsTheShortestAndLongestOfEveryLength) {
  for (const char* text : {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "Gr\xC3\xBC\xC3\x9F dich"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << EscapeControl(text);
  }
}

TEST(Utf8, RefusesOverlongSurrogateTooLargeAndCutForms) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF", "\xFE", "\xC3",
        "\xE2\x82", "\xF0\x9F\x98", "a\xC3(", "\xE2\x28\xA1"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << EscapeControl(text);
  }
}

TEST(EscapeControl, LeavesOrdinaryTextAlone) {
  const std::string text = "Zo\xC3\xAB, \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x98\x80 C:\\path 100% {x}";
  EXPECT_EQ(EscapeControl(text), text);
}

TEST(EscapeControl, ShowsControlsInsteadOfDoingThem) {
  EXPECT_EQ(EscapeControl("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(EscapeControl("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(EscapeControl("nul\0byte"s), "nul\\x00byte");
  EXPECT_EQ(EscapeControl("\xC2\x85"), "\\u{0085}") << "the C1 line end";
  EXPECT_EQ(EscapeControl("\xE2\x80\xA8"), "\\u{2028}") << "line separator";
  EXPECT_EQ(EscapeControl("\xE2\x80\xAEtxt.exe"), "\\u{202e}txt.exe") << "right-to-left override";
}

TEST(EscapeControl, ShowsBytesThatAreNoText) {
  EXPECT_EQ(EscapeControl("ok\xC0\x80!"), "ok\\xc0\\x80!");
  EXPECT_EQ(EscapeControl("\xE2\x82"), "\\xe2\\x82");
}

TEST(EscapeControl, MakesOneValidLineOfAnyBytes) {
  Random random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random.NextBelow(12), ' ');
    for (char& byte : bytes) {
      byte = static_cast<char>(random.NextBelow(256));
    }
    const std::string line = EscapeControl(bytes);
    ASSERT_TRUE(IsValidUtf8(line));
    for (const char letter : line) {
      ASSERT_FALSE(static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F);
    }
  }
}

}  // namespace
}  // namespace muster
