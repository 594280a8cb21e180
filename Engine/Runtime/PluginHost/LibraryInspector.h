// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Reads a plugin library as a file: is it an ELF shared object for this machine, what does its note say, what does it
// export, could it ever be unloaded. None of its code runs and the dynamic loader is not involved. The bytes are
// hostile: every offset is checked, every count is bounded. [any]
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

/// What stands in the file.
struct LibraryFacts {
  std::optional<mu_note> note;
  std::vector<std::string> exports;        ///< defined dynamic symbols, the first 16,384 and the entry
  std::vector<std::string> uniqueSymbols;  ///< STB_GNU_UNIQUE: they pin the library for ever
  bool isNoDelete = false;                 ///< linked with -z nodelete
  bool hasThreadDestructors = false;       ///< imports __cxa_thread_atexit: a living thread pins the library
};

/// `name` stands in messages. Fails with: kNotALibrary, kWrongMachine.
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
/// kWrongMachine (pointer size), kLayoutMismatch, kSanitizerMismatch, kEntryMissing, kNotUnloadable. Warnings:
/// kExtraExports, kToolchainDiffers (a failure when strict), kNotUnloadable of a plugin with hot_reload "none".
[[nodiscard]] LibraryVerdict JudgeLibrary(const LibraryFacts& facts, const Descriptor& descriptor,
                                          const HostBuild& host, bool strict);

/// The layout hash of an interface in the host's own headers; nothing for an interface the host does not know.
[[nodiscard]] std::optional<std::uint64_t> HostLayoutHash(std::string_view interfaceId) noexcept;

}  // namespace muster::plugins
