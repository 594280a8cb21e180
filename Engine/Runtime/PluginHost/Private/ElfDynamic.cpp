// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ElfDynamic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace muster::plugins {
namespace {

/// Entries that a plugin may have, each once. DT_NEEDED is the only one that may stand several times.
constexpr std::int64_t kKnown[]{DT_PLTRELSZ,
                                DT_PLTGOT,
                                DT_HASH,
                                DT_STRTAB,
                                DT_SYMTAB,
                                DT_RELA,
                                DT_RELASZ,
                                DT_RELAENT,
                                DT_STRSZ,
                                DT_SYMENT,
                                DT_INIT,
                                DT_FINI,
                                DT_SONAME,
                                DT_SYMBOLIC,
                                DT_PLTREL,
                                DT_DEBUG,
                                DT_JMPREL,
                                DT_BIND_NOW,
                                DT_INIT_ARRAY,
                                DT_FINI_ARRAY,
                                DT_INIT_ARRAYSZ,
                                DT_FINI_ARRAYSZ,
                                DT_FLAGS,
                                kEntryRelrSize,
                                kEntryRelr,
                                kEntryRelrStep,
                                DT_GNU_HASH,
                                DT_TLSDESC_PLT,
                                DT_TLSDESC_GOT,
                                DT_VERSYM,
                                DT_RELACOUNT,
                                DT_FLAGS_1,
                                DT_VERDEF,
                                DT_VERDEFNUM,
                                DT_VERNEED,
                                DT_VERNEEDNUM,
                                0x70000000 /* DT_X86_64_PLT */,
                                0x70000001 /* DT_X86_64_PLTSZ */,
                                0x70000003 /* DT_X86_64_PLTENT */};

/// Entries that make the loader open or run something that nobody has looked at.
struct ForbiddenEntry {
  std::int64_t tag;
  std::string_view cause;
};
constexpr std::array<ForbiddenEntry, 9> kForbidden{{
    {DT_RPATH, "It brings a search path for the libraries it needs (RPATH); what lies there could be anybody's."},
    {DT_RUNPATH, "It brings a search path for the libraries it needs (RUNPATH); what lies there could be anybody's."},
    {DT_TEXTREL, "Its code would have to be made writable for relocating (TEXTREL)."},
    {DT_PREINIT_ARRAY, "It has functions that run before everything else (PREINIT_ARRAY)."},
    {DT_AUDIT, "It names a library that is to watch the loader (AUDIT)."},
    {DT_DEPAUDIT, "It names a library that is to watch the loader (DEPAUDIT)."},
    {DT_CONFIG, "It names a configuration for the loader (CONFIG)."},
    {DT_AUXILIARY, "It stands in for another library (AUXILIARY)."},
    {DT_FILTER, "It stands in for another library (FILTER)."},
}};

constexpr std::uint64_t kKnownFlags = DF_ORIGIN | DF_SYMBOLIC | DF_BIND_NOW | DF_STATIC_TLS;
constexpr std::uint64_t kKnownFlags1 = DF_1_NOW | DF_1_NODELETE | DF_1_ORIGIN | DF_1_NOOPEN | DF_1_PIE;

constexpr std::size_t kMaxNeeded = 64;
constexpr std::uint64_t kMaxListBytes = 64 * 1024;      ///< of functions to start or end with
constexpr std::uint64_t kMaxPackedBytes = 1024 * 1024;  ///< of packed relocations, 63 slots in 8 bytes
constexpr std::size_t kMaxLibraryName = 255;

}  // namespace

ElfDynamic::ElfDynamic(const ElfImage& image) : m_image{image} {
  ReadEntries();
  CheckFlags();
  ReadNames();
  CheckTables();
  CheckCalls();
  CheckRelocationTables();
}

std::uint64_t ElfDynamic::Value(std::int64_t tag) const noexcept {
  const auto found = m_values.find(tag);
  return found == m_values.end() ? 0 : found->second;
}

ElfRange ElfDynamic::Range(std::int64_t addressTag, std::int64_t sizeTag) const noexcept {
  return Has(addressTag) && Has(sizeTag) ? ElfRange{Value(addressTag), Value(sizeTag)} : ElfRange{};
}

std::string_view ElfDynamic::NameAt(std::uint64_t offset) const {
  const std::string_view name = ElfFile::TextAt(m_names, offset);
  if (name.empty()) {
    Damaged("A name that it refers to is empty, too long or outside of its table of names.");
  }
  return name;
}

