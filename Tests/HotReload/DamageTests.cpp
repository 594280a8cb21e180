// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A good library, damaged in every bit of what the loader goes by. Whatever the damage: a named refusal, or a plugin
// that works; never the end of the process.
//
// Left out is what nobody can judge from outside: code, the data it works on, and to which place within the image a
// relocation points.
// Not under AddressSanitizer: a sanitized library hands tables of its own to the sanitizer before anything else runs, and a
// relocation that is damaged, but well formed, makes it read wherever they then point. PluginFilesFuzzer holds the inspector
// under sanitizers.
#if !defined(__SANITIZE_ADDRESS__)
#include <elf.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "BadCase.h"
#include "PluginApi/Entry.h"
#include "PluginFolders.h"
#include "PluginHost/Errors.h"
#include "PluginHost/LibraryInspector.h"
#include "Support/GuardedBuffer.h"

namespace muster::plugins::test {
namespace {

struct Damage {
  std::size_t at = 0;
  std::string bytes;
};

struct Region {
  std::string name;
  std::size_t at = 0;
  std::size_t size = 0;
};

template <class T>
[[nodiscard]] T ReadAs(const std::string& file, std::size_t at) {
  T value;
  std::memcpy(&value, file.data() + at, sizeof(value));
  return value;
}

class DamagedLibrary : public HotReloadTest {
 protected:
  void SetUp() override {
    HotReloadTest::SetUp();
    for (const BadCase& badCase : ReadCorpus()) {
      if (badCase.name == "Good") {
        badCase.Install(Root());
        m_file = badCase.LibraryBytes();
      }
    }
    ASSERT_FALSE(m_file.empty());
    Result<Descriptor> descriptor = ParseDescriptor(Read(Root() / "Good" / "plugin.json"), "Good");
    ASSERT_TRUE(descriptor) << descriptor.Failure().ToString();
    m_descriptor = std::move(descriptor).Value();
  }

  /// What the loader and the inspector go by.
  [[nodiscard]] std::vector<Region> Regions() const {
    const auto head = ReadAs<Elf64_Ehdr>(m_file, 0);
    std::vector<Region> regions{{"head", 0, sizeof(head)},
                                {"segments", head.e_phoff, head.e_phnum * sizeof(Elf64_Phdr)},
                                {"sections", head.e_shoff, head.e_shnum * sizeof(Elf64_Shdr)}};
    const std::set<std::uint32_t> tables{SHT_DYNAMIC,    SHT_DYNSYM,      SHT_GNU_HASH, SHT_HASH,
                                         SHT_GNU_versym, SHT_GNU_verneed, SHT_NOTE};
    for (std::size_t i = 0; i < head.e_shnum; ++i) {
      const auto section = ReadAs<Elf64_Shdr>(m_file, head.e_shoff + i * sizeof(Elf64_Shdr));
      if (tables.count(section.sh_type) != 0) {
        regions.push_back({"table " + std::to_string(section.sh_type), section.sh_offset, section.sh_size});
      }
    }
    return regions;
  }

  /// True when the library would be given to the loader; otherwise the refusal has a name and says why.
  [[nodiscard]] bool IsAccepted(const Damage& damage) {
    if (m_damaged == nullptr) {
      m_damaged = std::make_unique<muster::test::GuardedBuffer>(m_file.size());
      std::memcpy(m_damaged->Bytes().data(), m_file.data(), m_file.size());
    }
    std::uint8_t* place = m_damaged->Bytes().data() + damage.at;
    std::memcpy(place, damage.bytes.data(), damage.bytes.size());
    const Result<LibraryFacts> facts = InspectLibrary(std::as_bytes(m_damaged->Bytes()), "damaged");
    std::memcpy(place, m_file.data() + damage.at, damage.bytes.size());
    if (!facts) {
      EXPECT_NE(facts.Failure().code.number, 0u);
      EXPECT_FALSE(facts.Failure().cause.empty());
      m_refusals.insert(facts.Failure().code.name);
      return false;
    }
    const LibraryVerdict verdict = JudgeLibrary(*facts, m_descriptor, HostBuild{}, false);
    for (const Error& error : verdict.failures) {
      m_refusals.insert(error.code.name);
    }
    return verdict.failures.empty();
  }

  enum class Outcome : char { Works = 'w', Refused = 'r', Broken = 'b' };

