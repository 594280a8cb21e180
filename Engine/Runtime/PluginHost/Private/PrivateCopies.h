// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The folder of this process that libraries are loaded from. A library is never loaded from where it was built: a build
// may overwrite a mapped file, and the same path would give the old code again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "Core/Log.h"
#include "Core/Result.h"

namespace muster::plugins {

class PrivateCopies {
 public:
  /// Makes the folder (mode 0700) below `parent` and removes those of processes that are gone. An empty `parent` is
  /// $XDG_RUNTIME_DIR, else /tmp. Fails with kCacheUnusable.
  [[nodiscard]] static Result<PrivateCopies> Create(const std::filesystem::path& parent, const Logger& log);
  PrivateCopies(PrivateCopies&& other) noexcept;
  PrivateCopies& operator=(PrivateCopies&&) = delete;
  /// Removes the folder and what is in it.
  ~PrivateCopies();

  /// Writes a copy under a name that this process has never used. Fails with kCacheUnusable.
  [[nodiscard]] Result<std::filesystem::path> Write(std::string_view pluginId, std::uint64_t generation,
                                                    std::span<const std::byte> bytes) const;
  void Remove(const std::filesystem::path& copy) const noexcept;

  [[nodiscard]] const std::filesystem::path& Folder() const noexcept { return m_folder; }

 private:
  PrivateCopies(std::filesystem::path folder, int lock) noexcept : m_folder{std::move(folder)}, m_lock{lock} {}

  std::filesystem::path m_folder;
  int m_lock;  ///< open on the folder and locked as long as this process lives
};

}  // namespace muster::plugins
