// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Config/Load.h"

#include "Config/Schema.h"
#include "Core/Files.h"
#include "SampleSchema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace muster::config {
namespace {

struct BadConfig {
  const char* name;
  std::string text;
  std::uint16_t code;
  int line;          ///< that the message must name
  const char* says;  ///< something that the message must contain: a key, an allowed value, a suggestion
};

void PrintTo(const BadConfig& bad, std::ostream* out) {
  *out << bad.name;
}

std::string Repeat(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) {
    text += piece;
  }
  return text;
}

std::vector<BadConfig> BadConfigs() {
  const std::uint16_t syntax = kConfigSyntax.number;
  const std::uint16_t unknownKey = kConfigUnknownKey.number;
  const std::uint16_t unknownSection = kConfigUnknownSection.number;
  const std::uint16_t wrongType = kConfigWrongType.number;
  const std::uint16_t outOfRange = kConfigOutOfRange.number;
  const std::uint16_t notFinite = kConfigNotFinite.number;
  const std::uint16_t notAllowed = kConfigNotAllowed.number;
  return {
      {"KeyWithATypingError", "[server]\nmax_pears = 3\n", unknownKey, 2, "server.max_peers"},
      {"KeyWithSwappedLetters", "[server]\nmxa_peers = 3\n", unknownKey, 2, "server.max_peers"},
      {"KeyWithAMissingLetter", "[server]\n\nmax_peer = 3\n", unknownKey, 3, "server.max_peers"},
      {"KeyOfAnotherSection", "[world]\nmax_peers = 3\n", unknownKey, 2, "server.max_peers"},
      {"KeyInCapitals", "[server]\nMAX_PEERS = 3\n", unknownKey, 2, "MAX_PEERS"},
      {"KeyThatIsNothingLikeAny", "[server]\nquux_frobnication = 3\n", unknownKey, 2, "reference of all keys"},
      {"KeyOutsideAnySection", "max_peers = 3\n", unknownKey, 1, "server.max_peers"},
      {"KeyQuotedWithSpaces", "[server]\n\"max peers\" = 3\n", unknownKey, 2, "server.max_peers"},
      {"KeyThatIsEmpty", "[server]\n\"\" = 3\n", unknownKey, 2, "there is no key"},
      {"DottedKeyThatIsWrong", "server.max_pears = 3\n", unknownKey, 1, "server.max_peers"},
      {"SectionWithATypingError", "[sever]\nmax_peers = 3\n", unknownSection, 1, "[server]"},
      {"SectionThatIsNothingLikeAny", "# comment\n[zzzzzzzzzz]\n", unknownSection, 2, "reference of all keys"},
      {"SectionNamedTwice", "[server]\n[world]\n[server]\n", syntax, 3, "Correct the TOML"},
      {"KeyNamedTwice", "[server]\nmax_peers = 3\nmax_peers = 4\n", syntax, 3, "Correct the TOML"},
      {"TextForAnInteger", "[server]\nmax_peers = \"32\"\n", wrongType, 2, "an integer from 1 to 1024"},
      {"NumberForAnInteger", "[server]\nmax_peers = 32.5\n", wrongType, 2, "server.max_peers"},
      {"BooleanForAnInteger", "[server]\nmax_peers = true\n", wrongType, 2, "an integer from 1 to 1024"},
      {"ListForAnInteger", "[server]\nmax_peers = [1]\n", wrongType, 2, "a list"},
      {"TableForAnInteger", "[server.max_peers]\nx = 1\n", wrongType, 1, "a table"},
      {"InlineTableForAnInteger", "[server]\nmax_peers = {x = 1}\n", wrongType, 2, "a table"},
      {"DateForAnInteger", "[server]\nmax_peers = 2026-01-01\n", wrongType, 2, "a date"},
      {"TimeForANumber", "[world]\nspread_km = 07:32:00\n", wrongType, 2, "a date or a time"},
      {"TextForANumber", "[world]\nspread_km = \"1\"\n", wrongType, 2, "a number from 0 to 1000"},
      {"BooleanForANumber", "[world]\nspread_km = false\n", wrongType, 2, "(km)"},
      {"IntegerForABoolean", "[world]\ncompress = 1\n", wrongType, 2, "true or false"},
      {"TextForABoolean", "[world]\ncompress = \"yes\"\n", wrongType, 2, "true or false"},
      {"IntegerForAText", "[server]\nmode = 1\n", wrongType, 2, "open, closed"},
      {"TextForAList", "[plugins]\nload = \"grid\"\n", wrongType, 2, "a list of texts"},
      {"ListOfIntegersForAListOfTexts", "[plugins]\nload = [1, 2]\n", wrongType, 2, "a list of texts"},
      {"ListOfMixedEntries", "[plugins]\nload = [\"a\", 2]\n", wrongType, 2, "plugins.load"},
      {"ListOfLists", "[plugins]\nload = [[\"a\"]]\n", wrongType, 2, "plugins.load"},
      {"IntegerBelowItsRange", "[server]\nmax_peers = 0\n", outOfRange, 2, "from 1 to 1024"},
      {"IntegerAboveItsRange", "[server]\nmax_peers = 1025\n", outOfRange, 2, "It is 1025"},
      {"IntegerBelowZero", "[server]\nmax_peers = -1\n", outOfRange, 2, "It is -1"},
      {"IntegerBeyondItsMember", "[server]\nport = 65536\n", outOfRange, 2, "from 0 to 65535"},
      {"IntegerBeyond64Bits", "[server]\nport = 99999999999999999999\n", syntax, 2, "Correct the TOML"},
      {"IntegerAsHugeHex", "[server]\nmax_peers = 0xffffffff\n", outOfRange, 2, "4294967295"},
      {"NumberBelowItsRange", "[world]\nspread_km = -0.5\n", outOfRange, 2, "from 0 to 1000"},
      {"NumberAboveItsRange", "[world]\nspread_km = 1e9\n", outOfRange, 2, "world.spread_km"},
      {"IntegerAboveANumbersRange", "[world]\nspread_km = 1001\n", outOfRange, 2, "from 0 to 1000"},
      {"NumberBeyondAFloat", "[world]\ngain = 1e300\n", outOfRange, 2, "world.gain"},
      {"NotANumber", "[world]\nspread_km = nan\n", notFinite, 2, "not a finite number"},
      {"NegativeNotANumber", "[world]\nspread_km = -nan\n", notFinite, 2, "world.spread_km"},
      {"Infinity", "[world]\nspread_km = inf\n", notFinite, 2, "from 0 to 1000"},
      {"NegativeInfinityOfAnUnboundedNumber", "[world]\ngain = -inf\n", notFinite, 2, "world.gain"},
      {"WordThatIsNotAllowed", "[server]\nmode = \"ajar\"\n", notAllowed, 2, "one of open, closed"},
      {"WordInAnotherCase", "[server]\nmode = \"Open\"\n", notAllowed, 2, "one of open, closed"},
      {"TextThatIsTooLong", "[server]\nname = \"" + std::string(65, 'n') + "\"\n", outOfRange, 2, "more than 64"},
      {"ListThatIsTooLong", "[plugins]\nload = [" + Repeat("\"a\",", 65) + "]\n", outOfRange, 2, "more than 64"},
      {"ListWithALongEntry", "[plugins]\nload = [\"" + std::string(2'000, 'p') + "\"]\n", outOfRange, 2, "more than"},
      {"PluginKeyThatIsAList", "[plugins.\"a.b\"]\nx = [1]\n", wrongType, 2, "plugin a.b"},
      {"PluginKeyThatIsATable", "[plugins.\"a.b\".deep]\nx = 1\n", wrongType, 1, "deep"},
      {"PluginKeyThatIsInfinite", "[plugins.\"a.b\"]\nx = inf\n", notFinite, 2, "a finite number"},
      {"PluginIdWithoutQuotes", "[plugins.a.b]\nx = 1\n", wrongType, 1, "plugin a"},
      {"ValueThatIsMissing", "[server]\nmax_peers =\n", syntax, 2, "Correct the TOML"},
      {"EqualsThatIsMissing", "[server]\nmax_peers 3\n", syntax, 2, "Correct the TOML"},
      {"TextThatIsNotClosed", "[server]\nname = \"abc\n", syntax, 2, "Correct the TOML"},
      {"MultiLineTextThatIsNotClosed", "[server]\nname = \"\"\"abc\n\n", syntax, 3, "Correct the TOML"},
      {"SectionThatIsNotClosed", "[server\nmax_peers = 3\n", syntax, 1, "Correct the TOML"},
      {"GarbageAfterAValue", "[server]\nmax_peers = 3 4\n", syntax, 2, "Correct the TOML"},
      {"ContentOfAnotherFormat", "{\"server\": {\"max_peers\": 3}}\n", syntax, 1, "Correct the TOML"},
      {"BytesThatAreNotUtf8", "[server]\nname = \"\xff\xfe\"\n", syntax, 2, "UTF-8"},
      {"ByteOfZero", std::string{"[server]\nname = \"a\0b\"\n", 22}, syntax, 2, "UTF-8"},
      {"LineThatIsTooLong", "[server]\n# " + std::string(5'000, 'x') + "\n", syntax, 2, "Break the line"},
      {"BracketsNestedTooDeep", "[plugins]\nload = " + std::string(20, '[') + std::string(20, ']') + "\n", syntax, 2,
       "deeper than 16"},
      {"BracketsNestedOverLines", "[plugins]\nload = " + Repeat("[\n", 40) + "\n", syntax, 18, "deeper than 16"},
      {"InlineTablesNestedTooDeep", "[plugins]\nx = " + Repeat("{a=", 20) + "1" + Repeat("}", 20) + "\n", syntax, 2,
       "deeper than 16"},
      {"DottedKeyWithTooManyParts", Repeat("a.", 200) + "a = 1\n", syntax, 1, "deeper than 16"},
      {"DottedSectionWithTooManyParts", "[" + Repeat("a.", 1'000) + "a]\n", syntax, 1, "deeper than 16"},
  };
}

class BadConfigTest : public testing::TestWithParam<BadConfig> {};

TEST_P(BadConfigTest, IsRefusedWithPlaceKeyAndRemedy) {
  const BadConfig& bad = GetParam();
  const Loaded loaded = LoadText(SampleSchema().Keys(), bad.text, "server.toml");
  ASSERT_EQ(loaded.errors.size(), 1u) << loaded.ErrorText();
  EXPECT_FALSE(loaded.IsUsable());
  EXPECT_EQ(loaded.errors[0].code.number, bad.code) << loaded.ErrorText();
  EXPECT_NE(loaded.ErrorText().find(bad.says), std::string::npos) << loaded.ErrorText();
  const std::string& sentence = loaded.errors[0].sentence;
  const bool namesLine = sentence.starts_with(fmt::format("server.toml:{} ", bad.line)) ||
                         sentence.starts_with(fmt::format("server.toml:{}:", bad.line));
  EXPECT_TRUE(namesLine) << loaded.ErrorText();
  EXPECT_FALSE(loaded.errors[0].action.empty());
}

INSTANTIATE_TEST_SUITE_P(Table, BadConfigTest, testing::ValuesIn(BadConfigs()),
                         [](const auto& bad) { return std::string{bad.param.name}; });

TEST(BadConfigTable, HasSixtyCases) {
  EXPECT_GE(BadConfigs().size(), 60u);
}

TEST(Load, ReportsEveryMistakeAtOnce) {
  const Loaded loaded = LoadText(SampleSchema().Keys(),
                                 "[server]\nmax_pears = 1\nmode = 3\nport = 70000\n[wrold]\n[world]\nspread_km = nan\n",
                                 "s.toml", Sources{{}, {"MUSTER_SERVER_PORT=x"}, {"server.nme=a", "nonsense"}});
  ASSERT_EQ(loaded.errors.size(), 8u) << loaded.ErrorText();
  const std::string text = loaded.ErrorText();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8);
}

TEST(Load, SaysSoWhenTheFileIsMissing) {
  Sources sources;
  sources.file = "/nonexistent/server.toml";
  const Loaded loaded = Load(SampleSchema().Keys(), sources);
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(loaded.errors[0].code, kConfigUnreadable);
  EXPECT_NE(loaded.ErrorText().find("/nonexistent/server.toml"), std::string::npos);
}

TEST(Load, RefusesAHugeFileBeforeReadingItAll) {
  const Result<TemporaryDirectory> folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder);
  const std::filesystem::path path = folder->Path() / "huge.toml";
  ASSERT_TRUE(WriteFileAtomically(path, Repeat("# padding\n", 40'000)));
  Sources sources;
  sources.file = path;
  const Loaded loaded = Load(SampleSchema().Keys(), sources);
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(loaded.errors[0].code, kConfigTooLarge);
}

TEST(Load, SurvivesADottedKeyThatOverflowsTheParsersStack) {
  // 100,000 parts over lines of legal length are not one key; in one line they are refused unseen.
  const Loaded loaded = LoadText(SampleSchema().Keys(), Repeat("a.", 100'000) + "a = 1", "s.toml");
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(loaded.errors[0].code, kConfigSyntax);
}

TEST(Load, ReadsAFileFromDisk) {
  const Result<TemporaryDirectory> folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder);
  const std::filesystem::path path = folder->Path() / "server.toml";
  ASSERT_TRUE(WriteFileAtomically(path, "[server]\nmax_peers = 64\n"));
  Sources sources;
  sources.file = path;
  const Loaded loaded = Load(SampleSchema().Keys(), sources);
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  EXPECT_EQ(SampleSchema().Bind(loaded.config).server.maxPeers, 64u);
}

TEST(Load, DoesNotMistakeDotsAndBracketsInTextsAndCommentsForDepth) {
  const std::string text = "[server]\nname = \"" + std::string(20, '[') + std::string(20, '.') + "\" # " +
                           std::string(40, '{') + "\n[world]\nspread_km = 1.5\n";
  const Loaded loaded = LoadText(SampleSchema().Keys(), text, "s.toml");
  EXPECT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
}

TEST(Layers, LaterOnesWin) {
  const std::string file = "[server]\nmax_peers = 2\nport = 2\nname = \"file\"\n[world]\nspread_km = 2\n";
  Sources others;
  others.environment = {"PATH=/bin", "MUSTER_SERVER_PORT=3", "MUSTER_SERVER_NAME=env", "MUSTER_WORLD_SPREAD_KM=3.5"};
  others.overrides = {"server.name=set", "world.spread_km=4"};
  const Loaded loaded = LoadText(SampleSchema().Keys(), file, "s.toml", others);
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  const SampleConfig config = SampleSchema().Bind(loaded.config);
  EXPECT_EQ(config.server.maxPeers, 2u);
  EXPECT_EQ(config.server.port, 3u);
  EXPECT_EQ(config.server.name, "set");
  EXPECT_EQ(config.world.spreadKm, 4.0);
  EXPECT_EQ(config.world.gain, SampleConfig{}.world.gain);
}

TEST(Layers, AWrongValueLeavesTheLayerBelow) {
  Sources others;
  others.overrides = {"server.max_peers=9999"};
  const Loaded loaded = LoadText(SampleSchema().Keys(), "[server]\nmax_peers = 7\n", "s.toml", others);
  EXPECT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(SampleSchema().Bind(loaded.config).server.maxPeers, 7u);
}

TEST(Environment, RefusesAMisspeltVariableAndLeavesForeignOnesAlone) {
  Sources sources;
  sources.environment = {"MUSTER_SERVER_MAX_PEARS=3", "MUSTER_BUILD_DIR=/x", "MUSTER=1", "OTHER_SERVER_PORT=9"};
  const Loaded loaded = Load(SampleSchema().Keys(), sources);
  ASSERT_EQ(loaded.errors.size(), 1u) << loaded.ErrorText();
  EXPECT_EQ(loaded.errors[0].code, kConfigUnknownKey);
  EXPECT_NE(loaded.ErrorText().find("server.max_peers"), std::string::npos);
}

TEST(Environment, ReadsEachType) {
  Sources sources;
  sources.environment = {"MUSTER_WORLD_COMPRESS=true", "MUSTER_PLUGINS_LOAD=a, b,c", "MUSTER_SERVER_MODE=closed"};
  const Loaded loaded = Load(SampleSchema().Keys(), sources);
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  const SampleConfig config = SampleSchema().Bind(loaded.config);
  EXPECT_TRUE(config.world.compress);
  EXPECT_EQ(config.plugins.load, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(config.server.mode, "closed");
}

TEST(CommandLine, RefusesWhatIsNoAssignment) {
  for (const char* text : {"", "server", "server.max_peers", "=3", ".x=3", "server.=3", "max_peers=3",
                           "plugins.\"\".x=1", "plugins.\"a.b\".=1", "plugins.\"a.b=1"}) {
    Sources sources;
    sources.overrides = {text};
    const Loaded loaded = Load(SampleSchema().Keys(), sources);
    ASSERT_EQ(loaded.errors.size(), 1u) << text;
    EXPECT_EQ(loaded.errors[0].code, kConfigBadOverride) << text;
  }
}

TEST(CommandLine, RefusesValuesOfTheWrongTypeOrRange) {
  for (const auto& [text, code] :
       std::vector<std::pair<const char*, ErrorCode>>{{"server.max_peers=3x", kConfigWrongType},
                                                      {"server.max_peers=", kConfigWrongType},
                                                      {"server.max_peers=1.0", kConfigWrongType},
                                                      {"server.max_peers=2000", kConfigOutOfRange},
                                                      {"server.max_peers=99999999999999999999", kConfigWrongType},
                                                      {"world.compress=1", kConfigWrongType},
                                                      {"world.spread_km=nan", kConfigNotFinite},
                                                      {"world.spread_km=1e999", kConfigWrongType},
                                                      {"server.mode=ajar", kConfigNotAllowed},
                                                      {"server.max_pears=1", kConfigUnknownKey}}) {
    Sources sources;
    sources.overrides = {text};
    const Loaded loaded = Load(SampleSchema().Keys(), sources);
    ASSERT_EQ(loaded.errors.size(), 1u) << text;
    EXPECT_EQ(loaded.errors[0].code, code) << loaded.ErrorText();
    EXPECT_TRUE(loaded.errors[0].sentence.starts_with("--set ")) << loaded.ErrorText();
  }
}

TEST(Plugins, TheirTablesArePassedOnAsTheyAre) {
  Sources others;
  others.overrides = {"plugins.\"muster.spatial.grid\".cell_m=128", "plugins.\"muster.spatial.grid\".word=abc"};
  const Loaded loaded = LoadText(SampleSchema().Keys(),
                                 "[plugins]\nload = [\"x\"]\n[plugins.\"muster.spatial.grid\"]\ncell_m = 64\n"
                                 "ratio = 0.5\nnested = true\nname = \"g\"\n",
                                 "s.toml", others);
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  const PluginTable* table = loaded.config.Plugin("muster.spatial.grid");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->at("cell_m").value, Value{std::int64_t{128}});
  EXPECT_EQ(table->at("cell_m").origin.layer, Layer::CommandLine);
  EXPECT_EQ(table->at("ratio").value, Value{0.5});
  EXPECT_EQ(table->at("nested").value, Value{true});
  EXPECT_EQ(table->at("name").value, Value{std::string{"g"}});
  EXPECT_EQ(table->at("word").value, Value{std::string{"abc"}});
  EXPECT_EQ(loaded.config.Plugin("other"), nullptr);
}

TEST(Plugins, WhatIsPrintedOfThemCanBeReadAgain) {
  Loaded loaded =
      LoadText(SampleSchema().Keys(), "[plugins.\"muster.x\"]\n\"odd name\" = \"text\"\nplain = 1\n", "a.toml");
  ASSERT_TRUE(loaded.IsUsable()) << loaded.ErrorText();
  for (const std::string_view key : {"two words", "dotted.name", "\"", ""}) {
    loaded.config.SetPlugin("muster.x", key, std::int64_t{1}, {});
  }
  const Loaded again = LoadText(SampleSchema().Keys(), loaded.config.Print(), "printed.toml");
  ASSERT_TRUE(again.IsUsable()) << again.ErrorText();
  for (const Change& change : Differences(loaded.config, again.config)) {
    // The sample's own secret comes back as its mask.
    EXPECT_EQ(change.path, "admin.password") << change.before << " -> " << change.after;
  }
}

TEST(CommandLine, RefusesWhatIsNoUtf8) {
  Sources sources;
  sources.overrides = {"plugins.\"x\".name=\xC3\x28"};
  const Loaded loaded = LoadText(SampleSchema().Keys(), "", "a.toml", sources);
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_EQ(loaded.errors[0].code, kConfigBadOverride);
}

TEST(Secrets, AreNotRepeatedInErrors) {
  const std::string secret(100, 'S');
  Sources others;
  others.overrides = {"admin.password=" + secret};
  const Loaded loaded = LoadText(SampleSchema().Keys(), "[admin]\npassword = \"" + secret + "\"\n", "s.toml", others);
  EXPECT_EQ(loaded.errors.size(), 2u);
  EXPECT_EQ(loaded.ErrorText().find("SSS"), std::string::npos) << loaded.ErrorText();
}

}  // namespace
}  // namespace muster::config