  /// Loads it as a server would, calls it, and takes it out again.
  [[nodiscard]] Outcome LoadAndCall(const Damage& damage) {
    std::string bytes = m_file;
    bytes.replace(damage.at, damage.bytes.size(), damage.bytes);
    ReplaceLibrary(Root() / "Good", "plugin.so", bytes);
    PluginHostConfig config;
    config.roots = {{Root()}};
    config.cacheDirectory = Cache();
    auto host = PluginHost::Create(std::move(config), m_log, m_clock);
    if (!host) {
      return Outcome::Broken;
    }
    if (Result<void> loaded = (*host)->LoadAll(); !loaded) {
      return loaded.Failure().code.number != 0 ? Outcome::Refused : Outcome::Broken;
    }
    mu_control control{};
    {
      const auto provider = (*host)->Catalog().Find<mu_ai_controller_v0>("com.example.bad");
      mu_ai_provider* instance = nullptr;
      mu_controller_info info{};
      if (!provider || provider->table->create(&instance) != MU_OK ||
          provider->table->controller_info(instance, 0, &info) != MU_OK) {
        return Outcome::Broken;
      }
      mu_think_batch batch{};
      batch.count = 1;
      batch.controls = &control;
      if (provider->table->think(instance, &batch) != MU_OK) {
        return Outcome::Broken;
      }
      provider->table->destroy(instance);
    }
    PluginHost::GenerationPointer generation = (*host)->Generations().front();
    const bool isGone = static_cast<bool>((*host)->Retire(std::move(generation)));
    return control.throttle == 1.0F && isGone ? Outcome::Works : Outcome::Broken;
  }

  /// Loads them one after the other in a process of their own, and tells which of them ended it.
  void LoadApart(std::span<const Damage> damages, std::map<Outcome, std::size_t>& outcomes) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      for (const Damage& damage : damages) {
        const auto outcome = static_cast<char>(LoadAndCall(damage));
        if (::write(pipe[1], &outcome, 1) != 1) {
          ::_exit(2);
        }
      }
      ::_exit(0);
    }
    ::close(pipe[1]);
    std::size_t done = 0;
    for (char outcome = 0; ::read(pipe[0], &outcome, 1) == 1; ++done) {
      ++outcomes[static_cast<Outcome>(outcome)];
      EXPECT_NE(static_cast<Outcome>(outcome), Outcome::Broken) << NameOf(damages[done]);
    }
    ::close(pipe[0]);
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(done, damages.size()) << NameOf(damages[std::min(done, damages.size() - 1)])
                                    << " ended the process, status " << status;
  }

  [[nodiscard]] std::string NameOf(const Damage& damage) const {
    for (const Region& region : Regions()) {
      if (damage.at >= region.at && damage.at < region.at + region.size) {
        return region.name + " + " + std::to_string(damage.at - region.at) + ", byte " +
               std::to_string(static_cast<unsigned char>(damage.bytes.front())) + " for " +
               std::to_string(static_cast<unsigned char>(m_file[damage.at]));
      }
    }
    return "nowhere";
  }

  /// Of what inspection accepts, `count` picked by a fixed seed are loaded.
  void CheckAccepted(std::vector<Damage> accepted, std::size_t count) {
    std::mt19937 random{20260401};
    std::shuffle(accepted.begin(), accepted.end(), random);
    accepted.resize(std::min(accepted.size(), count));
    std::map<Outcome, std::size_t> outcomes;
    constexpr std::size_t kTogether = 100;
    for (std::size_t i = 0; i < accepted.size(); i += kTogether) {
      LoadApart(std::span{accepted}.subspan(i, std::min(kTogether, accepted.size() - i)), outcomes);
    }
    EXPECT_GT(outcomes[Outcome::Works], accepted.size() / 2) << "most of what is let through does no harm";
  }

  std::string m_file;
  Descriptor m_descriptor;
  std::unique_ptr<muster::test::GuardedBuffer> m_damaged;
  std::set<std::string_view> m_refusals;
};

TEST_F(DamagedLibrary, ControlIsAcceptedAndWorks) {
  const Damage none{0, m_file.substr(0, 1)};
  EXPECT_TRUE(IsAccepted(none));
  EXPECT_EQ(LoadAndCall(none), Outcome::Works);
}

TEST_F(DamagedLibrary, AnEntryThatIsNoDataOfTheImageIsRefused) {
  std::size_t tried = 0;
  const auto head = ReadAs<Elf64_Ehdr>(m_file, 0);
  for (std::size_t i = 0; i < head.e_shnum; ++i) {
    const auto table = ReadAs<Elf64_Shdr>(m_file, head.e_shoff + i * sizeof(Elf64_Shdr));
    if (table.sh_type != SHT_DYNSYM) {
      continue;
    }
    const auto names = ReadAs<Elf64_Shdr>(m_file, head.e_shoff + table.sh_link * sizeof(Elf64_Shdr));
    for (std::size_t at = table.sh_offset; at < table.sh_offset + table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = ReadAs<Elf64_Sym>(m_file, at);
      if (std::strcmp(m_file.data() + names.sh_offset + symbol.st_name, MU_ENTRY_SYMBOL) != 0) {
        continue;
      }
      ++tried;
      const std::uint16_t absolute = SHN_ABS;
      Damage section{at + offsetof(Elf64_Sym, st_shndx), std::string(sizeof(absolute), '\0')};
      std::memcpy(section.bytes.data(), &absolute, sizeof(absolute));
      EXPECT_FALSE(IsAccepted(section));
      const char function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
      EXPECT_FALSE(IsAccepted({at + offsetof(Elf64_Sym, st_info), std::string(1, function)}));
    }
  }
  EXPECT_EQ(tried, 1u);
}

