// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "TopLoop.h"

#include "LiveDisplay.h"
#include "MetricsFile.h"
#include "TickTable.h"

#include <fmt/format.h>

#include <poll.h>
#include <termios.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <cstdio>

namespace muster::top {

namespace {

std::atomic<bool> g_stop{false};  // a signal handler can reach nothing else

/// Keys without Enter and without echo, as long as it lives; nothing where standard input is no terminal.
class KeyInput {
 public:
  KeyInput() : m_isTerminal(::isatty(STDIN_FILENO) == 1) {
    if (m_isTerminal && ::tcgetattr(STDIN_FILENO, &m_before) == 0) {
      termios raw = m_before;
      raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
      ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
  }
  ~KeyInput() {
    if (m_isTerminal) {
      ::tcsetattr(STDIN_FILENO, TCSANOW, &m_before);
    }
  }
  KeyInput(const KeyInput&) = delete;
  KeyInput& operator=(const KeyInput&) = delete;

  /// Waits so long; true when q was pressed.
  [[nodiscard]] bool IsQuitPressedWithin(std::chrono::milliseconds time) const {
    pollfd wait{m_isTerminal ? STDIN_FILENO : -1, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(time.count())) <= 0) {
      return false;
    }
    char key = 0;
    return ::read(STDIN_FILENO, &key, 1) == 1 && (key == 'q' || key == 'Q');
  }

 private:
  bool m_isTerminal;
  termios m_before{};
};

int ShowOnce(const TopOptions& options, LiveDisplay& display) {
  const auto report = ReadMetricsFile(options.metrics);
  if (!report) {
    std::fprintf(stderr, "muster-top: %s\n", report.Failure().ToString().c_str());
    return 1;
  }
  for (const std::string& line : TickTableLines(*report, {.hasColor = display.HasColor()})) {
    std::printf("%s\n", line.c_str());
  }
  return 0;
}

}  // namespace

int RunTop(const TopOptions& options) {
  LiveDisplay display{stdout};
  if (options.isOnce) {
    return ShowOnce(options, display);
  }
  std::signal(SIGINT, [](int) { g_stop.store(true); });
  std::signal(SIGTERM, [](int) { g_stop.store(true); });
  const KeyInput keys;
  while (!g_stop.load(std::memory_order_relaxed)) {
    const auto report = ReadMetricsFile(options.metrics);
    if (!report) {
      display.Leave();
      std::fprintf(stderr, "muster-top: %s\n", report.Failure().ToString().c_str());
      return 1;
    }
    auto lines = TickTableLines(*report, {.hasColor = display.HasColor()});
    lines.push_back(fmt::format(" {}   q quits", options.metrics.string()));
    display.Show(lines, TickSummaryLine(*report));
    if (keys.IsQuitPressedWithin(options.interval)) {
      break;
    }
  }
  return 0;
}

}  // namespace muster::top
