// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ElfRelocations.h"

#include <fmt/format.h>

#include <algorithm>

namespace muster::plugins {
namespace {

constexpr std::uint64_t kSlotBytes = sizeof(std::uint64_t);

class Walk {
 public:
  Walk(const ElfImage& image, const ElfDynamic& dynamic, const ElfSymbols& symbols, ElfPointers& pointers)
      : m_image{image}, m_dynamic{dynamic}, m_symbols{symbols}, m_pointers{pointers} {}

  void Table(const ElfRange& range, std::uint64_t relativeOnes) {
    const auto bytes = m_image.BytesAt(range.address, range.size);
    const std::size_t count = bytes ? bytes->size() / sizeof(Elf64_Rela) : 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto relocation = ElfFile::Read<Elf64_Rela>(*bytes, i);
      if (i < relativeOnes && ELF64_R_TYPE(relocation.r_info) != R_X86_64_RELATIVE) {
        Damaged("Fewer of its relocations are plain ones than it says.");
      }
      One(relocation);
    }
  }

  /// An even word is the place of a slot, an odd one a map of the 63 slots behind the last.
  void Packed() {
    const auto bytes = m_image.BytesAt(m_dynamic.Value(kEntryRelr), m_dynamic.Value(kEntryRelrSize));
    const std::size_t count = bytes ? bytes->size() / kSlotBytes : 0;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto word = ElfFile::Read<std::uint64_t>(*bytes, i);
      if ((word & 1) == 0) {
        PackedSlot(word);
        at = word + kSlotBytes;
        continue;
      }
      for (unsigned bit = 1; bit < 64; ++bit) {
        if (((word >> bit) & 1) != 0) {
          PackedSlot(at + (bit - 1) * kSlotBytes);
        }
      }
      at += 63 * kSlotBytes;
    }
  }

 private:
  void One(const Elf64_Rela& relocation) {
    const auto type = static_cast<unsigned>(ELF64_R_TYPE(relocation.r_info));
    const std::uint64_t index = ELF64_R_SYM(relocation.r_info);
    if (index >= m_symbols.Count()) {
      Damaged("A relocation refers to a symbol that is not there.");
    }
    switch (type) {
      case R_X86_64_NONE:
        return;
      case R_X86_64_RELATIVE:
        Target(static_cast<std::uint64_t>(relocation.r_addend));
        m_pointers.Note(relocation.r_offset, static_cast<std::uint64_t>(relocation.r_addend));
        break;
      case R_X86_64_64:
      case R_X86_64_GLOB_DAT:
      case R_X86_64_JUMP_SLOT:
        if (index == 0) {
          Damaged("A relocation refers to no symbol.");
        }
        m_pointers.Note(relocation.r_offset, ValueOf(index, relocation.r_addend));
        break;
      case R_X86_64_DTPMOD64:
      case R_X86_64_DTPOFF64:
      case R_X86_64_TPOFF64:
      case R_X86_64_TLSDESC:
        CheckThreadLocal(index);
        break;
      case R_X86_64_IRELATIVE:
        Forbidden(
            "A function of it is chosen while it is loaded (IFUNC), which would run code of it before it is "
            "accepted.");
      default:
        Damaged(fmt::format("It has a relocation of the kind {}, which no shared library needs.", type));
    }
    Slot(relocation.r_offset, type == R_X86_64_TLSDESC ? 2 * kSlotBytes : kSlotBytes);
  }

  void PackedSlot(std::uint64_t slot) {
    Slot(slot, kSlotBytes);
    const auto bytes = m_image.BytesAt(slot, kSlotBytes);
    if (!bytes) {
      Damaged("A packed relocation has no value.");
    }
    const auto target = ElfFile::Read<std::uint64_t>(*bytes);
    Target(target);
    m_pointers.Note(slot, target);
  }

  void Slot(std::uint64_t slot, std::uint64_t size) const {
    const Elf64_Phdr* entries = m_image.Segment(PT_DYNAMIC);
    if (!m_image.IsWritable(slot, size) || ElfRange{entries->p_vaddr, entries->p_memsz}.Contains(slot)) {
      Damaged("A relocation would write where no data is.");
    }
  }

  void Target(std::uint64_t target) const {
    if (target > m_image.End()) {
      Damaged("A relocation would make a pointer out of the image.");
    }
  }

  [[nodiscard]] std::uint64_t ValueOf(std::uint64_t index, std::int64_t addend) const {
    const Elf64_Sym symbol = m_symbols.At(static_cast<std::size_t>(index));
    if (symbol.st_shndx == SHN_UNDEF) {
      // A weak one may be found nowhere: null then.
      return ELF64_ST_BIND(symbol.st_info) == STB_WEAK ? ElfPointers::kNowhere : ElfPointers::kElsewhere;
    }
    // An absolute value is no place of the image, whatever it looks like.
    return symbol.st_shndx == SHN_ABS ? ElfPointers::kNowhere : symbol.st_value + static_cast<std::uint64_t>(addend);
  }

  void CheckThreadLocal(std::uint64_t index) const {
    bool isHere = true;
    if (index != 0) {
      const Elf64_Sym symbol = m_symbols.At(static_cast<std::size_t>(index));
      isHere = symbol.st_shndx != SHN_UNDEF;
      if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS) {
        Damaged("A relocation takes a symbol for thread-local data that is none.");
      }
    }
    const Elf64_Phdr* segment = m_image.Segment(PT_TLS);
    if (isHere && (segment == nullptr || segment->p_memsz == 0)) {
      Damaged("A relocation refers to thread-local data that is not there.");
    }
  }

  const ElfImage& m_image;
  const ElfDynamic& m_dynamic;
  const ElfSymbols& m_symbols;
  ElfPointers& m_pointers;
};

}  // namespace

void ElfPointers::Note(std::uint64_t slot, std::uint64_t target) {
  if (std::any_of(m_ranges.begin(), m_ranges.end(), [slot](const ElfRange& range) { return range.Contains(slot); })) {
    m_targets[slot] = target;
  }
}

bool ElfPointers::IsFunction(const ElfImage& image, std::uint64_t slot) const {
  const auto target = m_targets.find(slot);
  return target != m_targets.end() && (target->second == kElsewhere || image.IsCode(target->second));
}

void CheckRelocations(const ElfImage& image, const ElfDynamic& dynamic, const ElfSymbols& symbols,
                      ElfPointers& pointers) {
  Walk walk{image, dynamic, symbols, pointers};
  walk.Table(dynamic.Range(DT_RELA, DT_RELASZ), dynamic.Value(DT_RELACOUNT));
  walk.Table(dynamic.Range(DT_JMPREL, DT_PLTRELSZ), 0);
  walk.Packed();
  for (const ElfRange& list :
       {dynamic.Range(DT_INIT_ARRAY, DT_INIT_ARRAYSZ), dynamic.Range(DT_FINI_ARRAY, DT_FINI_ARRAYSZ)}) {
    for (std::uint64_t at = 0; at < list.size; at += kSlotBytes) {
      if (!pointers.IsFunction(image, list.address + at)) {
        Damaged("A function that it starts or ends with is not code of it.");
      }
    }
  }
}

}  // namespace muster::plugins
