// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/LibraryInspector.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "ElfDynamic.h"
#include "ElfFile.h"
#include "ElfImage.h"
#include "ElfRelocations.h"
#include "ElfSymbols.h"
#include "PluginApi/Entry.h"
#include "PluginHost/Errors.h"
#include "PluginHost/Slot.h"

namespace muster::plugins {
namespace {

/// More names than this in a message help nobody.
constexpr std::size_t kNamesInMessage = 3;

/// More names than this are not kept: a plugin has one, and a hostile file could make every one of them long.
constexpr std::size_t kMaxNamesKept = 16384;

/// Reads the one note there may be; otherwise says what is wrong with it.
void ReadNote(const ElfFile& elf, LibraryFacts& facts) {
  const auto isNote = [&elf](const Elf64_Shdr& section) { return elf.NameOf(section) == ".note.muster"; };
  const auto& sections = elf.Sections();
  const auto section = std::find_if(sections.begin(), sections.end(), isNote);
  if (section == sections.end()) {
    facts.noteProblem = "It is a library, but it has no .note.muster: it is none of Muster's plugins.";
    return;
  }
  const auto bytes = elf.BytesOf(*section);
  // A sanitizer pads the note with zeros.
  if (std::count_if(sections.begin(), sections.end(), isNote) != 1 || !bytes ||
      bytes->size() < sizeof(mu_note_section) ||
      std::any_of(bytes->begin() + sizeof(mu_note_section), bytes->end(),
                  [](std::byte byte) { return byte != std::byte{0}; })) {
    facts.noteProblem = fmt::format("Its .note.muster is not one note of {} bytes.", sizeof(mu_note_section));
    return;
  }
  const auto note = ElfFile::Read<mu_note_section>(*bytes);
  if (note.name_size != sizeof(MU_NOTE_NAME) || std::memcmp(note.name, MU_NOTE_NAME, sizeof(MU_NOTE_NAME)) != 0 ||
      note.type != MU_NOTE_TYPE || note.description_size != sizeof(mu_note)) {
    facts.noteProblem = "Its .note.muster is a note of somebody else, or its sizes are wrong.";
    return;
  }
  if (note.description.note_version != MU_NOTE_VERSION || note.description.note_size != sizeof(mu_note)) {
    facts.noteProblem =
        fmt::format("Its note is of version {} and {} bytes; this host reads version {} of {} bytes.",
                    note.description.note_version, note.description.note_size, MU_NOTE_VERSION, sizeof(mu_note));
    return;
  }
  facts.note = note.description;
}

/// Where the entry lies: nothing when it is not exported, or not a whole one.
[[nodiscard]] ElfRange EntryIn(const ElfSymbols& symbols) {
  for (std::size_t i = 1; i < symbols.Count(); ++i) {
    const Elf64_Sym symbol = symbols.At(i);
    if (ElfSymbols::IsExport(symbol) && symbols.NameOf(symbol) == MU_ENTRY_SYMBOL) {
      // Of another kind it would not be found where it is read here.
      const bool isData = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_ABS;
      return isData ? ElfRange{symbol.st_value, symbol.st_size} : ElfRange{};
    }
  }
  return {};
}

void ReadEntry(const ElfImage& image, const ElfRange& place, const ElfPointers& pointers, LibraryFacts& facts) {
  const auto bytes = image.BytesAt(place.address, sizeof(mu_plugin_entry));
  if (!bytes || place.size < sizeof(mu_plugin_entry)) {
    return;
  }
  const auto entry = ElfFile::Read<mu_plugin_entry>(*bytes);
  bool hasFunctions = true;
  for (std::size_t at = offsetof(mu_plugin_entry, identity); at < sizeof(mu_plugin_entry); at += sizeof(void*)) {
    hasFunctions = hasFunctions && pointers.IsFunction(image, place.address + at);
  }
  facts.entry = EntryFacts{entry.magic, entry.struct_size, entry.api_level, hasFunctions};
}

void ReadSymbols(const ElfSymbols& symbols, LibraryFacts& facts) {
  for (std::size_t i = 1; i < symbols.Count(); ++i) {
    const Elf64_Sym symbol = symbols.At(i);
    const std::string_view name = symbols.NameOf(symbol);
    if (symbol.st_shndx == SHN_UNDEF) {
      facts.hasThreadDestructors |= name == "__cxa_thread_atexit" || name == "__cxa_thread_atexit_impl";
      continue;
    }
    if (ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE && facts.uniqueSymbols.size() < kMaxNamesKept) {
      facts.uniqueSymbols.emplace_back(name);
    }
    const bool isKept = facts.exports.size() < kMaxNamesKept || name == MU_ENTRY_SYMBOL;
    if (ElfSymbols::IsExport(symbol) && isKept) {
      facts.exports.emplace_back(name);
    }
  }
}

/// The text of a zero-padded field; the whole field when the end is missing.
template <std::size_t Size>
[[nodiscard]] std::string_view TextOf(const char (&field)[Size]) noexcept {
  return {field, static_cast<std::size_t>(std::find(std::begin(field), std::end(field), '\0') - std::begin(field))};
}

[[nodiscard]] std::string_view SanitizerName(std::uint32_t sanitizer) noexcept {
  return sanitizer == MU_SANITIZER_NONE      ? "none"
         : sanitizer == MU_SANITIZER_ADDRESS ? "address"
         : sanitizer == MU_SANITIZER_THREAD  ? "thread"
                                             : "an unknown one";
}

[[nodiscard]] std::string FirstOf(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kNamesInMessage);
  std::string text =
      fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

class Judgement {
 public:
  Judgement(const LibraryFacts& facts, const Descriptor& descriptor, const HostBuild& host, bool strict)
      : m_facts{facts}, m_descriptor{descriptor}, m_host{host}, m_strict{strict} {}

