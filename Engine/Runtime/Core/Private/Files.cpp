// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Files.h"

#include "Core/Bytes.h"
#include "FileDescriptor.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace muster {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadStepBytes = std::size_t{64} * 1024;

std::string Reason(int errorNumber) {
  return std::generic_category().message(errorNumber) + '.';
}

Error TooLarge(const fs::path& path, std::size_t maxBytes) {
  return Error{kFileTooLarge, fmt::format("The file '{}' was not read.", path.string()),
               fmt::format("It is larger than the {} bytes allowed here.", maxBytes),
               "Check that it is the right file, or make it smaller."};
}

Error Unreadable(const fs::path& path, int errorNumber) {
  if (errorNumber == ENOENT || errorNumber == ENOTDIR) {
    return Error{kFileNotFound, fmt::format("There is no file '{}'.", path.string()), Reason(errorNumber),
                 "Check the path and the directory the program was started in."};
  }
  return Error{kFileUnreadable, fmt::format("The file '{}' could not be read.", path.string()), Reason(errorNumber),
               "Check its permissions and the disk."};
}

/// Reads one byte past the bound to tell "exactly at it" from "beyond it", whatever size the file claims: special
/// file systems claim zero, and a growing file more than it did.
template <class Container>
Result<Container> ReadWhole(const fs::path& path, std::size_t maxBytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.IsOpen()) {
    return Unreadable(path, errno);
  }
  struct stat status {};
  if (::fstat(file.Get(), &status) != 0) {
    return Unreadable(path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return Error{kFileNotRegular, fmt::format("'{}' was not read.", path.string()),
                 "It is a directory, a pipe or a device, not a regular file.", "Name a regular file."};
  }
  const auto claimedBytes = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
  if (claimedBytes > maxBytes) {
    return TooLarge(path, maxBytes);
  }

  Container content;
  std::size_t filled = 0;
  for (;;) {
    if (filled == content.size()) {
      const std::size_t wanted = filled == 0 ? claimedBytes + 1 : filled + kReadStepBytes;
      content.resize(std::min(wanted, maxBytes + 1));
    }
    const ssize_t got = ::read(file.Get(), content.data() + filled, content.size() - filled);
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      return Unreadable(path, errno);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
    if (filled > maxBytes) {
      return TooLarge(path, maxBytes);
    }
  }
  content.resize(filled);
  return content;
}

Error WriteFailure(const fs::path& path, std::string_view step, int errorNumber) {
  return Error{kFileWriteFailed, fmt::format("The file '{}' was not written.", path.string()),
               fmt::format("{} failed: {}", step, Reason(errorNumber)),
               "Check that its folder exists and is writable, and that the disk has room."};
}

Result<void> WriteAll(const FileDescriptor& file, std::span<const std::byte> bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.Get(), bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return WriteFailure(path, "Writing", errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> FillAndPublish(FileDescriptor& file, const std::string& temporaryName, const fs::path& path,
                            std::span<const std::byte> bytes, FileAccess access) {
  if (Result<void> written = WriteAll(file, bytes, path); !written) {
    return written;
  }
  // mkostemp made it 0600, so it is widened, never narrowed.
  if (access == FileAccess::Everyone && ::fchmod(file.Get(), 0644) != 0) {
    return WriteFailure(path, "Setting its permissions", errno);
  }
  if (::fsync(file.Get()) != 0) {
    return WriteFailure(path, "Flushing it to the disk", errno);
  }
  if (!file.Close()) {
    return WriteFailure(path, "Closing it", errno);
  }
  if (::rename(temporaryName.c_str(), path.c_str()) != 0) {
    return WriteFailure(path, "Putting it in place", errno);
  }
  return {};
}

}  // namespace

Result<std::string> ReadTextFile(const fs::path& path, std::size_t maxBytes) {
  return ReadWhole<std::string>(path, maxBytes);
}

Result<std::vector<std::byte>> ReadBinaryFile(const fs::path& path, std::size_t maxBytes) {
  return ReadWhole<std::vector<std::byte>>(path, maxBytes);
}

Result<void> WriteFileAtomically(const fs::path& path, std::span<const std::byte> bytes, FileAccess access) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
  std::string temporaryName = (folder / ("." + path.filename().string() + ".XXXXXX")).string();
  FileDescriptor file(::mkostemp(temporaryName.data(), O_CLOEXEC));
  if (!file.IsOpen()) {
    return WriteFailure(path, "Creating a temporary file beside it", errno);
  }
  Result<void> published = FillAndPublish(file, temporaryName, path, bytes, access);
  if (!published) {
    ::unlink(temporaryName.c_str());
    return published;
  }
  // The rename itself must reach the disk. Some file systems cannot flush a folder; the file is in place all the same.
  const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (directory.IsOpen()) {
    static_cast<void>(::fsync(directory.Get()));
  }
  return {};
}

Result<void> WriteFileAtomically(const fs::path& path, std::string_view text, FileAccess access) {
  return WriteFileAtomically(path, AsBytes(text), access);
}

Result<TemporaryDirectory> TemporaryDirectory::Create(std::string_view prefix) {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (!error) {
    std::string name = (base / fmt::format("{}-XXXXXX", prefix)).string();
    if (::mkdtemp(name.data()) != nullptr) {
      return TemporaryDirectory(fs::path(name));
    }
    error = std::error_code(errno, std::generic_category());
  }
  return Error{kTemporaryDirectoryFailed, "No temporary directory could be made.", error.message() + '.',
               "Check that TMPDIR (or /tmp) is a writable directory with room."};
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : m_path(std::exchange(other.m_path, fs::path{})) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
  if (this != &other) {
    Remove();
    m_path = std::exchange(other.m_path, fs::path{});
  }
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  Remove();
}

void TemporaryDirectory::Remove() noexcept {
  if (!m_path.empty()) {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
    m_path.clear();
  }
}

}  // namespace muster
