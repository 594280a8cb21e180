// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "StandardInput.h"

#include <unistd.h>
#include <array>
#include <cerrno>
#include <utility>

namespace muster::server {

StandardInput::StandardInput(bool isEnabled) : m_descriptor(isEnabled ? STDIN_FILENO : -1) {}

void StandardInput::Read(const std::function<void(std::string_view)>& body) {
  std::array<char, 4'096> buffer{};
  const ssize_t size = ::read(m_descriptor, buffer.data(), buffer.size());
  if (size > 0) {
    Take({buffer.data(), static_cast<std::size_t>(size)}, body);
  } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
    m_descriptor = -1;
    if (!m_line.empty()) {
      body(std::exchange(m_line, {}));
    }
  }
}

void StandardInput::Take(std::string_view text, const std::function<void(std::string_view)>& body) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    // One byte more than allowed stays, so that whoever runs the line can say that it is too long.
    m_line += part.substr(0, kMaxLineBytes + 1 - m_line.size());
    if (end == std::string_view::npos) {
      return;
    }
    text.remove_prefix(end + 1);
    body(std::exchange(m_line, {}));
  }
}

}  // namespace muster::server