  [[nodiscard]] LibraryVerdict Run() {
    if (!m_facts.note) {
      Fail(kNoteMissing, m_facts.noteProblem,
           "Check which library plugin.json names; build plugins with MUSTER_PLUGIN or MU_DEFINE_NOTE.");
      return std::move(m_verdict);
    }
    CheckIdentity(*m_facts.note);
    CheckBuild(*m_facts.note);
    CheckInterfaces(*m_facts.note);
    CheckExports();
    CheckEntry();
    CheckSoName();
    CheckUnloadable();
    return std::move(m_verdict);
  }

 private:
  [[nodiscard]] Error Make(const ErrorCode& code, std::string cause, std::string action) const {
    return Error{code,
                 fmt::format("The library of {} {} was refused.", m_descriptor.id, m_descriptor.version.ToString()),
                 std::move(cause), std::move(action)};
  }
  void Fail(const ErrorCode& code, std::string cause, std::string action) {
    m_verdict.failures.push_back(Make(code, std::move(cause), std::move(action)));
  }
  void Warn(const ErrorCode& code, std::string cause, std::string action) {
    (m_strict ? m_verdict.failures : m_verdict.warnings).push_back(Make(code, std::move(cause), std::move(action)));
  }

  void CheckIdentity(const mu_note& note) {
    const std::string version = m_descriptor.version.ToString();
    if (TextOf(note.plugin_id) != m_descriptor.id || TextOf(note.version) != version) {
      Fail(kIdMismatch,
           fmt::format("The library says that it is {} {}, plugin.json says {} {}.", TextOf(note.plugin_id),
                       TextOf(note.version), m_descriptor.id, version),
           "Build again, so that descriptor and library are of one make.");
    }
  }

  void CheckBuild(const mu_note& note) {
    if (note.api_level != m_host.apiLevel) {
      Fail(kApiLevel, fmt::format("It was built for API level {}; this host has {}.", note.api_level, m_host.apiLevel),
           "Build the plugin against this engine's headers.");
    }
    if (note.pointer_bits != 8 * sizeof(void*)) {
      Fail(kWrongMachine, fmt::format("Its pointers have {} bits.", note.pointer_bits), "Build it for x86-64.");
    }
    if (note.sanitizer != m_host.sanitizer) {
      Fail(kSanitizerMismatch,
           fmt::format("Its sanitizer is {}, the host's is {}.", SanitizerName(note.sanitizer),
                       SanitizerName(m_host.sanitizer)),
           "Build plugin and host with the same preset.");
    }
    if (note.compiler != m_host.compiler || note.compiler_major != m_host.compilerMajor) {
      Warn(kToolchainDiffers,
           fmt::format("It was compiled by {} {}, the host by {} {}.", note.compiler == 2 ? "Clang" : "GCC",
                       note.compiler_major, m_host.compiler == 2 ? "Clang" : "GCC", m_host.compilerMajor),
           "Nothing, unless something goes wrong: the interface is plain C.");
    }
  }

