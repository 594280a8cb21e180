// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The two readers of plugin files that were copied from anywhere: the descriptor, and the ELF library with its note.
// Whatever a reader takes stays within what it promises; whatever is refused, is refused with a code and a sentence.
#include "FuzzInput.h"
#include "FuzzSeeds.h"

#include "Core/Utf8.h"
#include "PluginApi/Entry.h"
#include "PluginHost/Descriptor.h"
#include "PluginHost/LibraryInspector.h"

#include <elf.h>

#include <string>
#include <utility>
#include <vector>

namespace muster::fuzz {
namespace {

void RequireNamed(const Error& error) {
  Require(error.code.number != 0 && !error.sentence.empty(), "what is wrong is named");
  const std::string line = error.ToString();
  Require(EscapeControl(line) == line && IsValidUtf8(line), "an error is one line of text");
}

const plugins::Descriptor& SomeDescriptor() {
  static const plugins::Descriptor descriptor = [] {
    plugins::Descriptor made;
    made.id = "com.example.fuzz";
    made.kind = plugins::PluginKind::SnapshotCodec;
    made.provides = {std::string{plugins::InterfaceOf(made.kind)}};
    return made;
  }();
  return descriptor;
}

void Descriptor(std::string_view text) {
  const auto descriptor = plugins::ParseDescriptor(text, "plugin.json");
  if (!descriptor) {
    RequireNamed(descriptor.Failure());
    return;
  }
  Require(plugins::IsPluginId(descriptor->id) && !plugins::IsReservedId(descriptor->id), "an id is one that may be");
  const std::string_view needed = plugins::InterfaceOf(descriptor->kind);
  Require(std::find(descriptor->provides.begin(), descriptor->provides.end(), needed) != descriptor->provides.end(),
          "a plugin provides what its kind promises");
  const auto again = plugins::ParseDescriptor(text, "elsewhere");
  Require(again.HasValue() && again->digest == descriptor->digest, "one text has one digest");
}

void Library(std::span<const std::uint8_t> bytes) {
  const auto facts = plugins::InspectLibrary(std::as_bytes(bytes), "library");
  if (!facts) {
    RequireNamed(facts.Failure());
    return;
  }
  // Every export is a name that stands in the file.
  for (const std::string& name : facts->exports) {
    Require(name.size() < bytes.size(), "a name is no longer than its file");
  }
  const plugins::LibraryVerdict verdict = plugins::JudgeLibrary(*facts, SomeDescriptor(), {}, true);
  Require(!verdict.failures.empty(), "no library of this corpus is the plugin that is asked for");
  for (const Error& error : verdict.failures) {
    RequireNamed(error);
  }
  for (const Error& error : verdict.warnings) {
    RequireNamed(error);
  }
}

/// The smallest library that has everything a reader looks at: segments, sections, symbols,
/// their hash table, the note.
/// Addresses are offsets.
class SmallLibrary {
 public:
  explicit SmallLibrary(bool isPinned) {
    constexpr std::size_t kDynamic = 0x100;
    constexpr std::size_t kSymbols = 0x180;
    constexpr std::size_t kStrings = 0x1E0;
    constexpr std::size_t kHash = 0x220;
    constexpr std::size_t kNote = 0x240;
    constexpr std::size_t kNames = (kNote + sizeof(mu_note_section) + 15) / 16 * 16;
    constexpr std::size_t kSections = kNames + 0x40;
    constexpr std::size_t kEnd = kSections + 6 * sizeof(Elf64_Shdr);
    m_bytes.resize(kEnd);

    Elf64_Ehdr head{};
    std::memcpy(head.e_ident, ELFMAG, SELFMAG);
    head.e_ident[EI_CLASS] = ELFCLASS64;
    head.e_ident[EI_DATA] = ELFDATA2LSB;
    head.e_ident[EI_VERSION] = EV_CURRENT;
    head.e_type = ET_DYN;
    head.e_machine = EM_X86_64;
    head.e_version = EV_CURRENT;
    head.e_phoff = sizeof head;
    head.e_ehsize = sizeof head;
    head.e_phentsize = sizeof(Elf64_Phdr);
    head.e_phnum = 3;
    head.e_shoff = kSections;
    head.e_shentsize = sizeof(Elf64_Shdr);
    head.e_shnum = 6;
    head.e_shstrndx = 5;
    Put(0, head);
    Put(sizeof head, Segment(PT_LOAD, 0, kEnd));
    Put(sizeof head + sizeof(Elf64_Phdr), Segment(PT_DYNAMIC, kDynamic, 7 * sizeof(Elf64_Dyn)));
    Put(sizeof head + 2 * sizeof(Elf64_Phdr), Segment(PT_NOTE, kNote, sizeof(mu_note_section)));

    std::size_t at = kDynamic;
    const std::pair<Elf64_Sxword, Elf64_Xword> tags[] = {
        {DT_STRTAB, kStrings}, {DT_STRSZ, 0x40},
        {DT_SYMTAB, kSymbols}, {DT_SYMENT, sizeof(Elf64_Sym)},
        {DT_HASH, kHash},      {DT_FLAGS_1, isPinned ? DF_1_NODELETE : 0U},
        {DT_NULL, 0}};
    for (const auto& [tag, value] : tags) {
      Elf64_Dyn entry{};
      entry.d_tag = tag;
      entry.d_un.d_val = value;
      Put(at, entry);
      at += sizeof entry;
    }
    constexpr std::string_view kSymbolNames{"\0" MU_ENTRY_SYMBOL "\0__cxa_thread_atexit",
                                            1 + sizeof MU_ENTRY_SYMBOL + 20};
    std::copy(kSymbolNames.begin(), kSymbolNames.end(), m_bytes.begin() + kStrings);
    const std::size_t second = sizeof MU_ENTRY_SYMBOL + 1;
    Put(kSymbols + sizeof(Elf64_Sym), Symbol(1, STB_GLOBAL, 1));
    Put(kSymbols + 2 * sizeof(Elf64_Sym),
        Symbol(second, isPinned ? std::uint8_t{10} : std::uint8_t{STB_GLOBAL}, isPinned));
    const std::uint32_t hash[] = {1, 3, 1, 0, 2, 0};  // one bucket, three symbols, in a chain
    std::memcpy(m_bytes.data() + kHash, hash, sizeof hash);

    mu_note_section note{};
    note.name_size = sizeof MU_NOTE_NAME;
    note.description_size = sizeof note.description;
    note.type = MU_NOTE_TYPE;
    std::memcpy(note.name, MU_NOTE_NAME, sizeof MU_NOTE_NAME);
    note.description.note_version = MU_NOTE_VERSION;
    note.description.note_size = sizeof note.description;
    note.description.api_level = 1;
    note.description.pointer_bits = 64;
    std::memcpy(note.description.plugin_id, "com.example.other", 17);
    std::memcpy(note.description.version, "1.2.3", 5);
    std::memcpy(note.description.interfaces[0].id, "muster.snapshot_codec/0", 23);
    Put(kNote, note);

    constexpr char kSectionNames[] = "\0.note.muster\0.dynsym\0.dynstr\0.dynamic\0.shstrtab";
    std::memcpy(m_bytes.data() + kNames, kSectionNames, sizeof kSectionNames);
    const auto section = [&](std::size_t index, std::uint32_t type, std::uint32_t name, std::size_t offset,
                             std::size_t size, std::uint32_t link, std::size_t entry) {
      Elf64_Shdr made{};
      made.sh_type = type;
      made.sh_name = name;
      made.sh_flags = SHF_ALLOC;
      made.sh_addr = made.sh_offset = offset;
      made.sh_size = size;
      made.sh_link = link;
      made.sh_entsize = entry;
      Put(kSections + index * sizeof made, made);
    };
    section(1, SHT_NOTE, 1, kNote, sizeof(mu_note_section), 0, 0);
    section(2, SHT_DYNSYM, 14, kSymbols, 3 * sizeof(Elf64_Sym), 3, sizeof(Elf64_Sym));
    section(3, SHT_STRTAB, 22, kStrings, 0x40, 0, 0);
    section(4, SHT_DYNAMIC, 30, kDynamic, 7 * sizeof(Elf64_Dyn), 3, sizeof(Elf64_Dyn));
    section(5, SHT_STRTAB, 39, kNames, sizeof kSectionNames, 0, 0);
  }

