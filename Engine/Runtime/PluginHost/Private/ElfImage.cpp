// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ElfImage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kMaxSegmentAlignment = 2u * 1024u * 1024u;
constexpr std::uint64_t kMaxImageBytes = 1024u * 1024u * 1024u;
constexpr std::uint64_t kMaxThreadLocalBytes = 1024u * 1024u;
constexpr std::uint32_t kGnuSframe = 0x6474e554;  ///< of newer toolchains; unwinding tables that nobody has to read

[[nodiscard]] constexpr std::uint64_t PageOf(std::uint64_t address) noexcept {
  return address & ~(kPageBytes - 1);
}
[[nodiscard]] constexpr std::uint64_t PageEnd(std::uint64_t address) noexcept {
  return PageOf(address + kPageBytes - 1);
}
[[nodiscard]] constexpr bool HasFlags(std::uint64_t value, std::uint64_t flags) noexcept {
  return (value & flags) == flags;
}

/// True for a range that does not wrap and lies below the largest image.
[[nodiscard]] constexpr bool IsRange(std::uint64_t address, std::uint64_t size) noexcept {
  return address <= kMaxImageBytes && size <= kMaxImageBytes - address;
}

/// The only sections that the loader may make read-only once it has relocated them.
[[nodiscard]] bool IsRelocatedOnce(std::string_view name, const Elf64_Shdr& section) noexcept {
  constexpr std::array<std::string_view, 14> kNames{
      ".tdata",   ".tbss", ".init_array", ".fini_array", ".ctors",    ".dtors",         ".jcr",
      ".dynamic", ".got",  ".got.plt",    ".bss.rel.ro", ".eh_frame", ".relro_padding", ".gcc_except_table"};
  return (section.sh_flags & SHF_WRITE) == 0 || name.substr(0, 12) == ".data.rel.ro" ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Notes are a chain by their sizes; the loader walks it.
void CheckNotes(std::span<const std::byte> bytes, std::uint64_t alignment) {
  if (alignment != 4 && alignment != 8) {
    return;  // Of an alignment that the loader passes over; a sanitizer's padding makes such.
  }
  const std::uint64_t step = alignment;
  std::uint64_t at = 0;
  while (at < bytes.size()) {
    if (bytes.size() - at < sizeof(Elf64_Nhdr)) {
      Damaged("A note breaks off.");
    }
    const auto head = ElfFile::Read<Elf64_Nhdr>(bytes.subspan(static_cast<std::size_t>(at)));
    const std::uint64_t name = (sizeof(Elf64_Nhdr) + std::uint64_t{head.n_namesz} + step - 1) / step * step;
    const std::uint64_t whole = (name + std::uint64_t{head.n_descsz} + step - 1) / step * step;
    // The last note may lack the padding behind it.
    if (name + head.n_descsz > bytes.size() - at) {
      Damaged("A note is longer than its segment.");
    }
    at += whole;
  }
}

}  // namespace

void Damaged(std::string cause) {
  throw ElfProblem{kDamagedLibrary, std::move(cause)};
}
void Forbidden(std::string cause) {
  throw ElfProblem{kForbiddenLinkage, std::move(cause)};
}

ElfImage::ElfImage(const ElfFile& elf) : m_elf{elf} {
  CheckHead();
  CheckLoads();
  for (const Elf64_Phdr& segment : m_elf.Segments()) {
    CheckSegment(segment);
  }
  const Elf64_Phdr* stack = Segment(PT_GNU_STACK);
  if (stack == nullptr || (stack->p_flags & PF_X) != 0) {
    Forbidden("It asks for a stack that can be executed, by a flag or by not saying that it needs none.");
  }
  CheckSections();
  if (const Elf64_Phdr* relro = Segment(PT_GNU_RELRO)) {
    CheckProtection(*relro);
  }
  CheckThreadLocals();
  CheckUnwinding();
}

const Elf64_Phdr* ElfImage::LoadAt(std::uint64_t address, std::uint64_t size) const noexcept {
  if (!IsRange(address, size)) {
    return nullptr;
  }
  auto load = std::upper_bound(m_loads.begin(), m_loads.end(), address,
                               [](std::uint64_t value, const Elf64_Phdr& entry) { return value < entry.p_vaddr; });
  if (load == m_loads.begin()) {
    return nullptr;
  }
  --load;
  return address + size <= load->p_vaddr + load->p_memsz ? &*load : nullptr;
}

