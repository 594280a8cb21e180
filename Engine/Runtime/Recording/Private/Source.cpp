// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Source.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace muster::recording {
namespace {

Error Unreadable(const std::string& name, const std::string& cause) {
  return Error{kRecordingUnreadable, fmt::format("The recording {} could not be read.", name), cause,
               "Check the path, that it is a plain file, and its permissions."};
}

std::string SystemText(int error) {
  return fmt::format("{}.", std::system_category().message(error));
}

}  // namespace

Result<std::unique_ptr<RecordingReader::Source>> RecordingReader::Source::OfFile(const std::filesystem::path& path) {
  class File final : public Source {
   public:
    File(int descriptor, std::string name) : Source{std::move(name)}, m_descriptor{descriptor} {}
    ~File() override { ::close(m_descriptor); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    [[nodiscard]] std::uint64_t SizeBytes() const override { return m_size; }
    Result<void> Read(std::uint64_t offset, std::span<std::uint8_t> bytes) override {
      while (!bytes.empty()) {
        const ssize_t read = ::pread(m_descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (read < 0 && errno == EINTR) {
          continue;
        }
        if (read <= 0) {
          return Unreadable(Name(), read < 0 ? SystemText(errno) : "It became shorter while it was read.");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(read));
        offset += static_cast<std::uint64_t>(read);
      }
      return {};
    }
    Result<void> Measure() {
      struct stat status {};
      if (::fstat(m_descriptor, &status) != 0) {
        return Unreadable(Name(), SystemText(errno));
      }
      if (!S_ISREG(status.st_mode)) {
        return Unreadable(Name(), "It is no plain file.");
      }
      m_size = static_cast<std::uint64_t>(status.st_size);
      return {};
    }

   private:
    int m_descriptor;
    std::uint64_t m_size = 0;
  };

  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return Unreadable(path.string(), SystemText(errno));
  }
  auto file = std::make_unique<File>(descriptor, path.string());
  if (Result<void> measured = file->Measure(); !measured) {
    return std::move(measured).Failure();
  }
  return std::unique_ptr<Source>{std::move(file)};
}

std::unique_ptr<RecordingReader::Source> RecordingReader::Source::OfBytes(std::vector<std::uint8_t> bytes,
                                                                          std::string name) {
  class Memory final : public Source {
   public:
    Memory(std::vector<std::uint8_t> held, std::string name) : Source{std::move(name)}, m_bytes{std::move(held)} {}
    [[nodiscard]] std::uint64_t SizeBytes() const override { return m_bytes.size(); }
    Result<void> Read(std::uint64_t offset, std::span<std::uint8_t> out) override {
      MUSTER_ASSERT(offset + out.size() <= m_bytes.size(), "checked against the size");
      std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
      return {};
    }

   private:
    std::vector<std::uint8_t> m_bytes;
  };
  return std::make_unique<Memory>(std::move(bytes), std::move(name));
}

}  // namespace muster::recording