void ElfDynamic::ReadEntries() {
  const Elf64_Phdr* segment = m_image.Segment(PT_DYNAMIC);
  const Elf64_Shdr* section = m_image.File().FindSection(std::uint32_t{SHT_DYNAMIC});
  if (segment == nullptr || section == nullptr || segment->p_vaddr != section->sh_addr ||
      segment->p_memsz != section->sh_size || segment->p_filesz != segment->p_memsz) {
    Damaged("Its table of entries for the loader is missing, or not where its section is.");
  }
  const auto bytes = m_image.BytesAt(segment->p_vaddr, segment->p_memsz);
  const std::size_t count = bytes ? bytes->size() / sizeof(Elf64_Dyn) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = ElfFile::Read<Elf64_Dyn>(*bytes, i);
    if (entry.d_tag == DT_NULL) {
      return;
    }
    if (entry.d_tag == DT_NEEDED) {
      m_neededOffsets.push_back(entry.d_un.d_val);
      continue;
    }
    for (const ForbiddenEntry& forbidden : kForbidden) {
      if (forbidden.tag == entry.d_tag) {
        Forbidden(std::string{forbidden.cause});
      }
    }
    if (std::find(std::begin(kKnown), std::end(kKnown), entry.d_tag) == std::end(kKnown)) {
      Damaged(fmt::format("It has an entry for the loader of the unknown kind {:#x}.", entry.d_tag));
    }
    if (!m_values.emplace(entry.d_tag, entry.d_un.d_val).second) {
      Damaged(fmt::format("It has the entry for the loader {:#x} twice.", entry.d_tag));
    }
  }
  Damaged("Its table of entries for the loader has no end.");
}

void ElfDynamic::CheckFlags() const {
  if ((Value(DT_FLAGS) & DF_TEXTREL) != 0) {
    Forbidden("Its code would have to be made writable for relocating (TEXTREL).");
  }
  if ((Value(DT_FLAGS) & ~kKnownFlags) != 0) {
    Damaged(fmt::format("It has unknown flags, {:#x}.", Value(DT_FLAGS)));
  }
  if ((Value(DT_FLAGS_1) & ~kKnownFlags1) != 0) {
    Forbidden(
        fmt::format("It asks the loader for more than to be bound and kept apart (flags {:#x}).", Value(DT_FLAGS_1)));
  }
}

void ElfDynamic::ReadNames() {
  const Elf64_Shdr* symbols = m_image.File().FindSection(std::uint32_t{SHT_DYNSYM});
  const auto& sections = m_image.File().Sections();
  if (symbols == nullptr || symbols->sh_addr != Value(DT_SYMTAB) || Value(DT_SYMENT) != sizeof(Elf64_Sym) ||
      symbols->sh_size % sizeof(Elf64_Sym) != 0 || symbols->sh_link >= sections.size()) {
    Damaged("Its table of symbols is missing, or not where its section is.");
  }
  const Elf64_Shdr& names = sections[symbols->sh_link];
  const auto bytes = m_image.BytesAt(Value(DT_STRTAB), Value(DT_STRSZ));
  if (!bytes || bytes->empty() || names.sh_addr != Value(DT_STRTAB) || names.sh_size != Value(DT_STRSZ) ||
      bytes->front() != std::byte{0} || bytes->back() != std::byte{0}) {
    Damaged("Its table of names is missing, has no end, or is not where its section is.");
  }
  m_names = *bytes;
  if (Has(DT_SONAME)) {
    m_soName = NameAt(Value(DT_SONAME));
  }
  if (m_neededOffsets.size() > kMaxNeeded) {
    Forbidden(fmt::format("It needs {} libraries; allowed are {}.", m_neededOffsets.size(), kMaxNeeded));
  }
  for (const std::uint64_t offset : m_neededOffsets) {
    const std::string_view name = NameAt(offset);
    if (name.find('/') != std::string_view::npos || name.find('$') != std::string_view::npos) {
      Forbidden(fmt::format("It needs a library by its path, {}, and not by its name.", name));
    }
    if (name.size() > kMaxLibraryName) {
      Damaged("The name of a library that it needs is longer than a file's can be.");
    }
    m_needed.emplace_back(name);
  }
}

void ElfDynamic::CheckSectionOf(std::uint32_t type, std::int64_t addressTag, std::int64_t sizeTag) const {
  const Elf64_Shdr* section = m_image.File().FindSection(type);
  const bool isThere = section != nullptr && section->sh_size != 0;
  if (isThere != Has(addressTag) ||
      (isThere && (section->sh_addr != Value(addressTag) || (sizeTag != 0 && section->sh_size != Value(sizeTag)))) ||
      (sizeTag != 0 && Has(addressTag) != Has(sizeTag))) {
    Damaged(fmt::format("Its entry {:#x} does not agree with its section.", addressTag));
  }
  if (isThere && !m_image.BytesAt(section->sh_addr, section->sh_size)) {
    Damaged(fmt::format("Its entry {:#x} points to nothing.", addressTag));
  }
}

void ElfDynamic::CheckTables() const {
  CheckSectionOf(SHT_HASH, DT_HASH, 0);
  CheckSectionOf(SHT_GNU_HASH, DT_GNU_HASH, 0);
  CheckSectionOf(SHT_GNU_versym, DT_VERSYM, 0);
  CheckSectionOf(SHT_GNU_verneed, DT_VERNEED, 0);
  CheckSectionOf(SHT_GNU_verdef, DT_VERDEF, 0);
  if (!Has(DT_HASH) && !Has(DT_GNU_HASH)) {
    Damaged("It has no hash table to find symbols with.");
  }
  if (Has(DT_VERNEED) != Has(DT_VERNEEDNUM) || Has(DT_VERDEF) != Has(DT_VERDEFNUM) ||
      Has(DT_VERSYM) != (Has(DT_VERNEED) || Has(DT_VERDEF))) {
    Damaged("Its entries for versions of symbols are incomplete.");
  }
}

