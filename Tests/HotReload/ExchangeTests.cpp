// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Files that change between the moment they are looked at and the moment they are loaded: what was inspected is what
// runs, or nothing does.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>

#include "PluginFolders.h"
#include "PluginHost/Discovery.h"
#include "PluginHost/Errors.h"
#include "PluginLoader.h"

namespace muster::plugins::test {
namespace {

class PluginExchange : public HotReloadTest {
 protected:
  void SetUp() override {
    HotReloadTest::SetUp();
    ASSERT_EQ(::setenv("MUSTER_FIXTURE_MARKER", (Directory() / "marker").c_str(), 1), 0);
    m_good = Install("SpatialV1", "Plugin");
    // The same descriptor over a library that leaves its mark.
    m_evil = Directory() / "Evil";
    std::filesystem::copy(m_good, m_evil);
    std::filesystem::copy_file(BuiltLibrary("Marker"), m_evil / "libHotReloadSpatialV1.so",
                               std::filesystem::copy_options::overwrite_existing);
    Result<PrivateCopies> copies = PrivateCopies::Create(Cache(), m_log);
    ASSERT_TRUE(copies);
    m_loader = std::make_unique<PluginLoader>(PluginLoader::Options{m_owners}, std::move(copies).Value(), m_log,
                                              m_clock, m_spatial);
  }
  void TearDown() override {
    ::unsetenv("MUSTER_FIXTURE_MARKER");
    EXPECT_FALSE(std::filesystem::exists(Directory() / "marker")) << "code ran that nobody had inspected";
  }

  [[nodiscard]] Result<FoundPlugin> Find() const {
    return ReadPluginFolder(std::filesystem::canonical(Root()), "Plugin", PluginRoot::Layout::Source, m_owners);
  }
  void Exchange(const std::filesystem::path& other) const {
    ASSERT_EQ(::renameat2(AT_FDCWD, m_good.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE), 0);
  }

  const TrustedOwners m_owners = TrustedOwners::OfThisProcess();
  SpatialService m_spatial;
  std::filesystem::path m_good;
  std::filesystem::path m_evil;
  std::unique_ptr<PluginLoader> m_loader;
};

TEST_F(PluginExchange, AnotherLibraryAfterTheDescriptorWasReadIsRefused) {
  const Result<FoundPlugin> found = Find();
  ASSERT_TRUE(found);
  Exchange(m_evil);
  const auto loaded = m_loader->Load(*found, PluginRoot::Layout::Source);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.Failure().code, kHashMismatch);
}

TEST_F(PluginExchange, AnotherDescriptorWithAnotherLibraryIsNotMixedWithTheFirst) {
  std::filesystem::copy_file(Built("Marker") / "plugin.json", m_evil / "plugin.json",
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy_file(BuiltLibrary("Marker"), m_evil / "libHotReloadMarker.so");
  const Result<FoundPlugin> found = Find();
  ASSERT_TRUE(found);
  Exchange(m_evil);
  const auto loaded = m_loader->Load(*found, PluginRoot::Layout::Source);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.Failure().code, kHashMismatch);
}

TEST_F(PluginExchange, FolderThatBecameALinkIsRefused) {
  const Result<FoundPlugin> found = Find();
  ASSERT_TRUE(found);
  std::filesystem::rename(m_good, Directory() / "Moved");
  std::filesystem::create_directory_symlink(m_evil, m_good);
  const auto loaded = m_loader->Load(*found, PluginRoot::Layout::Source);
  ASSERT_FALSE(loaded);
  // The folder that was inspected is gone; what the link leads to is no part of it.
  EXPECT_TRUE(loaded.Failure().code == kUnsafePath || loaded.Failure().code == kHashMismatch)
      << loaded.Failure().ToString();
}

TEST_F(PluginExchange, FolderThatIsExchangedAllTheTimeGivesTheInspectedLibraryOrNothing) {
  const std::string library = Read(m_good / "libHotReloadSpatialV1.so");
  const Sha256Digest inspected = Sha256Of(std::as_bytes(std::span{library.data(), library.size()}));
  std::atomic<bool> isOver{false};
  std::thread attacker{[&] {
    while (!isOver.load()) {
      ::renameat2(AT_FDCWD, m_good.c_str(), AT_FDCWD, m_evil.c_str(), RENAME_EXCHANGE);
    }
  }};
  std::set<std::string_view> refusals;
  int loadedCount = 0;
  for (int i = 0; i < 150; ++i) {
    const Result<FoundPlugin> found = Find();
    if (!found) {
      refusals.insert(found.Failure().code.name);
      continue;
    }
    const auto loaded = m_loader->Load(*found, PluginRoot::Layout::Source);
    if (!loaded) {
      refusals.insert(loaded.Failure().code.name);
      continue;
    }
    ++loadedCount;
    EXPECT_EQ((*loaded)->ContentHash(), inspected);
    EXPECT_TRUE(m_loader->Unload(**loaded));
  }
  isOver = true;
  attacker.join();
  EXPECT_GT(loadedCount + static_cast<int>(refusals.size()), 0);
  for (const std::string_view refusal : refusals) {
    EXPECT_TRUE(refusal == kHashMismatch.name || refusal == kUnsafePath.name || refusal == kPluginNotFound.name)
        << refusal;
  }
}

}  // namespace
}  // namespace muster::plugins::test
