// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The symbols of a library and what the loader uses to find them: hash tables and versions. All of it is walked here
// with bounds, since the loader walks it without.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "ElfDynamic.h"
#include "ElfImage.h"

namespace muster::plugins {

class ElfSymbols {
 public:
  /// Reads and checks. Both outlive it.
  ElfSymbols(const ElfImage& image, const ElfDynamic& dynamic);

  [[nodiscard]] std::size_t Count() const noexcept { return m_bytes.size() / sizeof(Elf64_Sym); }
  [[nodiscard]] Elf64_Sym At(std::size_t index) const noexcept { return ElfFile::Read<Elf64_Sym>(m_bytes, index); }
  [[nodiscard]] std::string_view NameOf(const Elf64_Sym& symbol) const noexcept {
    return ElfFile::TextAt(m_dynamic.Names(), symbol.st_name);
  }
  [[nodiscard]] static bool IsExport(const Elf64_Sym& symbol) noexcept;

 private:
  void CheckSymbol(const Elf64_Sym& symbol) const;
  void CheckPlace(const Elf64_Sym& symbol) const;
  void CheckGnuHash() const;
  void CheckHash() const;

  const ElfImage& m_image;
  const ElfDynamic& m_dynamic;
  std::span<const std::byte> m_bytes;
};

/// The versions that symbols are bound to: each chain ends, each name is there, each library is one that is loaded.
void CheckVersions(const ElfImage& image, const ElfDynamic& dynamic, const ElfSymbols& symbols);

/// The hash of System V's tables and of versions.
[[nodiscard]] std::uint32_t SystemVHash(std::string_view name) noexcept;

}  // namespace muster::plugins
