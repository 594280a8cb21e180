// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Libraries that must not become code of this process, each with its named error.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "PluginFolders.h"
#include "PluginHost/Errors.h"

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

TEST_F(PluginRefusal, TextIsNoLibrary) {
  const auto folder = Install("SpatialV1");
  ReplaceLibrary(folder, "text.so", "This is no library.");
  EXPECT_EQ(LoadFailure().code, kNotALibrary);
}

TEST_F(PluginRefusal, HalfALibraryIsCutShort) {
  const auto folder = Install("SpatialV1");
  const std::string whole = Read(BuiltLibrary("SpatialV1"));
  ReplaceLibrary(folder, "half.so", std::string_view{whole}.substr(0, whole.size() / 2));
  EXPECT_EQ(LoadFailure().code, kNotALibrary);
}

TEST_F(PluginRefusal, CodeOfAnotherMachineIsNamed) {
  const auto folder = Install("SpatialV1");
  std::string bytes = Read(BuiltLibrary("SpatialV1"));
  bytes[18] = static_cast<char>(183);  // e_machine: AArch64
  ReplaceLibrary(folder, "arm.so", bytes);
  EXPECT_EQ(LoadFailure().code, kWrongMachine);
}

TEST_F(PluginRefusal, ChangedLibraryDoesNotMatchItsHash) {
  const auto folder = Install("Marker");
  std::string bytes = Read(BuiltLibrary("Marker"));
  bytes.push_back('\0');
  std::ofstream{folder / "libHotReloadMarker.so", std::ios::binary} << bytes;
  EXPECT_EQ(LoadFailure().code, kHashMismatch);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, LibraryThatCannotBeUnloadedIsRefusedWhereReloadIsPromised) {
  const auto folder = Install("Pinned");
  Edit(folder, [](nlohmann::json& json) { json["hot_reload"] = "rebuild"; });
  EXPECT_EQ(LoadFailure().code, kNotUnloadable);
}

struct FaultCase {
  const char* fixture;
  ErrorCode code;
  const char* inCause;
};

class PluginFault : public HotReloadTest, public ::testing::WithParamInterface<FaultCase> {};

TEST_P(PluginFault, EndsInItsNamedError) {
  Install(GetParam().fixture);
  const Error error = LoadFailure();
  EXPECT_EQ(error.code, GetParam().code) << error.ToString();
  EXPECT_NE(error.cause.find(GetParam().inCause), std::string::npos) << error.ToString();
}

INSTANTIATE_TEST_SUITE_P(Every, PluginFault,
                         ::testing::Values(FaultCase{"BadNullFunction", kFunctionMissing, "Function 4"},
                                           FaultCase{"BadSmallTable", kStructTooSmall, "muster.ai_controller/0"},
                                           FaultCase{"BadLayout", kLayoutMismatch, "0000000200000001"},
                                           FaultCase{"BadInit", kInitFailed, "no coffee left"},
                                           FaultCase{"BadIdentity", kIdMismatch, "9.9.9"},
                                           FaultCase{"BadMagic", kEntryMissing, "mu_plugin"},
                                           FaultCase{"BadNoteId", kIdMismatch, "com.example.other"},
                                           FaultCase{"BadNoTable", kNoProvider, "get_interface"},
                                           FaultCase{"BadApiLevel", kApiLevel, "API level 2"}),
                         [](const auto& test) { return std::string{test.param.fixture}; });

TEST_F(PluginRefusal, ControlRunLeavesTheMarker) {
  // Without this the promises below would hold for a fixture that never leaves one.
  Install("Marker");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  EXPECT_TRUE(MarkerRan());
}