  [[nodiscard]] const std::vector<std::uint8_t>& Bytes() const { return m_bytes; }

 private:
  template <class T>
  void Put(std::size_t at, const T& value) {
    std::memcpy(m_bytes.data() + at, &value, sizeof value);
  }
  static Elf64_Phdr Segment(std::uint32_t type, std::size_t at, std::size_t size) {
    Elf64_Phdr segment{};
    segment.p_type = type;
    segment.p_flags = PF_R;
    segment.p_offset = segment.p_vaddr = segment.p_paddr = at;
    segment.p_filesz = segment.p_memsz = size;
    segment.p_align = 4;
    return segment;
  }
  static Elf64_Sym Symbol(std::size_t name, std::uint8_t binding, bool isDefined) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<std::uint32_t>(name);
    symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(binding, STT_FUNC));
    symbol.st_shndx = isDefined ? std::uint16_t{1} : std::uint16_t{SHN_UNDEF};
    symbol.st_value = isDefined ? 0x10U : 0U;
    return symbol;
  }

  std::vector<std::uint8_t> m_bytes;
};

}  // namespace

Seeds MakeSeeds() {
  return {{"small_library", SmallLibrary{false}.Bytes()}, {"small_library_pinned", SmallLibrary{true}.Bytes()}};
}

}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> input(data, size);
  muster::fuzz::Descriptor(muster::fuzz::AsText(input));
  muster::fuzz::Library(input);
  return 0;
}
