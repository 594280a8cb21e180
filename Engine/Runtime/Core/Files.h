// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Whole-file reading with a bound, whole-file writing that is never seen half done. These calls block on the disk: not
// for the tick or the network thread. [any]
#pragma once

#include "Core/Result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

inline constexpr ErrorCode kFileNotFound{1901, "FileNotFound"};
inline constexpr ErrorCode kFileTooLarge{1902, "FileTooLarge"};
inline constexpr ErrorCode kFileUnreadable{1903, "FileUnreadable"};
inline constexpr ErrorCode kFileNotRegular{1904, "FileNotRegular"};
inline constexpr ErrorCode kFileWriteFailed{1905, "FileWriteFailed"};
inline constexpr ErrorCode kTemporaryDirectoryFailed{1906, "TemporaryDirectoryFailed"};

/// The file's bytes as they are, at most `maxBytes` of them. Follows links; refuses anything but a regular file
/// without waiting on it, so that a pipe in the wrong place cannot hang the caller. A file that grows while it
/// is read is cut off by the same bound.
/// Fails with: kFileNotFound, kFileTooLarge, kFileUnreadable, kFileNotRegular.
[[nodiscard]] Result<std::string> ReadTextFile(const std::filesystem::path& path, std::size_t maxBytes);
[[nodiscard]] Result<std::vector<std::byte>> ReadBinaryFile(const std::filesystem::path& path, std::size_t maxBytes);

/// Who may read a written file.
enum class FileAccess {
  Everyone,  ///< 0644
  OwnerOnly  ///< 0600, for keys and secrets; never wider, not even while it is written.
};

/// Replaces the file in one step: a reader sees the old content or the new, also after a crash or a power cut. The
/// folder must exist and be writable, as the new content is first written beside the old. A link is replaced, not
/// followed. Fails with kFileWriteFailed, and then the old file is untouched and nothing is left beside it.
[[nodiscard]] Result<void> WriteFileAtomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                                               FileAccess access = FileAccess::Everyone);
[[nodiscard]] Result<void> WriteFileAtomically(const std::filesystem::path& path, std::string_view text,
                                               FileAccess access = FileAccess::Everyone);

/// A directory of the caller's own (mode 0700) under TMPDIR or /tmp, removed with everything in it at the end. Movable;
/// a moved-from object owns nothing.
class TemporaryDirectory {
 public:
  /// `prefix` starts its name, letters, digits and dashes. Fails with kTemporaryDirectoryFailed.
  [[nodiscard]] static Result<TemporaryDirectory> Create(std::string_view prefix = "muster");

  TemporaryDirectory(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::filesystem::path& Path() const noexcept { return m_path; }

 private:
  explicit TemporaryDirectory(std::filesystem::path path) noexcept : m_path(std::move(path)) {}
  void Remove() noexcept;

  std::filesystem::path m_path;
};

}  // namespace muster
