// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Files.h"
#include "Core/ProgramPath.h"

#include "Core/Bytes.h"
#include "Support/TemporaryDirectoryTest.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>

namespace muster {
namespace {

namespace fs = std::filesystem;

class FilesTest : public test::TemporaryDirectoryTest {
 protected:
  [[nodiscard]] std::size_t EntryCount() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(Directory()), fs::directory_iterator()));
  }
};

unsigned ModeOf(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777u;
}

TEST_F(FilesTest, ReadBackWhatWasWritten) {
  const std::string text = std::string("line\n\0binary\xFF", 13) + std::string(200'000, 'x');
  const fs::path path = WriteFile("file", text);
  EXPECT_EQ(*ReadTextFile(path, 1 << 20), text);
  const Result<std::vector<std::byte>> bytes = ReadBinaryFile(path, 1 << 20);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(AsText(*bytes), text);
  WriteFile("empty", "");
  EXPECT_EQ(ReadTextFile(Directory() / "empty", 10)->size(), 0u);
  EXPECT_EQ(ReadTextFile(Directory() / "empty", 0)->size(), 0u);
}

TEST_F(FilesTest, ReadUpToTheBoundAndNotBeyond) {
  const fs::path path = WriteFile("file", std::string(100, 'x'));
  EXPECT_EQ(ReadTextFile(path, 100)->size(), 100u);
  const Result<std::string> cut = ReadTextFile(path, 99);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.Failure().code, kFileTooLarge);
  EXPECT_NE(cut.Failure().cause.find("99 bytes"), std::string::npos);
}

TEST_F(FilesTest, ReadFilesThatClaimToBeEmpty) {
  const Result<std::string> status = ReadTextFile("/proc/self/status", 1 << 20);
  ASSERT_TRUE(status);
  EXPECT_NE(status->find("Pid:"), std::string::npos);
  EXPECT_EQ(ReadTextFile("/proc/self/status", 10).Failure().code, kFileTooLarge);
}

TEST_F(FilesTest, SayWhatIsMissing) {
  const fs::path path = Directory() / "nowhere" / "file";
  const Result<std::string> text = ReadTextFile(path, 10);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.Failure().code, kFileNotFound);
  EXPECT_NE(text.Failure().sentence.find(path.string()), std::string::npos);
  EXPECT_FALSE(text.Failure().action.empty());
  WriteFile("file", "x");
  EXPECT_EQ(ReadTextFile(Directory() / "file" / "below", 10).Failure().code, kFileNotFound);
}

TEST_F(FilesTest, RefuseWhatIsNoRegularFileWithoutHanging) {
  EXPECT_EQ(ReadTextFile(Directory(), 10).Failure().code, kFileNotRegular);
  const fs::path pipe = Directory() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadTextFile(pipe, 10).Failure().code, kFileNotRegular);
  EXPECT_EQ(ReadTextFile("/dev/zero", 10).Failure().code, kFileNotRegular);
}

TEST_F(FilesTest, ReportALoopOfLinksAsUnreadable) {
  fs::create_symlink("loop", Directory() / "loop");
  EXPECT_EQ(ReadTextFile(Directory() / "loop", 10).Failure().code, kFileUnreadable);
}

TEST_F(FilesTest, ReplaceContentAndLeaveNothingBeside) {
  const fs::path path = WriteFile("file", "a long first content");
  ASSERT_TRUE(WriteFileAtomically(path, std::string_view("second")));
  EXPECT_EQ(*ReadTextFile(path, 100), "second");
  EXPECT_EQ(EntryCount(), 1u);
  EXPECT_EQ(ModeOf(path), 0644u);
}

TEST_F(FilesTest, KeepSecretsForTheirOwner) {
  const fs::path path = Directory() / "key";
  ASSERT_TRUE(WriteFileAtomically(path, std::string_view("secret"), FileAccess::OwnerOnly));
  EXPECT_EQ(ModeOf(path), 0600u);
}

