// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The dynamic loader, reached through Boost.DLL in one source file.
#pragma once

#include <filesystem>
#include <memory>

#include "Core/Result.h"
#include "PluginApi/Entry.h"

namespace muster::plugins {

class SharedLibrary {
 public:
  /// Opens a library by absolute path, every symbol bound at once and none offered to others.
  /// Fails with kUndefinedSymbol (which names it) or kLoadFailed (with the loader's words).
  [[nodiscard]] static Result<std::unique_ptr<SharedLibrary>> Load(const std::filesystem::path& path);
  /// Unloads what is still loaded.
  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// The entry, or null where the library exports none.
  [[nodiscard]] const mu_plugin_entry* Entry() const;
  void Unload() noexcept;
  /// From now on unloading leaves the image in memory.
  void Pin() noexcept;

  /// True while this process has the file mapped.
  [[nodiscard]] static bool IsMapped(const std::filesystem::path& path);

 private:
  struct Handle;
  explicit SharedLibrary(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> m_handle;
};

}  // namespace muster::plugins
