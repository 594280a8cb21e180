// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Recording/RecordingWriter.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

namespace muster::recording {
namespace {

std::string SystemReason(int error) {
  return fmt::format("{}.", std::system_category().message(error));
}

class RecordingFile final : public IRecordingSink {
 public:
  RecordingFile(int descriptor, std::filesystem::path path) : m_descriptor{descriptor}, m_path{std::move(path)} {}
  ~RecordingFile() override { ::close(m_descriptor); }
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  Result<void> Write(std::span<const std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written <= 0) {
        return Error{kRecordingWriteFailed, fmt::format("The recording {} ended early.", m_path.string()),
                     SystemReason(written < 0 ? errno : ENOSPC),
                     "Make room on the disk; what was written so far can be read."};
      }
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
  }

 private:
  int m_descriptor;
  std::filesystem::path m_path;
};

}  // namespace

Result<std::unique_ptr<IRecordingSink>> CreateRecordingFile(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0 && errno == EEXIST) {
    return Error{kRecordingExists, fmt::format("There is a file {} already; nothing is recorded.", path.string()), "",
                 "Choose another name, or move the file away."};
  }
  if (descriptor < 0) {
    return Error{kRecordingNotCreated, fmt::format("The recording {} could not be created.", path.string()),
                 SystemReason(errno), "Check the folder, its permissions and its space."};
  }
  return std::unique_ptr<IRecordingSink>{std::make_unique<RecordingFile>(descriptor, path)};
}

}  // namespace muster::recording
