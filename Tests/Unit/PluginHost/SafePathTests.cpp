// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/SafePath.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "PluginHost/Errors.h"
#include "Support/TemporaryDirectoryTest.h"

namespace muster::plugins {
namespace {

namespace fs = std::filesystem;

class SafePath : public muster::test::TemporaryDirectoryTest {
 protected:
  void SetUp() override {
    WriteFile("root/plugin/file", "content");
    m_root = fs::canonical(Directory() / "root");
  }
  [[nodiscard]] static ErrorCode CodeOf(const Result<fs::path>& result) {
    return result ? ErrorCode{} : result.Failure().code;
  }

  fs::path m_root;
  TrustedOwners m_owners = TrustedOwners::OfThisProcess();
};

TEST_F(SafePath, AcceptsAPrivateRootBelowTmp) {
  const Result<fs::path> root = CheckRoot(Directory() / "root", m_owners);
  ASSERT_TRUE(root) << root.Failure().ToString();
  EXPECT_EQ(*root, m_root);
}

TEST_F(SafePath, FollowsALinkToTheRootItself) {
  fs::create_directory_symlink(m_root, Directory() / "link");
  const Result<fs::path> root = CheckRoot(Directory() / "link", m_owners);
  ASSERT_TRUE(root);
  EXPECT_EQ(*root, m_root) << "what counts is where it leads";
}

TEST_F(SafePath, RefusesRootsThatAreRelativeMissingOrNoFolder) {
  EXPECT_EQ(CodeOf(CheckRoot("root", m_owners)), kUnsafePath);
  EXPECT_EQ(CodeOf(CheckRoot("", m_owners)), kUnsafePath);
  EXPECT_EQ(CodeOf(CheckRoot(Directory() / "missing", m_owners)), kRootUnreadable);
  EXPECT_EQ(CodeOf(CheckRoot(m_root / "plugin/file", m_owners)), kRootUnreadable);
}

TEST_F(SafePath, RefusesOwnersThatAreNotTrusted) {
  const TrustedOwners nobody{{static_cast<uid_t>(65533)}};
  EXPECT_EQ(CodeOf(CheckRoot(m_root, nobody)), kUnsafePath);
  EXPECT_EQ(CodeOf(CheckInside(m_root, "plugin/file", nobody)), kUnsafePath);
  EXPECT_FALSE(ReadSafeFile(m_root / "plugin/file", 100, nobody));
}

TEST_F(SafePath, TrustsRootSelfAndTheOwnerOfTheProgram) {
  EXPECT_TRUE(m_owners.Contains(0));
  EXPECT_TRUE(m_owners.Contains(::geteuid()));
  struct stat program {};
  ASSERT_EQ(::stat("/proc/self/exe", &program), 0);
  EXPECT_TRUE(m_owners.Contains(program.st_uid));
}

TEST_F(SafePath, RefusesPathsThatClimbOrStandAlone) {
  for (const char* path : {"", "..", "../root/plugin/file", "plugin/../plugin/file", "/etc/passwd"}) {
    EXPECT_EQ(CodeOf(CheckInside(m_root, path, m_owners)), kUnsafePath) << path;
  }
  EXPECT_EQ(CodeOf(CheckInside(m_root, "plugin/missing", m_owners)), kPluginNotFound);
}

TEST_F(SafePath, LinksMayStayInsideAndMayNotLeave) {
  WriteFile("outside/file", "x");
  fs::create_symlink(m_root / "plugin/file", m_root / "inside");
  fs::create_symlink(Directory() / "outside/file", m_root / "leaves");
  fs::create_directory_symlink("../outside", m_root / "climbs");
  const Result<fs::path> inside = CheckInside(m_root, "inside", m_owners);
  ASSERT_TRUE(inside);
  EXPECT_EQ(*inside, m_root / "plugin/file");
  EXPECT_EQ(CodeOf(CheckInside(m_root, "leaves", m_owners)), kUnsafePath);
  EXPECT_EQ(CodeOf(CheckInside(m_root, "climbs/file", m_owners)), kUnsafePath);
}

TEST_F(SafePath, ARootsNamesakeIsNotInside) {
  WriteFile("rooted/file", "x");
  fs::create_symlink(Directory() / "rooted/file", m_root / "leaves");
  EXPECT_EQ(CodeOf(CheckInside(m_root, "leaves", m_owners)), kUnsafePath);
}

TEST_F(SafePath, RefusesFoldersThatEverybodyMayWriteTo) {
  ASSERT_EQ(::chmod((m_root / "plugin").c_str(), 0777), 0);
  EXPECT_EQ(CodeOf(CheckInside(m_root, "plugin/file", m_owners)), kUnsafePath);
  EXPECT_EQ(CodeOf(CheckInside(m_root, "plugin", m_owners)), kUnsafePath);
  ASSERT_EQ(::chmod((m_root / "plugin").c_str(), 0775), 0);
  EXPECT_TRUE(CheckInside(m_root, "plugin/file", m_owners)) << "a group is the owner's choice";
}

TEST_F(SafePath, StickyIsEnoughAboveTheRootOnly) {
  ASSERT_EQ(::chmod(Directory().c_str(), 01777), 0);
  EXPECT_TRUE(CheckRoot(m_root, m_owners));
  ASSERT_EQ(::chmod(Directory().c_str(), 0777), 0);
  EXPECT_EQ(CodeOf(CheckRoot(m_root, m_owners)), kUnsafePath);
  ASSERT_EQ(::chmod(Directory().c_str(), 0700), 0);
  ASSERT_EQ(::chmod(m_root.c_str(), 01777), 0);
  EXPECT_EQ(CodeOf(CheckRoot(m_root, m_owners)), kUnsafePath);
}

TEST_F(SafePath, ReadsWhatItChecked) {
  const auto bytes = ReadSafeFile(m_root / "plugin/file", 7, m_owners);
  ASSERT_TRUE(bytes) << bytes.Failure().ToString();
  EXPECT_EQ(bytes->size(), 7u);
  EXPECT_EQ((*bytes)[0], std::byte{'c'});
  EXPECT_FALSE(ReadSafeFile(m_root / "plugin/file", 6, m_owners)) << "one byte too many";
}

TEST_F(SafePath, ReadsNeitherLinksNorFoldersNorPipesNorOpenFiles) {
  fs::create_symlink(m_root / "plugin/file", m_root / "link");
  ASSERT_EQ(::mkfifo((m_root / "pipe").c_str(), 0600), 0);
  for (const char* name : {"link", "plugin", "pipe"}) {
    const auto bytes = ReadSafeFile(m_root / name, 100, m_owners);
    ASSERT_FALSE(bytes) << name;
    EXPECT_EQ(bytes.Failure().code, kUnsafePath) << name;
  }
  ASSERT_EQ(::chmod((m_root / "plugin/file").c_str(), 0646), 0);
  EXPECT_EQ(ReadSafeFile(m_root / "plugin/file", 100, m_owners).Failure().code, kUnsafePath);
  EXPECT_EQ(ReadSafeFile(m_root / "missing", 100, m_owners).Failure().code, kPluginNotFound);
}

}  // namespace
}  // namespace muster::plugins