std::optional<std::span<const std::byte>> ElfImage::BytesAt(std::uint64_t address, std::uint64_t size) const noexcept {
  const Elf64_Phdr* load = LoadAt(address, size);
  if (load == nullptr || address - load->p_vaddr + size > load->p_filesz) {
    return std::nullopt;
  }
  return m_elf.Range(load->p_offset + (address - load->p_vaddr), size);
}

const Elf64_Shdr* ElfImage::SectionAt(std::uint64_t address, std::uint64_t size) const noexcept {
  if (!IsRange(address, size)) {
    return nullptr;
  }
  auto section = std::upper_bound(m_sections.begin(), m_sections.end(), address,
                                  [](std::uint64_t value, const Elf64_Shdr& entry) { return value < entry.sh_addr; });
  if (section == m_sections.begin()) {
    return nullptr;
  }
  --section;
  return address + size <= section->sh_addr + section->sh_size ? &*section : nullptr;
}

bool ElfImage::IsCode(std::uint64_t address) const noexcept {
  const Elf64_Shdr* section = SectionAt(address, 1);
  return section != nullptr && (section->sh_flags & SHF_EXECINSTR) != 0;
}

bool ElfImage::IsWritable(std::uint64_t address, std::uint64_t size) const noexcept {
  const Elf64_Phdr* load = LoadAt(address, size);
  const Elf64_Shdr* section = SectionAt(address, size);
  return load != nullptr && (load->p_flags & PF_W) != 0 && section != nullptr && (section->sh_flags & SHF_WRITE) != 0;
}

const Elf64_Phdr* ElfImage::Segment(std::uint32_t type) const noexcept {
  const auto& segments = m_elf.Segments();
  const auto found = std::find_if(segments.begin(), segments.end(),
                                  [type](const Elf64_Phdr& segment) { return segment.p_type == type; });
  return found == segments.end() ? nullptr : &*found;
}

void ElfImage::CheckHead() const {
  const Elf64_Ehdr& head = m_elf.Head();
  const unsigned system = head.e_ident[EI_OSABI];
  const bool isPadded = std::all_of(std::begin(head.e_ident) + EI_ABIVERSION, std::end(head.e_ident),
                                    [](unsigned char byte) { return byte == 0; });
  if (head.e_ident[EI_VERSION] != EV_CURRENT || head.e_version != EV_CURRENT || !isPadded || head.e_flags != 0 ||
      (system != ELFOSABI_SYSV && system != ELFOSABI_GNU) || head.e_ehsize != sizeof(Elf64_Ehdr)) {
    Damaged("Its head has values that no library for Linux on x86-64 has.");
  }
}

void ElfImage::CheckLoads() {
  for (const Elf64_Phdr& segment : m_elf.Segments()) {
    if (segment.p_type != PT_LOAD) {
      continue;
    }
    if (!IsRange(segment.p_vaddr, segment.p_memsz) || segment.p_filesz > segment.p_memsz || segment.p_memsz == 0) {
      Damaged("A segment of its code or data has an impossible size.");
    }
    if (segment.p_align < kPageBytes || segment.p_align > kMaxSegmentAlignment ||
        !std::has_single_bit(segment.p_align) || ((segment.p_vaddr - segment.p_offset) & (segment.p_align - 1)) != 0) {
      Damaged("A segment of its code or data is aligned as it cannot be.");
    }
    if (!m_loads.empty() && PageOf(segment.p_vaddr) < m_end) {
      Damaged("Segments of its code or data overlap or are out of order.");
    }
    if ((segment.p_flags & ~std::uint32_t{PF_R | PF_W | PF_X}) != 0 || (segment.p_flags & PF_R) == 0) {
      Damaged("A segment of its code or data has impossible rights.");
    }
    if (HasFlags(segment.p_flags, PF_W | PF_X)) {
      Forbidden("A segment is writable and executable at once.");
    }
    if (segment.p_memsz > segment.p_filesz && (segment.p_flags & PF_W) == 0) {
      Damaged("A segment that cannot be written has zeros to be filled in.");
    }
    m_loads.push_back(segment);
    m_end = PageEnd(segment.p_vaddr + segment.p_memsz);
  }
  const Elf64_Ehdr& head = m_elf.Head();
  const std::uint64_t tableBytes = std::uint64_t{head.e_phnum} * sizeof(Elf64_Phdr);
  if (m_loads.empty() || m_loads.front().p_offset != 0 || m_loads.front().p_vaddr != 0 ||
      head.e_phoff + tableBytes > m_loads.front().p_filesz) {
    Damaged("Its first segment does not begin with the head and the table of segments.");
  }
}

