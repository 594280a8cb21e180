// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/NonBlockingWrite.h"

#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace muster {

bool WriteWithoutWaiting(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    pollfd waits{descriptor, POLLOUT, 0};
    if (::poll(&waits, 1, 0) != 1 || (waits.revents & POLLOUT) == 0) {
      return false;
    }
    // A pipe that is ready takes PIPE_BUF bytes whole; a longer write could wait for its reader in the middle.
    const ssize_t written = ::write(descriptor, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace muster