TEST_F(PluginRefusal, WorldWritableFolderNeverRunsCode) {
  const auto folder = Install("Marker");
  ASSERT_EQ(::chmod(folder.c_str(), 0777), 0);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, StickyFolderIsNoBetterBelowTheRoot) {
  const auto folder = Install("Marker");
  ASSERT_EQ(::chmod(folder.c_str(), 01777), 0);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, WorldWritableLibraryNeverRunsCode) {
  const auto folder = Install("Marker");
  ASSERT_EQ(::chmod((folder / "libHotReloadMarker.so").c_str(), 0666), 0);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, WorldWritableRootNeverRunsCode) {
  Install("Marker");
  ASSERT_EQ(::chmod(Root().c_str(), 01777), 0);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, WorldWritableParentOfTheRootNeverRunsCode) {
  Install("Marker");
  ASSERT_EQ(::chmod(Directory().c_str(), 0777), 0);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, LinkedFolderOutsideTheRootNeverRunsCode) {
  const auto folder = Install("Marker");
  std::filesystem::rename(folder, Directory() / "Elsewhere");
  std::filesystem::create_directory_symlink(Directory() / "Elsewhere", folder);
  EXPECT_EQ(LoadFailure().code, kUnsafePath);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, LinkedLibraryOutsideItsFolderNeverRunsCode) {
  const auto folder = Install("Marker");
  std::filesystem::rename(folder / "libHotReloadMarker.so", Root() / "outside.so");
  std::filesystem::create_symlink(Root() / "outside.so", folder / "libHotReloadMarker.so");
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

TEST_F(PluginRefusal, LibraryInTheCurrentDirectoryIsNotPickedUp) {
  const auto folder = Install("Marker");
  const auto start = Directory() / "Start";
  std::filesystem::create_directory(start);
  std::filesystem::rename(folder / "libHotReloadMarker.so", start / "libHotReloadMarker.so");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(start);
  const Error error = LoadFailure();
  std::filesystem::current_path(before);
  EXPECT_EQ(error.code, kPluginNotFound) << error.ToString();
  EXPECT_FALSE(MarkerRan());
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

TEST_F(PluginRefusal, ReservedNamesNeverRunCode) {
  const auto folder = Install("Marker");
  ReplaceLibrary(folder, "libc.so.6", Read(BuiltLibrary("Marker")));
  EXPECT_EQ(LoadFailure().code, kReservedName);
  Install("Marker");
  Edit(folder, [](nlohmann::json& json) { json["id"] = "muster.builtin.linear"; });
  EXPECT_EQ(LoadFailure().code, kReservedName);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, InstalledFolderOfAnotherNameNeverRunsCode) {
  Install("Marker", "com.example.other");
  PluginHostConfig config;
  config.roots = {{Root(), PluginRoot::Layout::Installed}};
  config.cacheDirectory = Cache();
  auto host = PluginHost::Create(std::move(config), m_log, m_clock);
  ASSERT_TRUE(host);
  const Result<void> loaded = (*host)->LoadAll();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.Failure().code, kIdMismatch);
  EXPECT_FALSE(MarkerRan());
}

TEST_F(PluginRefusal, FailureOfOneLeavesTheOthersLoaded) {
  Install("BadInit", "Bad");
  Install("SpatialV1", "Good");
  const auto host = MakeHost();
  const Result<void> loaded = host->LoadAll();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.Failure().code, kInitFailed);
  ASSERT_EQ(host->Generations().size(), 1u);
  EXPECT_EQ(host->Generations().front()->Id(), kSpatialId);
  ASSERT_NE(host->Report().Find("com.example.plainc"), nullptr);
  EXPECT_EQ(host->Report().Find("com.example.plainc")->verdict, PluginVerdict::Failed);
}

TEST_F(PluginRefusal, DuplicateIdsNameBothPlaces) {
  Install("SpatialV1", "One");
  Install("SpatialV2", "Two");
  const Error error = LoadFailure();
  EXPECT_EQ(error.code, kDuplicateId);
  EXPECT_NE(error.cause.find("One/plugin.json"), std::string::npos) << error.cause;
  EXPECT_NE(error.cause.find("Two/plugin.json"), std::string::npos) << error.cause;
}

}  // namespace
}  // namespace muster::plugins::test