void ElfImage::CheckSegment(const Elf64_Phdr& segment) const {
  constexpr std::array<std::uint32_t, 7> kOnce{PT_DYNAMIC,      PT_TLS,       PT_PHDR,     PT_INTERP,
                                               PT_GNU_EH_FRAME, PT_GNU_STACK, PT_GNU_RELRO};
  constexpr std::array<std::uint32_t, 4> kMany{PT_LOAD, PT_NOTE, PT_GNU_PROPERTY, kGnuSframe};
  const bool isOnce = std::find(kOnce.begin(), kOnce.end(), segment.p_type) != kOnce.end();
  if (!isOnce && std::find(kMany.begin(), kMany.end(), segment.p_type) == kMany.end()) {
    Damaged(fmt::format("It has a segment of the unknown kind {:#x}.", segment.p_type));
  }
  if (isOnce && std::count_if(m_elf.Segments().begin(), m_elf.Segments().end(),
                              [&segment](const Elf64_Phdr& other) { return other.p_type == segment.p_type; }) != 1) {
    Damaged("It has two segments of a kind that there is once.");
  }
  if (segment.p_type == PT_LOAD || segment.p_type == PT_GNU_STACK) {
    return;
  }
  if (segment.p_filesz > segment.p_memsz) {
    Damaged("A segment is longer in the file than in memory.");
  }
  if (segment.p_type == PT_GNU_RELRO || (segment.p_type == PT_TLS && segment.p_filesz == 0)) {
    return;  // CheckProtection looks at the one; a thread's zeros have an address, but no place in the image.
  }
  const auto bytes = BytesAt(segment.p_vaddr, segment.p_type == PT_TLS ? segment.p_filesz : segment.p_memsz);
  const Elf64_Phdr* load = LoadAt(segment.p_vaddr, segment.p_filesz);
  if (!bytes || segment.p_vaddr - load->p_vaddr != segment.p_offset - load->p_offset) {
    Damaged(fmt::format("A segment of the kind {:#x} is not where the image is.", segment.p_type));
  }
  if (segment.p_type == PT_NOTE || segment.p_type == PT_GNU_PROPERTY) {
    CheckNotes(*bytes, segment.p_align);
  }
  if (segment.p_type == PT_DYNAMIC && (segment.p_flags & PF_W) != 0 && (load->p_flags & PF_W) == 0) {
    Damaged("The loader would write to its table of entries, which is not writable.");
  }
}

