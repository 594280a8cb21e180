// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A bounds-checked view of a 64-bit little-endian ELF shared object. Every accessor may be asked anything; what does
// not lie wholly inside the file does not exist.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "Core/Result.h"

namespace muster::plugins {

class ElfFile {
 public:
  /// Checks the head, the tables' places and that every part the loader would map is in the file. The bytes outlive it.
  [[nodiscard]] static Result<ElfFile> Open(std::span<const std::byte> file, std::string_view name);

  /// The segments' heads, and what the file's own head says.
  [[nodiscard]] const std::vector<Elf64_Phdr>& Segments() const noexcept { return m_segments; }
  [[nodiscard]] const Elf64_Ehdr& Head() const noexcept { return m_head; }
  /// The sections' heads.
  [[nodiscard]] const std::vector<Elf64_Shdr>& Sections() const noexcept { return m_sections; }
  /// Empty for an unreadable name.
  [[nodiscard]] std::string_view NameOf(const Elf64_Shdr& section) const noexcept;
  /// Nothing for a section without bytes in the file or outside of it.
  [[nodiscard]] std::optional<std::span<const std::byte>> BytesOf(const Elf64_Shdr& section) const noexcept;
  [[nodiscard]] const Elf64_Shdr* FindSection(std::uint32_t type) const noexcept;
  [[nodiscard]] const Elf64_Shdr* FindSection(std::string_view name) const noexcept;

  /// The zero-terminated text at `offset` of a table; empty when there is none, or none that ends within 4 KiB.
  [[nodiscard]] static std::string_view TextAt(std::span<const std::byte> table, std::uint64_t offset) noexcept;

  /// The `index`-th T of `bytes`; the caller has checked that it is there.
  template <class T>
  [[nodiscard]] static T Read(std::span<const std::byte> bytes, std::size_t index = 0) noexcept {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
  }

  /// Nothing where it does not lie wholly inside the file.
  [[nodiscard]] std::optional<std::span<const std::byte>> Range(std::uint64_t offset,
                                                                std::uint64_t size) const noexcept;

 private:
  std::span<const std::byte> m_file;
  Elf64_Ehdr m_head{};
  std::vector<Elf64_Phdr> m_segments;
  std::vector<Elf64_Shdr> m_sections;
  std::span<const std::byte> m_names;
};

}  // namespace muster::plugins
