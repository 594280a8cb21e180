// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PrivateCopies.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "muster-plugins-";

[[nodiscard]] Error Unusable(const fs::path& path, std::string cause) {
  return Error{
      kCacheUnusable, fmt::format("Plugins cannot be copied to {}.", path.string()), std::move(cause),
      "Point XDG_RUNTIME_DIR to a folder that this user may write to, on a file system that may hold executable "
      "code."};
}

[[nodiscard]] std::string SystemText(int code) {
  return std::system_category().message(code) + ".";
}

/// The process in a folder's name `muster-plugins-<pid>-<random>`.
[[nodiscard]] std::optional<pid_t> OwnerOf(std::string_view name) {
  if (name.substr(0, kPrefix.size()) != kPrefix) {
    return std::nullopt;
  }
  name.remove_prefix(kPrefix.size());
  pid_t pid = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (problem != std::errc{} || pid <= 0 || end == name.data() + name.size() || *end != '-') {
    return std::nullopt;
  }
  return pid;
}

/// Both must agree that the owner is gone: the pid guards a folder that is not locked yet, the lock guards the folder
/// of a process that this one cannot see.
[[nodiscard]] bool IsOrphan(const fs::path& folder, pid_t owner) {
  if (owner == ::getpid() || ::kill(owner, 0) == 0 || errno != ESRCH) {
    return false;
  }
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  struct stat status {};
  const bool isOurs = ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid();
  const bool isFree = isOurs && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return isFree;
}

void RemoveOrphans(const fs::path& parent, const Logger& log) {
  std::error_code problem;
  for (fs::directory_iterator entry{parent, problem}, end; !problem && entry != end; entry.increment(problem)) {
    const std::optional<pid_t> owner = OwnerOf(entry->path().filename().string());
    if (owner && IsOrphan(entry->path(), *owner)) {
      std::error_code ignored;
      fs::remove_all(entry->path(), ignored);
      log.Info("removed {}, left by a process that is gone", entry->path().string());
    }
  }
}

[[nodiscard]] fs::path DefaultParent() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  std::error_code ignored;
  if (runtime != nullptr && fs::path{runtime}.is_absolute() && fs::is_directory(runtime, ignored)) {
    return runtime;
  }
  return "/tmp";
}

[[nodiscard]] bool WriteAll(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<PrivateCopies> PrivateCopies::Create(const fs::path& parent, const Logger& log) {
  const fs::path base = parent.empty() ? DefaultParent() : parent;
  if (!base.is_absolute()) {
    return Unusable(base, "The path is relative.");
  }
  std::error_code problem;
  fs::create_directories(base, problem);
  if (problem) {
    return Unusable(base, problem.message() + ".");
  }
  RemoveOrphans(base, log);
  std::string name = (base / fmt::format("{}{}-XXXXXX", kPrefix, ::getpid())).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return Unusable(base, SystemText(errno));
  }
  const int lock = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lock < 0 || ::flock(lock, LOCK_EX | LOCK_NB) != 0) {
    const int code = errno;
    if (lock >= 0) {
      ::close(lock);
    }
    return Unusable(name, SystemText(code));
  }
  // Canonical, because the process's memory map shows canonical paths.
  return PrivateCopies{fs::canonical(name, problem), lock};
}

PrivateCopies::PrivateCopies(PrivateCopies&& other) noexcept
    : m_folder{std::move(other.m_folder)}, m_lock{std::exchange(other.m_lock, -1)} {}

PrivateCopies::~PrivateCopies() {
  if (m_lock >= 0) {
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
    ::close(m_lock);
  }
}

Result<fs::path> PrivateCopies::Write(std::string_view pluginId, std::uint64_t generation,
                                      std::span<const std::byte> bytes) const {
  const fs::path path = m_folder / fmt::format("{}.{}.so", pluginId, generation);
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0500);
  if (descriptor < 0) {
    return Unusable(m_folder, SystemText(errno));
  }
  const bool isWritten = WriteAll(descriptor, bytes);
  const int code = errno;
  const bool isClosed = ::close(descriptor) == 0;
  if (!isWritten || !isClosed) {
    ::unlink(path.c_str());
    return Unusable(m_folder, SystemText(isWritten ? errno : code));
  }
  return path;
}

void PrivateCopies::Remove(const fs::path& copy) const noexcept {
  ::unlink(copy.c_str());
}

}  // namespace muster::plugins
