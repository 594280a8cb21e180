// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/SafePath.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "Core/Files.h"
#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

namespace fs = std::filesystem;

[[nodiscard]] std::string TextOfSystem(int code) {
  return std::system_category().message(code);
}

[[nodiscard]] Error Unsafe(const fs::path& path, std::string cause, std::string action) {
  return Error{kUnsafePath, fmt::format("{} was refused before anything of it was read as code.", path.string()),
               std::move(cause), std::move(action)};
}

enum class Place { Inside, Root, AboveRoot };

/// What is wrong with owner and mode, if anything.
[[nodiscard]] std::optional<Error> JudgeStat(const fs::path& path, const struct stat& status, Place place,
                                             const TrustedOwners& owners) {
  if (!owners.Contains(status.st_uid)) {
    return Unsafe(
        path,
        fmt::format("It belongs to user {}, who is neither root nor whoever owns or runs this program.", status.st_uid),
        "Give it to the user who runs the program (chown), or move the plugin elsewhere.");
  }
  const bool isWritableForAll = (status.st_mode & S_IWOTH) != 0;
  const bool isStickyAncestor = place == Place::AboveRoot && (status.st_mode & S_ISVTX) != 0;
  if (isWritableForAll && !isStickyAncestor) {
    return Unsafe(path, "Everybody may write to it, so anybody could have put code there.",
                  fmt::format("Take the permission away: chmod o-w '{}'.", path.string()));
  }
  return std::nullopt;
}

/// Checks `folder`, which is canonical, so that no component of it is a link.
[[nodiscard]] std::optional<Error> JudgeFolder(const fs::path& folder, Place place, const TrustedOwners& owners) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) {
    return Unsafe(folder, fmt::format("It cannot be looked at: {}.", TextOfSystem(errno)), "Check the path.");
  }
  if (!S_ISDIR(status.st_mode)) {
    return Unsafe(folder, "It is no folder.", "Check the path.");
  }
  return JudgeStat(folder, status, place, owners);
}

[[nodiscard]] bool IsBelow(const fs::path& path, const fs::path& root) {
  const auto [inRoot, inPath] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return inRoot == root.end() && inPath != path.end();
}

class OpenFile {
 public:
  explicit OpenFile(int descriptor) noexcept : m_descriptor{descriptor} {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (m_descriptor >= 0) {
      ::close(m_descriptor);
    }
  }
  [[nodiscard]] int Get() const noexcept { return m_descriptor; }

 private:
  int m_descriptor;
};

[[nodiscard]] Error Unreadable(const fs::path& path, int code) {
  return Error{kFileUnreadable, fmt::format("{} could not be read.", path.string()), TextOfSystem(code) + ".",
               "Check the file and its permissions."};
}

[[nodiscard]] Error TooLarge(const fs::path& path, std::size_t maxBytes) {
  return Error{kFileTooLarge, fmt::format("{} is too large.", path.string()),
               fmt::format("It has more than {} bytes.", maxBytes), "Check that it is the right file."};
}

/// Reads to the end, at most `maxBytes`, however large the file claimed to be.
[[nodiscard]] Result<std::vector<std::byte>> ReadAll(int descriptor, std::size_t expectedBytes, std::size_t maxBytes,
                                                     const fs::path& path) {
  constexpr std::size_t kStep = 64 * 1024;
  std::vector<std::byte> bytes;
  bytes.reserve(std::min(expectedBytes, maxBytes));
  std::size_t filled = 0;
  while (true) {
    if (filled > maxBytes) {
      return TooLarge(path, maxBytes);
    }
    bytes.resize(filled + kStep);
    const ssize_t got = ::read(descriptor, bytes.data() + filled, kStep);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return Unreadable(path, errno);
    }
    filled += static_cast<std::size_t>(got);
    if (got == 0) {
      bytes.resize(filled);
      return bytes;
    }
  }
}

}  // namespace

