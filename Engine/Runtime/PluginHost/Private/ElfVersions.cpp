// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "ElfSymbols.h"

namespace muster::plugins {
namespace {

constexpr unsigned kIndexMask = 0x7fff;  ///< the bit above says "hidden"
constexpr unsigned kFirstOwnIndex = 2;   ///< 0 and 1 stand for "local" and "any"

/// Links of all chains together: they may overlap in a hostile file, and every one has a name to be hashed.
constexpr unsigned kMaxLinks = 65536;

/// Walks chains whose links are distances, and remembers which indices were given out.
class VersionWalk {
 public:
  VersionWalk(const ElfImage& image, const ElfDynamic& dynamic)
      : m_image{image}, m_dynamic{dynamic}, m_isDefined(kIndexMask + 1u, false) {}

  void Needed() {
    std::uint64_t at = m_dynamic.Value(DT_VERNEED);
    const std::uint64_t count = m_dynamic.Value(DT_VERNEEDNUM);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto need = At<Elf64_Verneed>(at);
      const std::string_view library = m_dynamic.NameAt(need.vn_file);
      const auto& loaded = m_dynamic.Needed();
      if (need.vn_version != VER_NEED_CURRENT || std::find(loaded.begin(), loaded.end(), library) == loaded.end()) {
        Damaged(fmt::format("It wants symbols in a version of {}, which it does not load.", library));
      }
      std::uint64_t entryAt = at + need.vn_aux;
      for (unsigned entry = 0; entry < need.vn_cnt; ++entry) {
        const auto auxiliary = At<Elf64_Vernaux>(entryAt);
        Name(auxiliary.vna_name, auxiliary.vna_hash);
        Define(auxiliary.vna_other);
        entryAt = Next(entryAt, auxiliary.vna_next, entry + 1u == need.vn_cnt);
      }
      at = Next(at, need.vn_next, i + 1 == count);
    }
  }

  void Defined() {
    std::uint64_t at = m_dynamic.Value(DT_VERDEF);
    const std::uint64_t count = m_dynamic.Value(DT_VERDEFNUM);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto definition = At<Elf64_Verdef>(at);
      if (definition.vd_version != VER_DEF_CURRENT || definition.vd_cnt == 0) {
        Damaged("A version of symbols that it defines is of an unknown form.");
      }
      Define(definition.vd_ndx);
      std::uint64_t entryAt = at + definition.vd_aux;
      for (unsigned entry = 0; entry < definition.vd_cnt; ++entry) {
        const auto auxiliary = At<Elf64_Verdaux>(entryAt);
        if (entry == 0) {
          Name(auxiliary.vda_name, definition.vd_hash);
        } else {
          static_cast<void>(m_dynamic.NameAt(auxiliary.vda_name));
        }
        entryAt = Next(entryAt, auxiliary.vda_next, entry + 1u == definition.vd_cnt);
      }
      at = Next(at, definition.vd_next, i + 1 == count);
    }
  }

  [[nodiscard]] bool IsKnown(unsigned index) const { return index < kFirstOwnIndex || m_isDefined[index]; }

 private:
  template <class Entry>
  [[nodiscard]] Entry At(std::uint64_t address) {
    const auto bytes = m_image.BytesAt(address, sizeof(Entry));
    if (++m_links > kMaxLinks || !bytes || address % alignof(Entry) != 0) {
      Damaged("Its versions of symbols lead out of their table.");
    }
    return ElfFile::Read<Entry>(*bytes);
  }

  /// The loader goes on until a link is zero, whatever the counts say: both must end at once.
  [[nodiscard]] static std::uint64_t Next(std::uint64_t address, std::uint32_t link, bool isLast) {
    if (isLast != (link == 0)) {
      Damaged("Its versions of symbols end elsewhere than they say.");
    }
    return address + link;
  }

  void Name(std::uint32_t offset, std::uint32_t hash) const {
    if (SystemVHash(m_dynamic.NameAt(offset)) != hash) {
      Damaged("The name of a version of symbols does not have its hash.");
    }
  }

  void Define(unsigned index) {
    const unsigned bare = index & kIndexMask;
    if (bare == 0 || m_isDefined[bare]) {
      Damaged("Two versions of symbols have one number.");
    }
    m_isDefined[bare] = true;
  }

  const ElfImage& m_image;
  const ElfDynamic& m_dynamic;
  std::vector<bool> m_isDefined;
  unsigned m_links = 0;
};

}  // namespace

void CheckVersions(const ElfImage& image, const ElfDynamic& dynamic, const ElfSymbols& symbols) {
  if (!dynamic.Has(DT_VERSYM)) {
    return;
  }
  VersionWalk walk{image, dynamic};
  if (dynamic.Has(DT_VERNEED)) {
    walk.Needed();
  }
  if (dynamic.Has(DT_VERDEF)) {
    walk.Defined();
  }
  const auto numbers = image.BytesAt(dynamic.Value(DT_VERSYM), symbols.Count() * sizeof(Elf64_Versym));
  if (!numbers) {
    Damaged("It has fewer versions than symbols.");
  }
  for (std::size_t i = 0; i < symbols.Count(); ++i) {
    if (!walk.IsKnown(ElfFile::Read<Elf64_Versym>(*numbers, i) & kIndexMask)) {
      Damaged("A symbol is of a version that nothing defines.");
    }
  }
}

}  // namespace muster::plugins