void ElfImage::CheckSections() {
  for (const Elf64_Shdr& section : m_elf.Sections()) {
    const bool isThreadZeros = section.sh_type == SHT_NOBITS && (section.sh_flags & SHF_TLS) != 0;
    if ((section.sh_flags & SHF_ALLOC) == 0 || section.sh_size == 0 || isThreadZeros) {
      continue;
    }
    const Elf64_Phdr* load = LoadAt(section.sh_addr, section.sh_size);
    if (load == nullptr) {
      Damaged(fmt::format("The section {} lies outside of what is loaded.", m_elf.NameOf(section)));
    }
    const std::uint64_t at = section.sh_addr - load->p_vaddr;
    const bool isPlaced = section.sh_type == SHT_NOBITS
                              ? at >= load->p_filesz
                              : at + section.sh_size <= load->p_filesz && section.sh_offset == load->p_offset + at;
    if (!isPlaced) {
      Damaged(fmt::format("The section {} is elsewhere in the file than its segment says.", m_elf.NameOf(section)));
    }
    if (HasFlags(section.sh_flags, SHF_WRITE | SHF_EXECINSTR)) {
      Forbidden(fmt::format("The section {} is writable and executable at once.", m_elf.NameOf(section)));
    }
    if (((section.sh_flags & SHF_WRITE) != 0 && (load->p_flags & PF_W) == 0) ||
        ((section.sh_flags & SHF_EXECINSTR) != 0 && (load->p_flags & PF_X) == 0)) {
      Damaged(fmt::format("The section {} needs rights that its segment does not have.", m_elf.NameOf(section)));
    }
    m_sections.push_back(section);
  }
  std::sort(m_sections.begin(), m_sections.end(),
            [](const Elf64_Shdr& left, const Elf64_Shdr& right) { return left.sh_addr < right.sh_addr; });
  for (std::size_t i = 1; i < m_sections.size(); ++i) {
    if (m_sections[i - 1].sh_addr + m_sections[i - 1].sh_size > m_sections[i].sh_addr) {
      Damaged("Sections of it overlap.");
    }
  }
}

void ElfImage::CheckProtection(const Elf64_Phdr& segment) const {
  const Elf64_Phdr* load = LoadAt(segment.p_vaddr, 1);
  if (load == nullptr || (load->p_flags & PF_W) == 0 || !IsRange(segment.p_vaddr, segment.p_memsz) ||
      segment.p_vaddr + segment.p_memsz > PageEnd(load->p_vaddr + load->p_memsz)) {
    Damaged("What is to be protected after relocating is not in one writable segment.");
  }
  const std::uint64_t begin = PageOf(segment.p_vaddr);
  const std::uint64_t end = PageOf(segment.p_vaddr + segment.p_memsz);
  for (const Elf64_Shdr& section : m_sections) {
    const bool isTouched = section.sh_addr < end && section.sh_addr + section.sh_size > begin;
    if (isTouched && !IsRelocatedOnce(m_elf.NameOf(section), section)) {
      Damaged(fmt::format("The section {} is written to and would be protected.", m_elf.NameOf(section)));
    }
  }
}

void ElfImage::CheckThreadLocals() const {
  const Elf64_Phdr* segment = Segment(PT_TLS);
  if (segment != nullptr && (segment->p_memsz > kMaxThreadLocalBytes || !std::has_single_bit(segment->p_align) ||
                             segment->p_align > kPageBytes)) {
    Damaged("Its thread-local data has an impossible size.");
  }
  std::uint64_t fileEnd = segment == nullptr ? 0 : segment->p_vaddr;
  for (const Elf64_Shdr& section : m_elf.Sections()) {
    if ((section.sh_flags & (SHF_ALLOC | SHF_TLS)) != (SHF_ALLOC | SHF_TLS) || section.sh_size == 0) {
      continue;
    }
    if (segment == nullptr || section.sh_addr < segment->p_vaddr || !IsRange(section.sh_addr, section.sh_size) ||
        section.sh_addr + section.sh_size > segment->p_vaddr + segment->p_memsz ||
        section.sh_addralign > segment->p_align) {
      Damaged(fmt::format("The section {} is outside of the thread-local data.", m_elf.NameOf(section)));
    }
    if (section.sh_type != SHT_NOBITS) {
      fileEnd = std::max(fileEnd, section.sh_addr + section.sh_size);
    }
  }
  if (segment != nullptr && fileEnd != segment->p_vaddr + segment->p_filesz) {
    Damaged("Its thread-local data begins or ends elsewhere than its sections.");
  }
}

void ElfImage::CheckUnwinding() const {
  const Elf64_Phdr* segment = Segment(PT_GNU_EH_FRAME);
  const Elf64_Shdr* section = m_elf.FindSection(std::string_view{".eh_frame_hdr"});
  const bool isSame = segment != nullptr && section != nullptr && segment->p_vaddr == section->sh_addr &&
                      segment->p_memsz == section->sh_size;
  if (!isSame && (segment != nullptr || section != nullptr)) {
    Damaged("Its unwinding table is not where its section is.");
  }
}

}  // namespace muster::plugins