  void CheckInterfaces(const mu_note& note) {
    for (const std::string& id : m_descriptor.provides) {
      const std::optional<std::uint64_t> ours = HostLayoutHash(id);
      if (!ours) {
        Warn(kLayoutMismatch, fmt::format("It provides {}, which this host does not know.", id),
             "Nothing, if it provides what you need as well.");
        continue;
      }
      const auto* entry = std::find_if(std::begin(note.interfaces), std::end(note.interfaces),
                                       [&id](const mu_note_interface& i) { return TextOf(i.id) == id; });
      if (entry == std::end(note.interfaces)) {
        Fail(kLayoutMismatch, fmt::format("plugin.json says that it provides {}; the library's note does not.", id),
             "Correct `provides`, or list the table in MUSTER_PLUGIN.");
        continue;
      }
      const std::uint64_t theirs = (std::uint64_t{entry->layout_hash_high} << 32) | entry->layout_hash_low;
      if (theirs != *ours) {
        Fail(kLayoutMismatch,
             fmt::format("The layout of {} has changed: the plugin was built against {:016x}, this host has {:016x}.",
                         id, theirs, *ours),
             "Build the plugin against this engine's headers.");
      }
    }
  }

  void CheckExports() {
    std::vector<std::string> extra = m_facts.exports;
    const auto entry = std::find(extra.begin(), extra.end(), MU_ENTRY_SYMBOL);
    if (entry == extra.end()) {
      Fail(kEntryMissing, fmt::format("It does not export {}.", MU_ENTRY_SYMBOL),
           "Use MUSTER_PLUGIN, or define the entry as Entry.h describes it.");
    } else {
      extra.erase(entry);
    }
    if (!extra.empty()) {
      Warn(kExtraExports, fmt::format("Beside its entry it exports {}.", FirstOf(extra)),
           "Compile with hidden visibility and link with a version script, as muster_add_plugin does.");
    }
  }

  /// The entry is plain data, so what it says is known before its library runs.
  void CheckEntry() {
    const bool isExported =
        std::find(m_facts.exports.begin(), m_facts.exports.end(), MU_ENTRY_SYMBOL) != m_facts.exports.end();
    if (!isExported) {
      return;  // CheckExports has said so.
    }
    constexpr const char* kAdvice = "Use MUSTER_PLUGIN, or define the entry as Entry.h describes it.";
    if (!m_facts.entry || m_facts.entry->magic != MU_ENTRY_MAGIC) {
      Fail(kEntryMissing, fmt::format("Its {} is something else than an entry.", MU_ENTRY_SYMBOL), kAdvice);
      return;
    }
    if (m_facts.entry->structSize < sizeof(mu_plugin_entry)) {
      Fail(kStructTooSmall,
           fmt::format("Its entry has {} bytes, needed are {}.", m_facts.entry->structSize, sizeof(mu_plugin_entry)),
           "Build the plugin against this engine's headers.");
    }
    if (m_facts.entry->apiLevel != m_host.apiLevel) {
      Fail(kApiLevel,
           fmt::format("Its entry is of API level {}; this host has {}.", m_facts.entry->apiLevel, m_host.apiLevel),
           "Build the plugin against this engine's headers.");
    }
    if (!m_facts.entry->hasFunctions) {
      Fail(kFunctionMissing, "A function of its entry is null, or no code of the library.", kAdvice);
    }
  }

  /// Whoever needs a library of that name later would get this one.
  void CheckSoName() {
    if (IsReservedLibraryName(m_facts.soName)) {
      Fail(kReservedName, fmt::format("It calls itself {} (SONAME), as one of the system's.", m_facts.soName),
           "Give the library a name of its own, or none.");
    }
  }