void ElfDynamic::CheckCalls() const {
  CheckSectionOf(SHT_INIT_ARRAY, DT_INIT_ARRAY, DT_INIT_ARRAYSZ);
  CheckSectionOf(SHT_FINI_ARRAY, DT_FINI_ARRAY, DT_FINI_ARRAYSZ);
  if (m_image.File().FindSection(std::uint32_t{SHT_PREINIT_ARRAY}) != nullptr) {
    Forbidden("It has functions that run before everything else (PREINIT_ARRAY).");
  }
  if (Value(DT_INIT_ARRAYSZ) % sizeof(std::uint64_t) != 0 || Value(DT_FINI_ARRAYSZ) % sizeof(std::uint64_t) != 0 ||
      Value(DT_INIT_ARRAYSZ) > kMaxListBytes || Value(DT_FINI_ARRAYSZ) > kMaxListBytes) {
    Damaged("Its lists of functions to start and end with are not whole, or without end.");
  }
  struct Function {
    std::int64_t tag;
    std::string_view section;
  };
  for (const Function& function : {Function{DT_INIT, ".init"}, Function{DT_FINI, ".fini"}}) {
    const Elf64_Shdr* section = m_image.File().FindSection(function.section);
    const bool isThere = section != nullptr && section->sh_size != 0;
    if (isThere != Has(function.tag) || (isThere && !m_image.IsCode(section->sh_addr))) {
      Damaged(fmt::format("The section {} and the function it starts or ends with do not agree.", function.section));
    }
    if (isThere && section->sh_addr != Value(function.tag)) {
      Forbidden(
          fmt::format("It starts or ends with another function than its section {} (-init, -fini).", function.section));
    }
  }
  if (const Elf64_Shdr* table = m_image.SectionAt(Value(DT_PLTGOT), 1);
      Has(DT_PLTGOT) &&
      (table == nullptr || table->sh_addr != Value(DT_PLTGOT) || (table->sh_flags & SHF_WRITE) == 0)) {
    Damaged("Its table of addresses (PLTGOT) is not a section of its own.");
  }
}

void ElfDynamic::CheckRelocationTables() const {
  CheckSectionOf(kSectionRelr, kEntryRelr, kEntryRelrSize);
  if (Has(kEntryRelr) &&
      (Value(kEntryRelrStep) != sizeof(std::uint64_t) || Value(kEntryRelrSize) % sizeof(std::uint64_t) != 0 ||
       Value(kEntryRelrSize) > kMaxPackedBytes)) {
    Damaged("Its packed relocations are not whole.");
  }
  const bool hasAny = Has(DT_RELA) || Has(DT_RELASZ) || Has(DT_RELAENT);
  const bool hasPlt = Has(DT_JMPREL) || Has(DT_PLTRELSZ) || Has(DT_PLTREL);
  if ((hasAny && !(Has(DT_RELA) && Has(DT_RELASZ) && Value(DT_RELAENT) == sizeof(Elf64_Rela))) ||
      (hasPlt && !(Has(DT_JMPREL) && Has(DT_PLTRELSZ) && Value(DT_PLTREL) == DT_RELA))) {
    Damaged("Its entries for relocations are incomplete.");
  }
  const std::array<ElfRange, 2> tables{Range(DT_RELA, DT_RELASZ), Range(DT_JMPREL, DT_PLTRELSZ)};
  std::uint64_t inSections = 0;
  for (const Elf64_Shdr& section : m_image.File().Sections()) {
    if (section.sh_type == SHT_RELA && (section.sh_flags & SHF_ALLOC) != 0 && section.sh_size != 0) {
      const bool isListed = std::any_of(tables.begin(), tables.end(), [&section](const ElfRange& table) {
        return table.Contains(section.sh_addr) && section.sh_size <= table.size - (section.sh_addr - table.address);
      });
      if (!isListed) {
        Damaged("Relocations of it are not listed for the loader.");
      }
      inSections += section.sh_size;
    }
  }
  for (const ElfRange& table : tables) {
    if (table.size % sizeof(Elf64_Rela) != 0 || (table.size != 0 && !m_image.BytesAt(table.address, table.size))) {
      Damaged("Its relocations are not whole.");
    }
  }
  // Some linkers count the second table into the first as well.
  const bool isNested = tables[1].size != 0 && tables[0].Contains(tables[1].address);
  if (inSections != tables[0].size + (isNested ? 0 : tables[1].size) ||
      Value(DT_RELACOUNT) > tables[0].size / sizeof(Elf64_Rela)) {
    Damaged("It has another number of relocations than it tells the loader.");
  }
}

}  // namespace muster::plugins
