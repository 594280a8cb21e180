// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginFolder.h"

#include "GateErrors.h"

#include "Core/Bytes.h"
#include "Core/Files.h"
#include "Core/Sha256.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace muster::gate {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxFileBytes = 64 << 20;
constexpr const char* kForeignName = "foreign.so";

Error Missing(const std::filesystem::path& folder) {
  return {kFixtureMissing, fmt::format("There is no plugin in {}.", folder.string()), "It was not built.",
          "Build the target gate-fixtures."};
}

Result<Json> ReadDescriptor(const std::filesystem::path& folder) {
  const auto text = ReadTextFile(folder / "plugin.json", kMaxFileBytes);
  if (!text) {
    return Missing(folder);
  }
  Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return Missing(folder);
  }
  return json;
}

/// The C library this very program runs with: surely a shared library, surely no plugin.
Result<void> PutForeignLibrary(const std::filesystem::path& folder, Json& descriptor) {
  Dl_info info{};
  std::error_code error;
  if (::dladdr(reinterpret_cast<void*>(&::getenv), &info) == 0 || info.dli_fname == nullptr) {
    return Error{kFixtureMissing, "No foreign library was found.", "The C library does not tell where it is.",
                 "Run the gate with a dynamically linked C library."};
  }
  auto bytes = ReadBinaryFile(std::filesystem::canonical(info.dli_fname, error), kMaxFileBytes);
  if (!bytes) {
    return std::move(bytes).Failure();
  }
  for (auto& [platform, library] : descriptor["libraries"].items()) {
    library = {{"path", kForeignName}, {"sha256", ToHex(Sha256Of(*bytes))}};
  }
  return WriteFileAtomically(folder / kForeignName, *bytes);
}

}  // namespace

PluginFolder ReadPluginFolder(StrictObject& object) {
  PluginFolder plugin;
  plugin.folder = object.Text("folder");
  plugin.from = object.Text("from");
  plugin.descriptor = object.Any("descriptor");
  const std::string library = object.Text("library", "own");
  plugin.isForeign = library == "foreign";
  if (library != "own" && library != "foreign") {
    object.Refuse("\"library\" must be own or foreign.");
  }
  if (plugin.folder.find('/') != std::string::npos) {
    object.Refuse("\"folder\" is a plain name.");
  }
  return plugin;
}

Result<void> MakePluginFolder(const PluginFolder& plugin, const std::filesystem::path& build,
                              const std::filesystem::path& root) {
  const std::filesystem::path source = build / plugin.from;
  const std::filesystem::path target = root / plugin.folder;
  auto descriptor = ReadDescriptor(source);
  if (!descriptor) {
    return std::move(descriptor).Failure();
  }
  std::error_code error;
  std::filesystem::create_directories(target, error);
  for (std::filesystem::directory_iterator file{source, error}, end; !error && file != end; file.increment(error)) {
    if (file->is_regular_file(error)) {
      std::filesystem::copy_file(file->path(), target / file->path().filename(), error);
    }
  }
  if (error) {
    return Error{kFileWriteFailed, fmt::format("{} could not be copied.", source.string()), error.message() + ".",
                 "Check space and permissions of the temporary folder."};
  }
  if (!plugin.descriptor.is_null()) {
    descriptor->merge_patch(plugin.descriptor);
  }
  if (plugin.isForeign) {
    if (Result<void> put = PutForeignLibrary(target, *descriptor); !put) {
      return put;
    }
  }
  return WriteFileAtomically(target / "plugin.json", descriptor->dump(2));
}

Result<PluginName> NameOf(const std::filesystem::path& pluginFolder) {
  const auto descriptor = ReadDescriptor(pluginFolder);
  if (!descriptor) {
    return descriptor.Failure();
  }
  return PluginName{descriptor->value("id", ""), descriptor->value("version", "")};
}

}  // namespace muster::gate