TrustedOwners TrustedOwners::OfThisProcess() {
  std::vector<uid_t> owners{0, ::geteuid()};
  struct stat program {};
  if (::stat("/proc/self/exe", &program) == 0) {
    owners.push_back(program.st_uid);
  }
  return TrustedOwners{std::move(owners)};
}

bool TrustedOwners::Contains(uid_t owner) const noexcept {
  return std::find(m_owners.begin(), m_owners.end(), owner) != m_owners.end();
}

Result<fs::path> CheckRoot(const fs::path& root, const TrustedOwners& owners) {
  if (!root.is_absolute()) {
    return Unsafe(root, "It is relative, so it would mean another folder wherever the program is started.",
                  "Configure the plugin root as an absolute path.");
  }
  std::error_code problem;
  const fs::path canonical = fs::canonical(root, problem);
  if (problem || !fs::is_directory(canonical, problem)) {
    return Error{kRootUnreadable, fmt::format("The plugin root {} is no folder that can be read.", root.string()),
                 fmt::format("{}.", problem ? problem.message() : "It is something else than a folder"),
                 "Create it, or take it out of the plugin roots."};
  }
  if (auto error = JudgeFolder(canonical, Place::Root, owners)) {
    return *error;
  }
  for (fs::path folder = canonical; folder != folder.root_path();) {
    folder = folder.parent_path();
    if (auto error = JudgeFolder(folder, Place::AboveRoot, owners)) {
      return *error;
    }
  }
  return canonical;
}

Result<fs::path> CheckInside(const fs::path& root, const fs::path& relative, const TrustedOwners& owners) {
  const bool climbs = std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
  if (relative.empty() || !relative.is_relative() || climbs) {
    return Unsafe(
        relative,
        fmt::format("It does not name a file below {}: it is empty, absolute or has '..' in it.", root.string()),
        "Name the file relative to the plugin's folder.");
  }
  std::error_code problem;
  const fs::path canonical = fs::canonical(root / relative, problem);
  if (problem) {
    return Error{kPluginNotFound, fmt::format("{} does not exist.", (root / relative).string()),
                 problem.message() + ".", "Build or install the plugin, or correct the path."};
  }
  if (!IsBelow(canonical, root)) {
    return Unsafe(root / relative,
                  fmt::format("A link on the way leads out of {}, to {}.", root.string(), canonical.string()),
                  "Put the file itself below the plugin root, or configure a root where it lies.");
  }
  fs::path folder = fs::is_directory(canonical, problem) ? canonical : canonical.parent_path();
  for (; folder != root; folder = folder.parent_path()) {
    if (auto error = JudgeFolder(folder, Place::Inside, owners)) {
      return *error;
    }
  }
  return canonical;
}

Result<std::vector<std::byte>> ReadSafeFile(const fs::path& path, std::size_t maxBytes, const TrustedOwners& owners) {
  const OpenFile file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
  if (file.Get() < 0) {
    const int code = errno;
    if (code == ENOENT) {
      return Error{kPluginNotFound, fmt::format("{} does not exist.", path.string()), TextOfSystem(code) + ".",
                   "Build or install the plugin, or correct the path."};
    }
    if (code == ELOOP) {
      return Unsafe(path, "It has become a link.", "Put the file itself there.");
    }
    return Unreadable(path, code);
  }
  struct stat status {};
  if (::fstat(file.Get(), &status) != 0) {
    return Unreadable(path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return Unsafe(path, "It is no regular file.", "Put a regular file there.");
  }
  if (auto error = JudgeStat(path, status, Place::Inside, owners)) {
    return *error;
  }
  if (status.st_size > 0 && static_cast<std::uintmax_t>(status.st_size) > maxBytes) {
    return TooLarge(path, maxBytes);
  }
  return ReadAll(file.Get(), static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)), maxBytes, path);
}

}  // namespace muster::plugins
