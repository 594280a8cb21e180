// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/PluginLock.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

[[nodiscard]] Sha256Digest Digest(unsigned char fill) {
  Sha256Digest digest;
  digest.fill(std::byte{fill});
  return digest;
}

[[nodiscard]] LockEntry Entry(std::string id, bool wireAffecting, std::string_view version = "1.0.0") {
  return LockEntry{std::move(id), Version::Parse(version).value(), Digest(1), Digest(2), wireAffecting};
}

TEST(PluginLock, ReadsBackWhatItWrote) {
  const PluginLock lock{{Entry("b.b", true, "1.2.3-rc.1"), Entry("a.a", false)}};
  const std::string text = WriteLock(lock);
  EXPECT_EQ(text.back(), '\n');
  const Result<PluginLock> read = ReadLock(text);
  ASSERT_TRUE(read) << read.Failure().ToString();
  EXPECT_EQ(*read, lock);
  EXPECT_EQ(WriteLock(*read), text);
}

TEST(PluginLock, SortsAndKeepsTheLastOfAnId) {
  const PluginLock lock{{Entry("b.b", true), Entry("a.a", false, "1.0.0"), Entry("a.a", false, "2.0.0")}};
  ASSERT_EQ(lock.Entries().size(), 2u);
  EXPECT_EQ(lock.Entries()[0].version.ToString(), "2.0.0");
  EXPECT_EQ(lock.Entries()[1].id, "b.b");
}

TEST(PluginLock, RefusesDamagedText) {
  const nlohmann::json valid = nlohmann::json::parse(WriteLock(PluginLock{{Entry("a.a", true)}}));
  EXPECT_TRUE(ReadLock(valid.dump()));
  for (const char* text : {"", "{", "[]", "{}", R"({"schema":2,"plugins":[]})", R"({"schema":1})",
                           R"({"schema":1,"plugins":{}})", R"({"schema":1,"plugins":[1]})"}) {
    const Result<PluginLock> read = ReadLock(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.Failure().code, kLockMismatch);
  }
  for (const auto& [key, value] : valid["plugins"][0].items()) {
    nlohmann::json damaged = valid;
    damaged["plugins"][0].erase(key);
    EXPECT_FALSE(ReadLock(damaged.dump())) << key;
    damaged["plugins"][0][key] = "zz";
    EXPECT_FALSE(ReadLock(damaged.dump())) << key;
    damaged["plugins"][0][key] = nullptr;
    EXPECT_FALSE(ReadLock(damaged.dump())) << key;
  }
}

TEST(PluginLock, DigestCoversExactlyWhatDecidesTheWire) {
  const PluginLock lock{{Entry("codec.a", true), Entry("spatial.a", false)}};
  const Sha256Digest digest = LockDigest(lock);
  const auto with = [&lock](auto change) {
    std::vector<LockEntry> entries = lock.Entries();
    change(entries);
    return LockDigest(PluginLock{std::move(entries)});
  };
  EXPECT_EQ(with([](auto& e) { e[1].version.major = 9; }), digest) << "not on the wire";
  EXPECT_EQ(with([](auto& e) { e.pop_back(); }), digest);
  EXPECT_EQ(with([](auto& e) { e[0].librarySha256 = Digest(9); }), digest) << "another build of the same plugin";
  EXPECT_NE(with([](auto& e) { e[0].version.patch = 1; }), digest);
  EXPECT_NE(with([](auto& e) { e[0].descriptorDigest = Digest(9); }), digest);
  EXPECT_NE(with([](auto& e) { e[0].id = "codec.b"; }), digest);
  EXPECT_NE(with([](auto& e) { e[0].wireAffecting = false; }), digest);
  EXPECT_NE(with([](auto& e) { e.push_back(Entry("transport.a", true)); }), digest);
}

TEST(PluginLock, NamesEveryDifference) {
  const PluginLock ours{{Entry("a.a", true), Entry("b.b", true), Entry("c.c", true), Entry("d.d", true)}};
  std::vector<LockEntry> entries = ours.Entries();
  entries[0].version.minor = 5;
  entries[1].descriptorDigest = Digest(7);
  entries[2].librarySha256 = Digest(7);
  entries[3].id = "e.e";
  const PluginLock theirs{std::move(entries)};
  EXPECT_EQ(DescribeDifferences(ours, theirs),
            (std::vector<std::string>{"a.a is 1.0.0 here and 1.5.0 there.", "b.b 1.0.0 has another plugin.json there.",
                                      "c.c 1.0.0 is another build there.", "d.d 1.0.0 is missing there.",
                                      "e.e 1.0.0 is missing here."}));
  EXPECT_TRUE(DescribeDifferences(ours, ours).empty());
  EXPECT_EQ(DescribeDifferences(ours, {}).size(), 4u);
  EXPECT_EQ(DescribeDifferences({}, ours).size(), 4u);
}

}  // namespace
}  // namespace muster::plugins
