// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SharedLibrary.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <boost/dll/shared_library.hpp>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

/// The symbol that glibc's message complains about; empty when it complains about something else.
[[nodiscard]] std::string_view UndefinedSymbolIn(std::string_view message) {
  constexpr std::string_view kMark = "undefined symbol: ";
  const std::size_t mark = message.find(kMark);
  if (mark == std::string_view::npos) {
    return {};
  }
  const std::string_view rest = message.substr(mark + kMark.size());
  return rest.substr(0, rest.find_first_of(" ,)\n"));
}

[[nodiscard]] Error LoaderError(const std::filesystem::path& path, std::string_view message) {
  if (const std::string_view symbol = UndefinedSymbolIn(message); !symbol.empty()) {
    return Error{kUndefinedSymbol, fmt::format("The library {} does not load.", path.filename().string()),
                 fmt::format("It uses the symbol {}, which neither it nor any library it names defines.", symbol),
                 "Link what defines it; -Wl,--no-undefined finds this when the plugin is built."};
  }
  return Error{kLoadFailed, fmt::format("The library {} does not load.", path.filename().string()),
               fmt::format("The dynamic loader says: {}.", message),
               "Check that the libraries it names are installed and that its folder may hold executable code."};
}

}  // namespace

struct SharedLibrary::Handle {
  boost::dll::shared_library library;
};

SharedLibrary::SharedLibrary(std::unique_ptr<Handle> handle) : m_handle{std::move(handle)} {}
SharedLibrary::~SharedLibrary() {
  Unload();
}

Result<std::unique_ptr<SharedLibrary>> SharedLibrary::Load(const std::filesystem::path& path) {
  auto handle = std::make_unique<Handle>();
  try {
    // The throwing form: only its message carries what the loader said.
    handle->library.load(path, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
  } catch (const std::exception& exception) {
    return LoaderError(path, exception.what());
  }
  return std::unique_ptr<SharedLibrary>{new SharedLibrary{std::move(handle)}};
}

const mu_plugin_entry* SharedLibrary::Entry() const {
  if (!m_handle->library.is_loaded() || !m_handle->library.has(MU_ENTRY_SYMBOL)) {
    return nullptr;
  }
  return &m_handle->library.get<const mu_plugin_entry>(MU_ENTRY_SYMBOL);
}

void SharedLibrary::Unload() noexcept {
  m_handle->library.unload();
}

void SharedLibrary::Pin() noexcept {
  if (m_handle->library.is_loaded()) {
    const std::string path = m_handle->library.location().string();
    if (void* again = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE)) {
      ::dlclose(again);
    }
  }
}

bool SharedLibrary::IsMapped(const std::filesystem::path& path) {
  const std::string wanted = path.string();
  std::ifstream maps{"/proc/self/maps"};
  for (std::string line; std::getline(maps, line);) {
    if (line.find(wanted) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace muster::plugins
