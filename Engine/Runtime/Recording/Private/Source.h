// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Bytes of a recording, in a file or in memory.
#pragma once

#include "Recording/RecordingReader.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace muster::recording {

class RecordingReader::Source {
 public:
  virtual ~Source() = default;
  [[nodiscard]] virtual std::uint64_t SizeBytes() const = 0;
  /// Fills `bytes` from `offset` on. What was checked against SizeBytes fails only when the file shrank or the disk did.
  virtual Result<void> Read(std::uint64_t offset, std::span<std::uint8_t> bytes) = 0;
  [[nodiscard]] const std::string& Name() const { return m_name; }

  /// Refuses anything but a regular file, without waiting on it.
  static Result<std::unique_ptr<Source>> OfFile(const std::filesystem::path& path);
  static std::unique_ptr<Source> OfBytes(std::vector<std::uint8_t> bytes, std::string name);

 protected:
  explicit Source(std::string name) : m_name{std::move(name)} {}

 private:
  std::string m_name;
};

}  // namespace muster::recording
