// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/LibraryInspector.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <vector>

#include "PluginApi/LayoutHash.h"
#include "PluginApi/SpatialIndex.h"
#include "PluginFolders.h"
#include "PluginHost/Errors.h"
#include "Support/GuardedBuffer.h"

namespace muster::plugins::test {
namespace {

class LibraryInspector : public HotReloadTest {
 protected:
  [[nodiscard]] static std::span<const std::byte> Bytes(std::string_view text) {
    return std::as_bytes(std::span{text.data(), text.size()});
  }
};

TEST_F(LibraryInspector, ReadsTheNoteWithoutRunningCode) {
  const std::string file = Read(BuiltLibrary("Marker"));
  const Result<LibraryFacts> facts = InspectLibrary(Bytes(file), "Marker");
  ASSERT_TRUE(facts) << facts.Failure().ToString();
  ASSERT_TRUE(facts->note);
  EXPECT_STREQ(facts->note->plugin_id, "com.example.marker");
  EXPECT_STREQ(facts->note->version, "1.0.0");
  EXPECT_EQ(facts->note->api_level, MU_API_LEVEL);
  EXPECT_STREQ(facts->note->interfaces[0].id, MU_SPATIAL_INDEX_V0);
  EXPECT_EQ(facts->note->interfaces[0].layout_hash_high, MU_LAYOUT_SPATIAL_INDEX_V0 >> 32);
  EXPECT_EQ(facts->exports, std::vector<std::string>{"mu_plugin_entry_v1"});
  EXPECT_TRUE(facts->uniqueSymbols.empty());
  EXPECT_FALSE(facts->isNoDelete);
  EXPECT_FALSE(facts->hasThreadDestructors);
}

TEST_F(LibraryInspector, SeesThreadLocalDestructors) {
  const std::string file = Read(BuiltLibrary("Pinned"));
  const Result<LibraryFacts> facts = InspectLibrary(Bytes(file), "Pinned");
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->hasThreadDestructors);
}

TEST_F(LibraryInspector, SeesTheNodeleteFlag) {
  std::string file = Read(BuiltLibrary("SpatialV1"));
  // Sets DF_1_NODELETE where the linker put DT_FLAGS_1.
  Elf64_Ehdr head;
  std::memcpy(&head, file.data(), sizeof(head));
  bool isSet = false;
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, file.data() + head.e_phoff + i * sizeof(segment), sizeof(segment));
    for (std::size_t at = segment.p_offset; segment.p_type == PT_DYNAMIC && at < segment.p_offset + segment.p_filesz;
         at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      std::memcpy(&entry, file.data() + at, sizeof(entry));
      if (entry.d_tag == DT_FLAGS_1) {
        entry.d_un.d_val |= DF_1_NODELETE;
        std::memcpy(file.data() + at, &entry, sizeof(entry));
        isSet = true;
      }
    }
  }
  ASSERT_TRUE(isSet);
  const Result<LibraryFacts> facts = InspectLibrary(Bytes(file), "nodelete");
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->isNoDelete);
}

TEST_F(LibraryInspector, RefusesEveryTruncation) {
  const std::string file = Read(BuiltLibrary("SpatialV1"));
  const auto check = [&file](std::size_t length) {
    // The bytes end where memory does: reading past them faults.
    const muster::test::GuardedBuffer cut{length};
    std::memcpy(cut.Bytes().data(), file.data(), length);
    const Result<LibraryFacts> facts = InspectLibrary(std::as_bytes(cut.Bytes()), "cut");
    ASSERT_FALSE(facts) << length;
    EXPECT_EQ(facts.Failure().code, kNotALibrary) << length;
  };
  for (std::size_t length = 0; length < std::min<std::size_t>(file.size(), 4096); ++length) {
    check(length);
  }
  for (std::size_t length = 4096; length < file.size(); length += 61) {
    check(length);
  }
}

