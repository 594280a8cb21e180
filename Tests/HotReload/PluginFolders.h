// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Plugin roots made of the fixtures in the build tree, and a host over them.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/Sha256.h"
#include "PluginHost/PluginHost.h"
#include "Support/TemporaryDirectoryTest.h"

namespace muster::plugins::test {

inline constexpr const char* kSpatialId = "com.example.spatial";

class HotReloadTest : public muster::test::TemporaryDirectoryTest {
 protected:
  void SetUp() override { std::filesystem::create_directory(Root()); }

  [[nodiscard]] std::filesystem::path Root() const { return Directory() / "Plugins"; }
  [[nodiscard]] std::filesystem::path Cache() const { return Directory() / "Cache"; }

  /// Where the build left a fixture.
  [[nodiscard]] static std::filesystem::path Built(std::string_view fixture) {
    return std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "HotReload" / fixture;
  }
  [[nodiscard]] static std::filesystem::path BuiltLibrary(std::string_view fixture) {
    return Built(fixture) / ("libHotReload" + std::string{fixture} + ".so");
  }

  /// Puts a fixture into a folder of the root, as an installation would: what was there is replaced by new files.
  std::filesystem::path Install(std::string_view fixture, const std::filesystem::path& folder = "Plugin") const {
    const std::filesystem::path target = Root() / folder;
    std::filesystem::remove_all(target);
    std::filesystem::create_directories(target);
    std::filesystem::copy(BuiltLibrary(fixture), target);
    std::filesystem::copy(Built(fixture) / "plugin.json", target);
    return target;
  }

  /// Changes the descriptor of an installed plugin.
  static void Edit(const std::filesystem::path& folder, const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json json = nlohmann::json::parse(Read(folder / "plugin.json"));
    change(json);
    std::ofstream{folder / "plugin.json"} << json.dump(2);
  }

  /// Gives an installed plugin another file as its library, with the hash in plugin.json to match.
  static void ReplaceLibrary(const std::filesystem::path& folder, std::string_view name, std::string_view bytes) {
    std::ofstream{folder / name, std::ios::binary} << bytes;
    const Sha256Digest hash = Sha256Of(std::as_bytes(std::span{bytes.data(), bytes.size()}));
    Edit(folder, [&](nlohmann::json& json) {
      json["libraries"][std::string{kPlatformTag}] = {{"path", std::string{name}}, {"sha256", ToHex(hash)}};
    });
  }

  [[nodiscard]] static std::string Read(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
  }

  [[nodiscard]] std::unique_ptr<PluginHost> MakeHost(PluginHostConfig config = {}) {
    config.roots = {{Root()}};
    config.cacheDirectory = Cache();
    Result<std::unique_ptr<PluginHost>> host = PluginHost::Create(std::move(config), m_log, m_clock);
    EXPECT_TRUE(host) << host.Failure().ToString();
    return std::move(host).Value();
  }

  /// The error that loading the root's one plugin ends in; the sentence, cause and action are filled.
  [[nodiscard]] Error LoadFailure(PluginHostConfig config = {}) {
    const std::unique_ptr<PluginHost> host = MakeHost(std::move(config));
    const Result<void> loaded = host->LoadAll();
    EXPECT_FALSE(loaded) << "nothing was wrong";
    EXPECT_TRUE(host->Generations().empty());
    const Error error = loaded ? Error{} : loaded.Failure();
    EXPECT_FALSE(error.sentence.empty());
    EXPECT_FALSE(error.cause.empty());
    EXPECT_FALSE(error.action.empty());
    return error;
  }

  MemorySink m_sink;
  Logger m_log{m_sink, "test"};
  ManualClock m_clock;
};

}  // namespace muster::plugins::test
