// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <utility>

namespace muster {

/// Closes a POSIX descriptor at the end of its scope.
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) noexcept : m_descriptor(descriptor) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (IsOpen()) {
      ::close(m_descriptor);
    }
  }

  [[nodiscard]] bool IsOpen() const noexcept { return m_descriptor >= 0; }
  [[nodiscard]] int Get() const noexcept { return m_descriptor; }

  /// Closes now; false when the system reports a late write error with it.
  [[nodiscard]] bool Close() noexcept { return ::close(std::exchange(m_descriptor, -1)) == 0; }

 private:
  int m_descriptor;
};

}  // namespace muster
