// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What must not become code of this process and needs more than a folder to show; the rest is the corpus in Bad/.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "BadCase.h"
#include "Core/Files.h"
#include "PluginFolders.h"
#include "PluginHost/Errors.h"
#include "PluginHost/LibraryInspector.h"

namespace muster::plugins::test {
namespace {

class PluginRefusal : public HotReloadTest {
 protected:
  void SetUp() override {
    HotReloadTest::SetUp();
    ASSERT_EQ(::setenv("MUSTER_FIXTURE_MARKER", Marker().c_str(), 1), 0);
  }
  void TearDown() override { ::unsetenv("MUSTER_FIXTURE_MARKER"); }

  [[nodiscard]] std::filesystem::path Marker() const { return Directory() / "marker"; }
  [[nodiscard]] bool MarkerRan() const { return std::filesystem::exists(Marker()); }

  /// A library of the system, which is surely no plugin.
  [[nodiscard]] static std::string SystemLibrary() {
    Dl_info info{};
    EXPECT_NE(::dladdr(reinterpret_cast<void*>(&::getenv), &info), 0);
    return Read(std::filesystem::canonical(info.dli_fname));
  }
};

TEST_F(PluginRefusal, ForeignLibraryIsNoPlugin) {
  const auto folder = Install("SpatialV1");
  ReplaceLibrary(folder, "foreign.so", SystemLibrary());
  const Error error = LoadFailure();
  EXPECT_EQ(error.code, kNoteMissing) << error.ToString();
}

TEST_F(PluginRefusal, UndefinedSymbolIsNamed) {
  Install("Undefined");
  const Error error = LoadFailure();
  EXPECT_EQ(error.code, kUndefinedSymbol) << error.ToString();
  EXPECT_NE(error.cause.find("muster_fixture_nobody_defines_this"), std::string::npos) << error.ToString();
}

TEST_F(PluginRefusal, LibraryThatCannotBeUnloadedIsRefusedWhereReloadIsPromised) {
  const auto folder = Install("Pinned");
  Edit(folder, [](nlohmann::json& json) { json["hot_reload"] = "rebuild"; });
  EXPECT_EQ(LoadFailure().code, kNotUnloadable);
}

TEST_F(PluginRefusal, ControlRunLeavesTheMarker) {
  // Without this the promises below would hold for a fixture that never leaves one.
  Install("Marker");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  EXPECT_TRUE(MarkerRan());
}

TEST_F(PluginRefusal, StickyFolderIsNoBetterBelowTheRoot) {
  const auto folder = Install("Marker");
  ASSERT_EQ(::chmod(folder.c_str(), 01777), 0);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, WorldWritableParentOfTheRootNeverRunsCode) {
  Install("Marker");
  ASSERT_EQ(::chmod(Directory().c_str(), 0777), 0);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, LibraryByClimbingPathNeverRunsCode) {
  const auto folder = Install("Marker");
  std::filesystem::rename(folder / "libHotReloadMarker.so", Root() / "x.so");
  for (const std::string& path : {std::string{"../x.so"}, std::string{"a/../../x.so"}, (Root() / "x.so").string()}) {
    Edit(folder, [&path](nlohmann::json& json) { json["libraries"][std::string{kPlatformTag}]["path"] = path; });
    EXPECT_EQ(LoadFailure().code, kUnsafePath) << path;
    EXPECT_FALSE(MarkerRan());
  }
}

TEST_F(PluginRefusal, RelativeRootNeverRunsCode) {
  Install("Marker");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(Directory());
  PluginHostConfig config;
  config.roots = {{"Plugins"}};
  config.cacheDirectory = Cache();
  auto host = PluginHost::Create(std::move(config), m_log, m_clock);
  ASSERT_TRUE(host);
  const Result<void> loaded = (*host)->LoadAll();
  std::filesystem::current_path(before);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.Failure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, DescriptorOfMoreThanItsLimitIsNotRead) {
  const auto folder = Install("SpatialV1");
  std::string text = Read(folder / "plugin.json");
  text.resize(kMaxDescriptorBytes, ' ');
  std::ofstream{folder / "plugin.json"} << text;
  {
    const auto host = MakeHost();
    EXPECT_TRUE(host->LoadAll()) << "as large as allowed";
  }
  std::ofstream{folder / "plugin.json"} << text << ' ';
  EXPECT_EQ(LoadFailure().code, kFileTooLarge);
}

TEST_F(PluginRefusal, LibraryOfMoreThanItsLimitIsNotRead) {
  const auto folder = Install("SpatialV1");
  std::filesystem::resize_file(folder / "libHotReloadSpatialV1.so", kMaxLibraryBytes + 1);
  EXPECT_EQ(LoadFailure().code, kFileTooLarge);
}

TEST_F(PluginRefusal, NothingIsLoadedWithoutAPlaceForPrivateCopies) {
  std::ofstream{Cache()} << "a file, and no folder";
  PluginHostConfig config;
  config.roots = {{Root()}};
  config.cacheDirectory = Cache();
  const auto host = PluginHost::Create(std::move(config), m_log, m_clock);
  ASSERT_FALSE(host);
  EXPECT_EQ(host.Failure().code, kCacheUnusable);
}

TEST_F(PluginRefusal, FailureOfOneLeavesTheOthersLoaded) {
  const std::vector<BadCase> corpus = ReadCorpus();
  const auto refusing =
      std::find_if(corpus.begin(), corpus.end(), [](const BadCase& badCase) { return badCase.name == "InitRefuses"; });
  ASSERT_NE(refusing, corpus.end());
  refusing->Install(Root());
  Install("SpatialV1", "Good");
  const auto host = MakeHost();
  const Result<void> loaded = host->LoadAll();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.Failure().code, kInitFailed);
  ASSERT_EQ(host->Generations().size(), 1u);
  EXPECT_EQ(host->Generations().front()->Id(), kSpatialId);
  ASSERT_NE(host->Report().Find("com.example.bad"), nullptr);
  EXPECT_EQ(host->Report().Find("com.example.bad")->verdict, PluginVerdict::Failed);
}

}  // namespace
}  // namespace muster::plugins::test
