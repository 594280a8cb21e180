// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Reads a plugin library as a file: is it an ELF shared object for this machine, would the dynamic loader find its way
// through it, what does its note say, what does it export, could it ever be unloaded. None of its code runs and the
// loader is not involved. The bytes are hostile: every offset is checked, every count is bounded. [any]
//
// The loader trusts a file: a wrong size, index or offset in its tables ends the process. So it gets no file whose
// segments, sections, entries, symbols, hashes, versions and relocations do not agree with each other. What cannot be
// seen from outside is whether the code is right, and whether a pointer goes to the right place within the image: the
// hash in plugin.json guards against damage there, and nothing guards against an author who means harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "Core/Result.h"
#include "PluginApi/Note.h"
#include "PluginHost/Descriptor.h"

namespace muster::plugins {

inline constexpr std::size_t kMaxLibraryBytes = 256u * 1024u * 1024u;

/// The entry as it lies in the file.
struct EntryFacts {
  std::uint32_t magic = 0;
  std::uint32_t structSize = 0;
  std::uint32_t apiLevel = 0;
  bool hasFunctions = false;  ///< each of them will point to code
};

/// What stands in the file. Without a note it is none of Muster's, and nothing else is looked at.
struct LibraryFacts {
  std::optional<mu_note> note;
  std::string noteProblem;                 ///< why there is no note
  std::optional<EntryFacts> entry;         ///< nothing where it is not exported, or no whole entry
  std::vector<std::string> needed;         ///< libraries that it links, by name
  std::string soName;                      ///< what it calls itself; mostly empty
  std::vector<std::string> exports;        ///< defined dynamic symbols, the first 16,384 and the entry
  std::vector<std::string> uniqueSymbols;  ///< STB_GNU_UNIQUE: they pin the library for ever
  bool isNoDelete = false;                 ///< linked with -z nodelete
  bool hasThreadDestructors = false;       ///< imports __cxa_thread_atexit: a living thread pins the library
};

/// `name` stands in messages. Fails with: kNotALibrary, kWrongMachine, kForbiddenLinkage, kDamagedLibrary.
[[nodiscard]] Result<LibraryFacts> InspectLibrary(std::span<const std::byte> file, std::string_view name);

/// The build of the host that a plugin must fit.
struct HostBuild {
  std::uint32_t apiLevel = MU_API_LEVEL;
  std::uint32_t sanitizer = MU_BUILT_SANITIZER;
  std::uint32_t compiler = MU_BUILT_COMPILER;
  std::uint32_t compilerMajor = MU_BUILT_COMPILER_MAJOR;
};

struct LibraryVerdict {
  std::vector<Error> failures;  ///< all of them, not only the first
  std::vector<Error> warnings;
};

/// Compares what stands in the file with plugin.json and with the host. Failures: kNoteMissing, kIdMismatch, kApiLevel,
/// kWrongMachine (pointer size), kLayoutMismatch, kSanitizerMismatch, kEntryMissing, kStructTooSmall and
/// kFunctionMissing (of the entry), kReservedName (of a SONAME), kNotUnloadable. Warnings:
/// kExtraExports, kToolchainDiffers (a failure when strict), kNotUnloadable of a plugin with hot_reload "none".
[[nodiscard]] LibraryVerdict JudgeLibrary(const LibraryFacts& facts, const Descriptor& descriptor,
                                          const HostBuild& host, bool strict);

/// Names that belong to the system: a plugin under one of them is a mistake or worse.
[[nodiscard]] bool IsReservedLibraryName(std::string_view fileName) noexcept;

/// The layout hash of an interface in the host's own headers; nothing for an interface the host does not know.
[[nodiscard]] std::optional<std::uint64_t> HostLayoutHash(std::string_view interfaceId) noexcept;

}  // namespace muster::plugins
