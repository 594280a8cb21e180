// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ElfFile.h"

#include <fmt/format.h>

#include <algorithm>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

/// Names overlap in a hostile file: without a bound, a small file could make a reader walk the same bytes for ever.
constexpr std::size_t kMaxNameBytes = 4096;

/// More than any linker writes. What is looked up for each of a file's symbols is looked for among these.
constexpr std::size_t kMaxSegments = 64;
constexpr std::size_t kMaxSections = 1024;

[[nodiscard]] Error NotALibrary(std::string_view name, std::string cause) {
  return Error{kNotALibrary, fmt::format("{} is no shared library.", name), std::move(cause),
               "Build or copy the library again; check that the file is complete."};
}

}  // namespace

Result<ElfFile> ElfFile::Open(std::span<const std::byte> file, std::string_view name) {
  ElfFile elf;
  elf.m_file = file;
  if (file.size() < EI_NIDENT || std::memcmp(file.data(), ELFMAG, SELFMAG) != 0) {
    return NotALibrary(name, "It does not begin like an ELF file.");
  }
  const auto identOf = [&file](std::size_t index) { return std::to_integer<unsigned>(file[index]); };
  if (identOf(EI_CLASS) != ELFCLASS64 || identOf(EI_DATA) != ELFDATA2LSB) {
    return Error{kWrongMachine, fmt::format("{} is a library for another kind of machine.", name),
                 "It is not 64-bit little-endian code.", "Build the plugin for x86-64 Linux."};
  }
  if (file.size() < sizeof(Elf64_Ehdr)) {
    return NotALibrary(name, "The file ends within its head: it is cut short.");
  }
  const auto head = Read<Elf64_Ehdr>(file);
  if (head.e_machine != EM_X86_64) {
    return Error{kWrongMachine, fmt::format("{} is a library for another kind of machine.", name),
                 fmt::format("Its machine number is {}; this host is x86-64 ({}).", head.e_machine, EM_X86_64),
                 "Build the plugin for x86-64 Linux."};
  }
  if (head.e_type != ET_DYN) {
    return NotALibrary(name, "It is ELF, but no shared object.");
  }
  if (head.e_phentsize != sizeof(Elf64_Phdr) || head.e_shentsize != sizeof(Elf64_Shdr)) {
    return NotALibrary(name, "It has no tables of segments and sections of a known form.");
  }
  const auto segments = elf.Range(head.e_phoff, std::uint64_t{head.e_phnum} * sizeof(Elf64_Phdr));
  const auto sections = elf.Range(head.e_shoff, std::uint64_t{head.e_shnum} * sizeof(Elf64_Shdr));
  if (!segments || !sections || head.e_phnum == 0 || head.e_shnum == 0) {
    return NotALibrary(name, "Its tables lie outside of the file: it is cut short.");
  }
  if (head.e_phnum > kMaxSegments || head.e_shnum > kMaxSections) {
    return NotALibrary(name, fmt::format("It has {} segments and {} sections; read are {} and {}.", head.e_phnum,
                                         head.e_shnum, kMaxSegments, kMaxSections));
  }
  elf.m_head = head;
  elf.m_segments.reserve(head.e_phnum);
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    const auto segment = Read<Elf64_Phdr>(*segments, i);
    elf.m_segments.push_back(segment);
    if (segment.p_type == PT_LOAD && !elf.Range(segment.p_offset, segment.p_filesz)) {
      return NotALibrary(name, "A part of its code or data lies outside of the file: it is cut short.");
    }
  }
  elf.m_sections.reserve(head.e_shnum);
  for (std::size_t i = 0; i < head.e_shnum; ++i) {
    elf.m_sections.push_back(Read<Elf64_Shdr>(*sections, i));
  }
  if (head.e_shstrndx < elf.m_sections.size()) {
    elf.m_names = elf.BytesOf(elf.m_sections[head.e_shstrndx]).value_or(std::span<const std::byte>{});
  }
  return elf;
}

std::optional<std::span<const std::byte>> ElfFile::Range(std::uint64_t offset, std::uint64_t size) const noexcept {
  if (offset > m_file.size() || size > m_file.size() - offset) {
    return std::nullopt;
  }
  return m_file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

std::string_view ElfFile::NameOf(const Elf64_Shdr& section) const noexcept {
  return TextAt(m_names, section.sh_name);
}

std::optional<std::span<const std::byte>> ElfFile::BytesOf(const Elf64_Shdr& section) const noexcept {
  return section.sh_type == SHT_NOBITS ? std::nullopt : Range(section.sh_offset, section.sh_size);
}

const Elf64_Shdr* ElfFile::FindSection(std::uint32_t type) const noexcept {
  const auto found = std::find_if(m_sections.begin(), m_sections.end(),
                                  [type](const Elf64_Shdr& section) { return section.sh_type == type; });
  return found == m_sections.end() ? nullptr : &*found;
}

const Elf64_Shdr* ElfFile::FindSection(std::string_view name) const noexcept {
  const auto found = std::find_if(m_sections.begin(), m_sections.end(),
                                  [this, name](const Elf64_Shdr& section) { return NameOf(section) == name; });
  return found == m_sections.end() ? nullptr : &*found;
}

std::string_view ElfFile::TextAt(std::span<const std::byte> table, std::uint64_t offset) noexcept {
  if (offset >= table.size()) {
    return {};
  }
  const auto* text = reinterpret_cast<const char*>(table.data()) + offset;
  const std::size_t room = std::min(table.size() - static_cast<std::size_t>(offset), kMaxNameBytes);
  const void* end = std::memchr(text, '\0', room);
  return end == nullptr ? std::string_view{}
                        : std::string_view{text, static_cast<std::size_t>(static_cast<const char*>(end) - text)};
}

}  // namespace muster::plugins