TEST_F(LibraryInspector, SurvivesDamagedBytes) {
  const std::string file = Read(BuiltLibrary("PlainC"));
  std::mt19937 random{20260131};
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    const muster::test::GuardedBuffer damaged{file.size()};
    std::memcpy(damaged.Bytes().data(), file.data(), file.size());
    // Half of the damage goes where the tables are: the head and the sections' heads at the end.
    const std::size_t from = round % 2 == 0 ? 0 : file.size() - std::min<std::size_t>(file.size(), 2048);
    const std::size_t range = round % 4 == 0 ? sizeof(Elf64_Ehdr) : file.size() - from;
    for (int i = 0; i < 4; ++i) {
      damaged.Bytes()[from + random() % range] = static_cast<std::uint8_t>(random());
    }
    const Result<LibraryFacts> facts = InspectLibrary(std::as_bytes(damaged.Bytes()), "damaged");
    accepted += facts ? 1 : 0;
  }
  EXPECT_GT(accepted, 0) << "most damage is in code, which is not looked at";
}

class Judgement : public HotReloadTest {
 protected:
  void SetUp() override {
    HotReloadTest::SetUp();
    const std::string file = Read(BuiltLibrary("SpatialV1"));
    Result<LibraryFacts> facts = InspectLibrary(std::as_bytes(std::span{file.data(), file.size()}), "SpatialV1");
    ASSERT_TRUE(facts);
    m_facts = std::move(facts).Value();
    Result<Descriptor> descriptor = ParseDescriptor(Read(Built("SpatialV1") / "plugin.json"), "SpatialV1");
    ASSERT_TRUE(descriptor) << descriptor.Failure().ToString();
    m_descriptor = std::move(descriptor).Value();
  }

  [[nodiscard]] LibraryVerdict Judge(bool strict = false) const {
    return JudgeLibrary(m_facts, m_descriptor, m_host, strict);
  }
  [[nodiscard]] static std::vector<unsigned> Codes(const std::vector<Error>& errors) {
    std::vector<unsigned> codes;
    std::transform(errors.begin(), errors.end(), std::back_inserter(codes),
                   [](const Error& error) { return unsigned{error.code.number}; });
    return codes;
  }

  LibraryFacts m_facts;
  Descriptor m_descriptor;
  HostBuild m_host;
};

using CodeList = std::vector<unsigned>;

TEST_F(Judgement, AcceptsWhatFits) {
  EXPECT_TRUE(Judge(true).failures.empty());
  EXPECT_TRUE(Judge().warnings.empty());
}

TEST_F(Judgement, RefusesAnotherSanitizer) {
  m_host.sanitizer = m_host.sanitizer == MU_SANITIZER_THREAD ? MU_SANITIZER_ADDRESS : MU_SANITIZER_THREAD;
  EXPECT_EQ(Codes(Judge().failures), (CodeList{1306}));
}

TEST_F(Judgement, WarnsOfAnotherCompilerAndRefusesItWhenStrict) {
  m_host.compilerMajor += 1;
  EXPECT_EQ(Codes(Judge().warnings), (CodeList{1305}));
  EXPECT_EQ(Codes(Judge(true).failures), (CodeList{1305}));
}

TEST_F(Judgement, NamesAllFailuresAtOnce) {
  m_host.apiLevel = 7;
  m_facts.note->interfaces[0].layout_hash_low ^= 1;
  m_facts.exports.clear();
  EXPECT_EQ(Codes(Judge().failures), (CodeList{1301, 1302, 1206}));
}

TEST_F(Judgement, RefusesUniqueSymbolsOnlyWhereReloadIsPromised) {
  m_facts.uniqueSymbols = {"_ZGVZ1fvE1x"};
  EXPECT_EQ(Codes(Judge().failures), (CodeList{1209}));
  m_descriptor.hotReload = HotReload::None;
  EXPECT_TRUE(Judge().failures.empty());
  EXPECT_EQ(Codes(Judge().warnings), (CodeList{1209}));
}

TEST_F(Judgement, WarnsOfExtraExportsWithoutListingThemAll) {
  m_facts.exports = {"a", "b", "c", "d", "mu_plugin_entry_v1"};
  const LibraryVerdict verdict = Judge();
  ASSERT_EQ(Codes(verdict.warnings), (CodeList{1207}));
  EXPECT_NE(verdict.warnings.front().cause.find("a, b, c and 1 more"), std::string::npos);
}

TEST_F(Judgement, IgnoresTheLayoutOfInterfacesThatAreNotUsed) {
  // What is not in `provides` is nobody's business, whatever the note says of it.
  std::strcpy(m_facts.note->interfaces[1].id, "muster.transport/0");
  EXPECT_TRUE(Judge().failures.empty());
}

}  // namespace
}  // namespace muster::plugins::test
