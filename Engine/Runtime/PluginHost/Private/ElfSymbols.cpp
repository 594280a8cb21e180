// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ElfSymbols.h"

#include <fmt/format.h>

#include <bit>
#include <vector>

namespace muster::plugins {
namespace {

/// More than any plugin needs; every one of them may have a name to be hashed.
constexpr std::size_t kMaxSymbols = 65536;

[[nodiscard]] std::uint32_t GnuHash(std::string_view name) noexcept {
  std::uint32_t hash = 5381;
  for (const char letter : name) {
    hash = hash * 33 + static_cast<unsigned char>(letter);
  }
  return hash;
}

/// The hash table's own bytes, as long as its section says.
[[nodiscard]] std::span<const std::byte> TableOf(const ElfImage& image, std::uint64_t address, std::size_t headBytes) {
  const Elf64_Shdr* section = image.SectionAt(address, headBytes);
  const auto bytes = section == nullptr ? std::nullopt : image.BytesAt(section->sh_addr, section->sh_size);
  if (!bytes) {
    Damaged("Its hash table has no head.");
  }
  return *bytes;
}

[[nodiscard]] std::uint32_t WordAt(std::span<const std::byte> bytes, std::uint64_t index) noexcept {
  return ElfFile::Read<std::uint32_t>(bytes, static_cast<std::size_t>(index));
}

}  // namespace

std::uint32_t SystemVHash(std::string_view name) noexcept {
  std::uint32_t hash = 0;
  for (const char letter : name) {
    hash = (hash << 4) + static_cast<unsigned char>(letter);
    hash ^= (hash >> 24) & 0xf0u;
    hash &= 0x0fffffffu;
  }
  return hash;
}

ElfSymbols::ElfSymbols(const ElfImage& image, const ElfDynamic& dynamic) : m_image{image}, m_dynamic{dynamic} {
  const Elf64_Shdr* section = image.File().FindSection(std::uint32_t{SHT_DYNSYM});
  const auto bytes = section == nullptr ? std::nullopt : image.BytesAt(section->sh_addr, section->sh_size);
  if (!bytes || bytes->empty()) {
    Damaged("Its table of symbols is not in the file.");
  }
  m_bytes = *bytes;
  if (Count() > kMaxSymbols) {
    Damaged(fmt::format("It has {} symbols; read are {}.", Count(), kMaxSymbols));
  }
  for (std::size_t i = 1; i < Count(); ++i) {
    CheckSymbol(At(i));
  }
  if (dynamic.Has(DT_GNU_HASH)) {
    CheckGnuHash();
  }
  if (dynamic.Has(DT_HASH)) {
    CheckHash();
  }
}

bool ElfSymbols::IsExport(const Elf64_Sym& symbol) noexcept {
  const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

void ElfSymbols::CheckSymbol(const Elf64_Sym& symbol) const {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info);
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if ((binding > STB_WEAK && binding != STB_GNU_UNIQUE) || (type > STT_TLS && type != STT_GNU_IFUNC) ||
      symbol.st_other > STV_PROTECTED) {
    Damaged("A symbol of it is of an unknown kind.");
  }
  if (type == STT_SECTION || type == STT_FILE) {
    return;  // These stand for themselves and need no name.
  }
  const std::string_view name = m_dynamic.NameAt(symbol.st_name);
  if (symbol.st_shndx == SHN_UNDEF) {
    if (binding == STB_LOCAL || symbol.st_other != STV_DEFAULT || symbol.st_value != 0) {
      Damaged(fmt::format("The symbol {} is undefined, and could not be found anywhere.", name));
    }
    return;
  }
  if (type == STT_GNU_IFUNC) {
    Forbidden(
        fmt::format("The function {} is chosen while the library is loaded (IFUNC), which would run code of it "
                    "before it is accepted.",
                    name));
  }
  CheckPlace(symbol);
}

void ElfSymbols::CheckPlace(const Elf64_Sym& symbol) const {
  const std::string_view name = NameOf(symbol);
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if (symbol.st_shndx == SHN_ABS) {
    return;
  }
  if (type == STT_NOTYPE) {
    // Marks of the linker (_end, __bss_start) bear the number of a section that they lie behind.
    if (symbol.st_value > m_image.End()) {
      Damaged(fmt::format("The symbol {} is outside of the image.", name));
    }
    return;
  }
  const auto& sections = m_image.File().Sections();
  const Elf64_Shdr* section = symbol.st_shndx < sections.size() ? &sections[symbol.st_shndx] : nullptr;
  if (section == nullptr || (section->sh_flags & SHF_ALLOC) == 0) {
    Damaged(fmt::format("The symbol {} is in no section.", name));
  }
  if (type == STT_TLS) {
    const Elf64_Phdr* segment = m_image.Segment(PT_TLS);
    if (segment == nullptr || (section->sh_flags & SHF_TLS) == 0 || symbol.st_value > segment->p_memsz ||
        symbol.st_size > segment->p_memsz - symbol.st_value) {
      Damaged(fmt::format("The symbol {} is outside of the thread-local data.", name));
    }
    return;
  }
  const std::uint64_t at = symbol.st_value - section->sh_addr;
  if (symbol.st_value < section->sh_addr || at > section->sh_size || symbol.st_size > section->sh_size - at) {
    Damaged(fmt::format("The symbol {} is outside of its section.", name));
  }
  if (type == STT_FUNC && (section->sh_flags & SHF_EXECINSTR) == 0) {
    Damaged(fmt::format("The function {} is not in code.", name));
  }
}

void ElfSymbols::CheckGnuHash() const {
  const auto table = TableOf(m_image, m_dynamic.Value(DT_GNU_HASH), 4 * sizeof(std::uint32_t));
  const std::uint64_t words = table.size() / sizeof(std::uint32_t);
  const std::uint64_t buckets = WordAt(table, 0);
  const std::uint64_t filterWords = WordAt(table, 2);
  const std::uint32_t shift = WordAt(table, 3);
  const std::uint64_t filterBytes = filterWords * sizeof(std::uint64_t);
  const std::uint64_t bucketAt = 4 + filterBytes / sizeof(std::uint32_t);
  if (buckets == 0 || !std::has_single_bit(filterWords) || shift > 31 || bucketAt + buckets > words) {
    Damaged("Its hash table has an impossible head.");
  }
  bool isEmpty = true;
  for (std::uint64_t i = 0; i < buckets; ++i) {
    isEmpty = isEmpty && WordAt(table, bucketAt + i) == 0;
  }
  // Where a table without symbols begins says nothing.
  const std::uint64_t first = isEmpty ? Count() : WordAt(table, 1);
  const std::uint64_t hashed = first > Count() ? 0 : Count() - first;
  if (first > Count() || bucketAt + buckets + hashed > words) {
    Damaged("Its hash table does not fit its symbols.");
  }
  const auto filter = table.subspan(4 * sizeof(std::uint32_t), static_cast<std::size_t>(filterBytes));
  const std::uint64_t chainAt = bucketAt + buckets;
  std::uint64_t used = 0;
  std::uint64_t previous = buckets;
  for (std::uint64_t i = 0; i < hashed; ++i) {
    const std::uint32_t hash = GnuHash(NameOf(At(static_cast<std::size_t>(first + i))));
    const std::uint64_t bucket = hash % buckets;
    const auto word = ElfFile::Read<std::uint64_t>(filter, static_cast<std::size_t>((hash / 64) & (filterWords - 1)));
    const bool isFiltered = ((word >> (hash % 64)) & (word >> ((hash >> shift) % 64)) & 1) == 0;
    // A bucket's symbols lie in a row; the lowest bit ends the row.
    const bool isFirst = bucket != previous;
    const bool isEndBefore = i != 0 && (WordAt(table, chainAt + i - 1) & 1) != 0;
    if (isFiltered || ((WordAt(table, chainAt + i) ^ hash) >> 1) != 0 || (i != 0 && isFirst != isEndBefore) ||
        (isFirst && WordAt(table, bucketAt + bucket) != first + i)) {
      Damaged("Its hash table does not lead to its symbols.");
    }
    used += isFirst ? 1U : 0U;
    previous = bucket;
  }
  for (std::uint64_t i = 0; i < buckets; ++i) {
    used -= WordAt(table, bucketAt + i) != 0 ? 1U : 0U;
  }
  if (used != 0 || (hashed != 0 && (WordAt(table, chainAt + hashed - 1) & 1) == 0)) {
    Damaged("Its hash table leads beyond its symbols.");
  }
  for (std::uint64_t i = 1; i < first; ++i) {
    if (IsExport(At(static_cast<std::size_t>(i)))) {
      Damaged("Its hash table leaves a symbol out.");
    }
  }
}

void ElfSymbols::CheckHash() const {
  const auto table = TableOf(m_image, m_dynamic.Value(DT_HASH), 2 * sizeof(std::uint32_t));
  const std::uint64_t buckets = WordAt(table, 0);
  const std::uint64_t count = WordAt(table, 1);
  if (buckets == 0 || count != Count() || 2 + buckets + count > table.size() / sizeof(std::uint32_t)) {
    Damaged("Its hash table does not fit its symbols.");
  }
  std::vector<bool> isFound(Count(), false);
  for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
    for (std::uint32_t i = WordAt(table, 2 + bucket); i != 0; i = WordAt(table, 2 + buckets + i)) {
      // Each symbol is in one chain, once: so no chain is a circle.
      if (i >= count || isFound[i] || SystemVHash(NameOf(At(i))) % buckets != bucket) {
        Damaged("Its hash table does not lead to its symbols.");
      }
      isFound[i] = true;
    }
  }
  for (std::size_t i = 1; i < Count(); ++i) {
    if (IsExport(At(i)) && !isFound[i]) {
      Damaged("Its hash table leaves a symbol out.");
    }
  }
}

}  // namespace muster::plugins
