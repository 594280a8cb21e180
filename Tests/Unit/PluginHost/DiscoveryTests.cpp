// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Discovery.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "Descriptors.h"
#include "PluginHost/Errors.h"
#include "Support/TemporaryDirectoryTest.h"

namespace muster::plugins {
namespace {

class PluginDiscovery : public muster::test::TemporaryDirectoryTest {
 protected:
  void Put(const std::filesystem::path& folder, std::string_view id) const {
    nlohmann::json json = test::ValidDescriptor();
    json["id"] = id;
    WriteFile(folder / "plugin.json", json.dump());
  }
  [[nodiscard]] PluginRoot Root(std::string_view name, PluginRoot::Layout layout = PluginRoot::Layout::Source) const {
    return {Directory() / name, layout};
  }
  [[nodiscard]] DiscoveryReport Find(const std::vector<PluginRoot>& roots) const {
    return Discover(roots, TrustedOwners::OfThisProcess());
  }
  [[nodiscard]] static std::vector<std::string> Ids(const DiscoveryReport& report) {
    std::vector<std::string> ids;
    std::transform(report.found.begin(), report.found.end(), std::back_inserter(ids),
                   [](const FoundPlugin& plugin) { return plugin.descriptor.id; });
    return ids;
  }
};

TEST_F(PluginDiscovery, VisitsRootsInOrderAndFoldersByName) {
  Put("second/a", "x.a");
  Put("first/b", "x.b");
  Put("first/a", "x.c");
  Put("first/deep/down", "x.d");
  const DiscoveryReport report = Find({Root("first"), Root("second")});
  EXPECT_EQ(Ids(report), (std::vector<std::string>{"x.c", "x.b", "x.d", "x.a"}));
  EXPECT_TRUE(report.rejected.empty());
  EXPECT_EQ(report.found[0].folder, std::filesystem::canonical(Directory() / "first/a"));
}

TEST_F(PluginDiscovery, DoesNotLookBelowAPluginNorTooDeepNorIntoHiddenFolders) {
  Put("root/a", "x.a");
  Put("root/a/inner", "x.inner");
  Put("root/1/2/3/4", "x.deep");
  Put("root/1/2/3/5/6", "x.deeper");
  Put("root/.hidden", "x.hidden");
  EXPECT_EQ(Ids(Find({Root("root")})), (std::vector<std::string>{"x.deep", "x.a"}));
}

TEST_F(PluginDiscovery, GivesBothOfADuplicate) {
  Put("first/a", "x.a");
  Put("second/a", "x.a");
  EXPECT_EQ(Find({Root("first"), Root("second")}).found.size(), 2u);
}

TEST_F(PluginDiscovery, GoesOnAfterABadDescriptor) {
  WriteFile("root/a/plugin.json", "{");
  WriteFile("root/b/plugin.json", std::string(kMaxDescriptorBytes + 1, ' '));
  Put("root/c", "x.c");
  const DiscoveryReport report = Find({Root("missing"), Root("root")});
  EXPECT_EQ(Ids(report), std::vector<std::string>{"x.c"});
  ASSERT_EQ(report.rejected.size(), 3u);
  EXPECT_EQ(report.rejected[0].error.code, kRootUnreadable);
  EXPECT_EQ(report.rejected[1].error.code, kDescriptorNotJson);
  EXPECT_EQ(report.rejected[2].error.code, kFileTooLarge);
}

TEST_F(PluginDiscovery, InstalledFoldersBearTheId) {
  Put("root/x.a", "x.a");
  Put("root/plain", "x.b");
  const DiscoveryReport report = Find({Root("root", PluginRoot::Layout::Installed)});
  EXPECT_EQ(Ids(report), std::vector<std::string>{"x.a"});
  ASSERT_EQ(report.rejected.size(), 1u);
  EXPECT_EQ(report.rejected[0].error.code, kIdMismatch);
}

TEST_F(PluginDiscovery, FindsAFolderBehindALinkOnceAndNotOutside) {
  Put("root/a", "x.a");
  Put("outside/b", "x.b");
  std::filesystem::create_directory_symlink("a", Directory() / "root/again");
  std::filesystem::create_directory_symlink(Directory() / "outside/b", Directory() / "root/leaves");
  const DiscoveryReport report = Find({Root("root")});
  EXPECT_EQ(Ids(report), std::vector<std::string>{"x.a"});
  ASSERT_EQ(report.rejected.size(), 1u);
  EXPECT_EQ(report.rejected[0].error.code, kUnsafePath);
}

TEST_F(PluginDiscovery, RefusesALinkedDescriptor) {
  Put("outside", "x.a");
  std::filesystem::create_directories(Directory() / "root/a");
  std::filesystem::create_symlink(Directory() / "outside/plugin.json", Directory() / "root/a/plugin.json");
  const DiscoveryReport report = Find({Root("root")});
  EXPECT_TRUE(report.found.empty());
  ASSERT_EQ(report.rejected.size(), 1u);
  EXPECT_EQ(report.rejected[0].error.code, kUnsafePath);
}

}  // namespace
}  // namespace muster::plugins