TEST_F(FilesTest, LeaveTheOldFileWhenWritingFails) {
  const Result<void> written = WriteFileAtomically(Directory() / "nowhere" / "file", std::string_view("x"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.Failure().code, kFileWriteFailed);

  // A directory with something in it cannot be renamed over.
  WriteFile("target/inside", "kept");
  const Result<void> replaced = WriteFileAtomically(Directory() / "target", std::string_view("x"));
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.Failure().code, kFileWriteFailed);
  EXPECT_EQ(*ReadTextFile(Directory() / "target" / "inside", 10), "kept");
  EXPECT_EQ(EntryCount(), 1u) << "the temporary file stayed";
}

TEST_F(FilesTest, ReplaceALinkAndNotWhatItNames) {
  const fs::path victim = WriteFile("victim", "untouched");
  fs::create_symlink(victim, Directory() / "link");
  ASSERT_TRUE(WriteFileAtomically(Directory() / "link", std::string_view("new")));
  EXPECT_EQ(*ReadTextFile(victim, 100), "untouched");
  EXPECT_FALSE(fs::is_symlink(Directory() / "link"));
}

TEST_F(FilesTest, ShowReadersTheOldOrTheNewContentNeverAMixture) {
  const fs::path path = WriteFile("file", std::string(50'000, 'a'));
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int round = 0; round < 60; ++round) {
      EXPECT_TRUE(
          WriteFileAtomically(path, std::string(static_cast<std::size_t>(50'000 + round), round % 2 == 0 ? 'b' : 'a')));
    }
    done.store(true);
  });
  while (!done.load()) {
    const Result<std::string> text = ReadTextFile(path, 1 << 20);
    EXPECT_TRUE(text);
    EXPECT_TRUE(text && text->size() >= 50'000 && text->find_first_not_of(text->front()) == std::string::npos);
  }
  writer.join();
}

TEST(TemporaryDirectory, IsPrivateAndGoesAwayWithItsContents) {
  fs::path path;
  {
    Result<TemporaryDirectory> made = TemporaryDirectory::Create("muster-test");
    ASSERT_TRUE(made);
    path = made->Path();
    EXPECT_EQ(ModeOf(path), 0700u);
    fs::create_directories(path / "a" / "b");
    ASSERT_TRUE(WriteFileAtomically(path / "a" / "file", std::string_view("x")));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryDirectory, BelongsToWhoeverItWasMovedTo) {
  TemporaryDirectory first = std::move(*TemporaryDirectory::Create("muster-test"));
  TemporaryDirectory second = std::move(*TemporaryDirectory::Create("muster-test"));
  const fs::path firstPath = first.Path();
  const fs::path secondPath = second.Path();
  EXPECT_NE(firstPath, secondPath);
  second = std::move(first);
  EXPECT_FALSE(fs::exists(secondPath)) << "what it held before goes";
  EXPECT_TRUE(fs::exists(firstPath));
  const TemporaryDirectory third = std::move(second);
  EXPECT_TRUE(fs::exists(firstPath));
  EXPECT_EQ(third.Path(), firstPath);
}

TEST(TemporaryDirectory, DoesNotFollowLinksWhenItIsRemoved) {
  const TemporaryDirectory outside = std::move(*TemporaryDirectory::Create("muster-test"));
  ASSERT_TRUE(WriteFileAtomically(outside.Path() / "kept", std::string_view("x")));
  {
    const TemporaryDirectory inside = std::move(*TemporaryDirectory::Create("muster-test"));
    fs::create_directory_symlink(outside.Path(), inside.Path() / "link");
  }
  EXPECT_TRUE(fs::exists(outside.Path() / "kept"));
}

TEST(ProgramPath, NamesWhatLiesBesideTheProgramsFolder) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  ASSERT_FALSE(error);
  const std::string folder = self.parent_path().filename().string();
  EXPECT_EQ(PathBesideProgram(folder), self.parent_path());
  EXPECT_EQ(PathBesideProgram("Plugins").filename(), "Plugins");
}

}  // namespace
}  // namespace muster
