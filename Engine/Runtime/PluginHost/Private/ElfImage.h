// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A library as it would lie in memory: which bytes the loader maps where, and with which rights. The loader believes
// what a file says of itself; whatever it would follow is checked here first, by segments as it sees them and against
// the sections, which tell the same a second time.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "Core/Error.h"
#include "ElfFile.h"

namespace muster::plugins {

/// Thrown by the checks of a library's structure, caught in InspectLibrary and never seen outside.
struct ElfProblem {
  ErrorCode code;
  std::string cause;
};

/// kDamagedLibrary: no linker writes this.
[[noreturn]] void Damaged(std::string cause);
/// kForbiddenLinkage: a linker can be asked for this, and must not be.
[[noreturn]] void Forbidden(std::string cause);

class ElfImage {
 public:
  /// Checks head, segments and sections. `elf` outlives it.
  explicit ElfImage(const ElfFile& elf);

  [[nodiscard]] const ElfFile& File() const noexcept { return m_elf; }
  /// One past the highest address that is mapped; addresses count from the image's base.
  [[nodiscard]] std::uint64_t End() const noexcept { return m_end; }

  /// The loaded segment that holds the whole range, or null.
  [[nodiscard]] const Elf64_Phdr* LoadAt(std::uint64_t address, std::uint64_t size) const noexcept;
  /// What the file has for a range of addresses; nothing where it is not mapped or zero-filled.
  [[nodiscard]] std::optional<std::span<const std::byte>> BytesAt(std::uint64_t address,
                                                                  std::uint64_t size) const noexcept;
  /// The mapped section that holds the whole range, or null.
  [[nodiscard]] const Elf64_Shdr* SectionAt(std::uint64_t address, std::uint64_t size) const noexcept;
  [[nodiscard]] bool IsCode(std::uint64_t address) const noexcept;
  [[nodiscard]] bool IsWritable(std::uint64_t address, std::uint64_t size) const noexcept;

  /// The one segment of a type that a library has at most once, or null.
  [[nodiscard]] const Elf64_Phdr* Segment(std::uint32_t type) const noexcept;

 private:
  void CheckHead() const;
  void CheckLoads();
  void CheckSegment(const Elf64_Phdr& segment) const;
  void CheckSections();
  void CheckProtection(const Elf64_Phdr& segment) const;
  void CheckThreadLocals() const;
  void CheckUnwinding() const;

  const ElfFile& m_elf;
  std::vector<Elf64_Phdr> m_loads;     ///< ascending, apart from each other
  std::vector<Elf64_Shdr> m_sections;  ///< mapped ones with bytes, ascending
  std::uint64_t m_end = 0;
};

}  // namespace muster::plugins
