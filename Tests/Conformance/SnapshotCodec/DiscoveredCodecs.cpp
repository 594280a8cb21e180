// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CodecUnderTest.h"
#include "Core/Sha256.h"
#include "PluginConformance/OpenPlugin.h"
#include "Protocol/BuiltInCodec.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>

namespace muster::conformance {
namespace {

namespace fs = std::filesystem;

Request& CurrentRequest() {
  static Request request;
  return request;
}

/// Opened plugins, until the process ends: the suite's rows point into their libraries.
std::vector<std::unique_ptr<OpenPlugin>>& Opened() {
  static std::vector<std::unique_ptr<OpenPlugin>> plugins;
  return plugins;
}

/// com.example.my_codec -> ComExampleMyCodec, which a test's name may hold.
std::string TestNameOf(std::string_view id) {
  std::string name;
  bool isStart = true;
  for (const char letter : id) {
    if (letter == '.' || letter == '_' || letter == '-') {
      isStart = true;
    } else {
      name += isStart && letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
      isStart = false;
    }
  }
  return name;
}

std::uint32_t WireVersionOf(const mu_snapshot_codec_v0& codec) {
  mu_codec_info info{};
  codec.info(&info);
  return info.wire_version;
}

fs::path OurGoldenFile(std::string_view id, const mu_snapshot_codec_v0& codec) {
  return fs::path{MUSTER_TEST_SOURCE_DIR} / "Tests/Conformance/SnapshotCodec/Golden" /
         fmt::format("{}.{}.json", id, WireVersionOf(codec));
}

/// Without a folder for its golden bytes it is one of ours.
CodecUnderTest Open(const fs::path& folder, const fs::path& goldenFolder) {
  Result<std::unique_ptr<OpenPlugin>> opened = OpenPlugin::Open(folder, CurrentRequest().settings);
  if (!opened) {
    throw std::runtime_error(opened.Failure().ToString());
  }
  Opened().push_back(std::move(opened).Value());
  const OpenPlugin& plugin = *Opened().back();
  const auto* table = plugin.Table<mu_snapshot_codec_v0>();
  const std::string& id = plugin.Generation().Id();
  if (table == nullptr) {
    throw std::runtime_error(id + " provides no codec");
  }
  return {TestNameOf(id), id, table,
          goldenFolder.empty() ? OurGoldenFile(id, *table) : goldenFolder / "codec-golden.json"};
}

}  // namespace

void Judge(Request request) {
  CurrentRequest() = std::move(request);
}

std::vector<CodecUnderTest> CodecsUnderTest() {
  if (const auto& plugin = CurrentRequest().plugin) {
    return {Open(*plugin, *plugin)};
  }
  std::vector<CodecUnderTest> codecs{{"BuiltIn", "muster.codec.raw", &protocol::BuiltInCodec(),
                                      OurGoldenFile("muster.codec.raw", protocol::BuiltInCodec())}};
  for (const plugins::FoundPlugin& plugin : FindPlugins(MUSTER_TEST_BINARY_DIR, MU_SNAPSHOT_CODEC_V0)) {
    const bool isOurs = plugin.descriptor.id.substr(0, 7) == "muster.";
    codecs.push_back(Open(plugin.folder, isOurs ? fs::path{} : plugin.folder));
  }
  if (codecs.size() < 3) {
    throw std::runtime_error("the build tree has fewer codec plugins than the engine brings");
  }
  return codecs;
}

Golden ReadGolden(const CodecUnderTest& codec) {
  std::ifstream file{codec.goldenFile};
  if (!file) {
    const Golden now = MeasureGolden(*codec.table);
    const nlohmann::json wanted{{"max_health_error", 0.0},
                                {"max_throttle_error", 0.0},
                                {"absolute", now.absolute},
                                {"anchored", now.anchored},
                                {"digest", now.digest}};
    throw std::runtime_error(
        fmt::format("{} is missing. A new wire version starts with this in it, and the errors it "
                    "allows itself: {}",
                    codec.goldenFile.string(), wanted.dump(2)));
  }
  const nlohmann::json json = nlohmann::json::parse(file);
  return {json.at("max_health_error"), json.at("max_throttle_error"), json.at("absolute"), json.at("anchored"),
          json.at("digest")};
}

Golden MeasureGolden(const mu_snapshot_codec_v0& codec) {
  Golden golden;
  const mu_canonical_record record = Quantise(codec, GoldenState());
  const mu_canonical_record anchor = Quantise(codec, GoldenAnchorState());
  golden.absolute = Hex(Encode(codec, record));
  golden.anchored = Hex(Encode(codec, record, &anchor, 16));
  Random random{20'260'401};
  std::vector<std::byte> bodies;
  for (int i = 0; i < 1'000; ++i) {
    const EntityState before = RandomState(random);
    const auto age = static_cast<std::uint32_t>(random.NextBelow(65));
    const mu_canonical_record then = Quantise(codec, before);
    const mu_canonical_record now = Quantise(codec, FlownOn(before, age, random));
    for (const Body& body : {Encode(codec, now), Encode(codec, now, &then, age)}) {
      bodies.push_back(static_cast<std::byte>(body.bits));
      const auto bytes = std::as_bytes(std::span{body.bytes});
      bodies.insert(bodies.end(), bytes.begin(), bytes.end());
    }
  }
  golden.digest = ToHex(Sha256Of(bodies));
  return golden;
}

}  // namespace muster::conformance