TEST_F(DamagedLibrary, AnyBitOfItsTablesTurnedOverIsRefusedOrDoesNoHarm) {
  std::vector<Damage> accepted;
  std::size_t tried = 0;
  for (const Region& region : Regions()) {
    for (std::size_t at = region.at; at < region.at + region.size; ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        Damage damage{at, std::string(1, static_cast<char>(m_file[at] ^ static_cast<char>(1U << bit)))};
        ++tried;
        if (IsAccepted(damage)) {
          accepted.push_back(std::move(damage));
        }
      }
    }
  }
  EXPECT_GT(tried, 10'000u);
  EXPECT_GT(accepted.size(), 1'000u) << "addresses that nobody uses, spare bytes, debug sections";
  EXPECT_LT(accepted.size(), tried * 7 / 10) << "most of it means something";
  EXPECT_EQ(m_refusals.count(kDamagedLibrary.name), 1u);
  EXPECT_EQ(m_refusals.count(kForbiddenLinkage.name), 1u);
  EXPECT_EQ(m_refusals.count(kWrongMachine.name), 1u);
  CheckAccepted(std::move(accepted), 600);
}

TEST_F(DamagedLibrary, AnyWordOfItsTablesReplacedIsRefusedOrDoesNoHarm) {
  constexpr std::uint64_t kWords[]{0, 1, 8, 0x1000, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, ~std::uint64_t{0}};
  std::vector<Damage> accepted;
  for (const Region& region : Regions()) {
    for (const std::size_t width : {std::size_t{4}, std::size_t{8}}) {
      for (std::size_t at = region.at; at + width <= region.at + region.size; at += width) {
        for (const std::uint64_t word : kWords) {
          Damage damage{at, std::string(width, '\0')};
          std::memcpy(damage.bytes.data(), &word, width);
          if (m_file.compare(at, width, damage.bytes) != 0 && IsAccepted(damage)) {
            accepted.push_back(std::move(damage));
          }
        }
      }
    }
  }
  CheckAccepted(std::move(accepted), 400);
}

TEST_F(DamagedLibrary, AnyHeadOrEntryBlankedIsRefusedOrDoesNoHarm) {
  const std::map<std::string, std::size_t> sizes{{"segments", sizeof(Elf64_Phdr)},
                                                 {"sections", sizeof(Elf64_Shdr)},
                                                 {"table 6", sizeof(Elf64_Dyn)},
                                                 {"table 11", sizeof(Elf64_Sym)}};
  std::vector<Damage> accepted;
  for (const Region& region : Regions()) {
    const auto size = sizes.find(region.name);
    if (size == sizes.end()) {
      continue;
    }
    EXPECT_FALSE(IsAccepted({region.at, std::string(region.size, '\0')})) << region.name << ", all of them";
    for (std::size_t at = region.at; at + size->second <= region.at + region.size; at += size->second) {
      Damage damage{at, std::string(size->second, '\0')};
      if (IsAccepted(damage)) {
        accepted.push_back(std::move(damage));
      }
    }
  }
  CheckAccepted(std::move(accepted), 100);
}

TEST_F(DamagedLibrary, RelocationsThatLeadOutOfTheImageAreRefused) {
  const auto head = ReadAs<Elf64_Ehdr>(m_file, 0);
  std::size_t relocations = 0;
  for (std::size_t i = 0; i < head.e_shnum; ++i) {
    const auto section = ReadAs<Elf64_Shdr>(m_file, head.e_shoff + i * sizeof(Elf64_Shdr));
    for (std::size_t at = 0; section.sh_type == SHT_RELA && (section.sh_flags & SHF_ALLOC) != 0 && at < section.sh_size;
         at += sizeof(Elf64_Rela)) {
      const auto place = static_cast<std::size_t>(section.sh_offset + at);
      const auto change = [&](auto&& edit) {
        auto relocation = ReadAs<Elf64_Rela>(m_file, place);
        edit(relocation);
        Damage damage{place, std::string(sizeof(relocation), '\0')};
        std::memcpy(damage.bytes.data(), &relocation, sizeof(relocation));
        return IsAccepted(damage);
      };
      ++relocations;
      EXPECT_FALSE(change([](Elf64_Rela& r) { r.r_offset = 0; })) << "into the head";
      EXPECT_FALSE(change([](Elf64_Rela& r) { r.r_offset = ~std::uint64_t{0} - 3; })) << "around the end";
      EXPECT_FALSE(change([](Elf64_Rela& r) { r.r_offset += std::uint64_t{1} << 32; })) << "far behind the end";
      EXPECT_FALSE(change([](Elf64_Rela& r) { r.r_info |= std::uint64_t{0xffff} << 32; })) << "a symbol of none";
      EXPECT_FALSE(change([](Elf64_Rela& r) { r.r_info = R_X86_64_IRELATIVE; })) << "a resolver";
      EXPECT_FALSE(change([](Elf64_Rela& r) { r.r_info = R_X86_64_COPY; })) << "a kind for programs";
      EXPECT_FALSE(change([](Elf64_Rela& r) {
        r.r_info = R_X86_64_RELATIVE;
        r.r_addend = std::int64_t{1} << 40;
      })) << "a pointer out of the image";
    }
  }
  EXPECT_GT(relocations, 10u);
}

}  // namespace
}  // namespace muster::plugins::test

#endif