  void CheckUnloadable() {
    std::string cause;
    if (!m_facts.uniqueSymbols.empty()) {
      cause = fmt::format("It has unique symbols: {}.", FirstOf(m_facts.uniqueSymbols));
    } else if (m_facts.isNoDelete) {
      cause = "It is linked with -z nodelete.";
    } else if (m_facts.hasThreadDestructors) {
      cause = "It has thread_local objects with destructors.";
    } else {
      return;
    }
    cause += " Once loaded it could never be unloaded, and a newer version would share its state.";
    const std::string action =
        "Compile with -fno-gnu-unique (GCC) and without such thread_local objects, or set hot_reload to \"none\".";
    if (m_descriptor.hotReload == HotReload::None) {
      m_verdict.warnings.push_back(Make(kNotUnloadable, std::move(cause), action));
    } else {
      Fail(kNotUnloadable, std::move(cause), action);
    }
  }

  const LibraryFacts& m_facts;
  const Descriptor& m_descriptor;
  const HostBuild& m_host;
  const bool m_strict;
  LibraryVerdict m_verdict;
};

}  // namespace

Result<LibraryFacts> InspectLibrary(std::span<const std::byte> file, std::string_view name) {
  const Result<ElfFile> elf = ElfFile::Open(file, name);
  if (!elf) {
    return elf.Failure();
  }
  LibraryFacts facts;
  ReadNote(*elf, facts);
  if (!facts.note) {
    return facts;  // Not one of ours, however well or badly it is made.
  }
  try {
    const ElfImage image{*elf};
    const ElfDynamic dynamic{image};
    const ElfSymbols symbols{image, dynamic};
    CheckVersions(image, dynamic, symbols);
    const ElfRange entry = EntryIn(symbols);
    ElfPointers pointers{{entry.size < sizeof(mu_plugin_entry) ? ElfRange{} : entry,
                          dynamic.Range(DT_INIT_ARRAY, DT_INIT_ARRAYSZ),
                          dynamic.Range(DT_FINI_ARRAY, DT_FINI_ARRAYSZ)}};
    CheckRelocations(image, dynamic, symbols, pointers);
    ReadSymbols(symbols, facts);
    ReadEntry(image, entry, pointers, facts);
    facts.needed = dynamic.Needed();
    facts.soName = dynamic.SoName();
    facts.isNoDelete = dynamic.IsNoDelete();
    return facts;
  } catch (const ElfProblem& problem) {
    return Error{problem.code, fmt::format("The library {} was refused before it was loaded.", name), problem.cause,
                 problem.code == kForbiddenLinkage
                     ? "Link it without; muster_add_plugin does, and so do the compiler's own settings."
                     : "Build or copy the library again; if it is as the linker left it, report the linker's version."};
  }
}

bool IsReservedLibraryName(std::string_view fileName) noexcept {
  constexpr std::array<std::string_view, 9> kReserved{"libc",      "libm",     "libdl",    "libpthread",     "librt",
                                                      "libstdc++", "libgcc_s", "ld-linux", "ld-linux-x86-64"};
  const std::string_view stem = fileName.substr(0, fileName.find(".so"));
  return std::find(kReserved.begin(), kReserved.end(), stem) != kReserved.end();
}

LibraryVerdict JudgeLibrary(const LibraryFacts& facts, const Descriptor& descriptor, const HostBuild& host,
                            bool strict) {
  return Judgement{facts, descriptor, host, strict}.Run();
}

std::optional<std::uint64_t> HostLayoutHash(std::string_view interfaceId) noexcept {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 4> kHashes{{
      {MU_TRANSPORT_V0, MU_LAYOUT_TRANSPORT_V0},
      {MU_SPATIAL_INDEX_V0, MU_LAYOUT_SPATIAL_INDEX_V0},
      {MU_AI_CONTROLLER_V0, MU_LAYOUT_AI_CONTROLLER_V0},
      {MU_SNAPSHOT_CODEC_V0, MU_LAYOUT_SNAPSHOT_CODEC_V0},
  }};
  const auto* found = std::find_if(kHashes.begin(), kHashes.end(),
                                   [interfaceId](const auto& entry) { return entry.first == interfaceId; });
  return found == kHashes.end() ? std::nullopt : std::optional<std::uint64_t>{found->second};
}

}  // namespace muster::plugins
