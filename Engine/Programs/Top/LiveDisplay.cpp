// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LiveDisplay.h"

#include "TickTable.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>
#include <cstdlib>

namespace muster::top {

namespace {

constexpr std::chrono::seconds kSummaryInterval{1};
constexpr std::size_t kDefaultColumns = 80;

std::size_t ColumnsOf(std::FILE* stream) {
  winsize size{};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return size.ws_col;
  }
  return kDefaultColumns;
}

}  // namespace

LiveDisplay::LiveDisplay(std::FILE* stream)
    : m_stream(stream),
      m_isTerminal(::isatty(::fileno(stream)) == 1),
      m_hasColor(m_isTerminal && std::getenv("NO_COLOR") == nullptr) {}

void LiveDisplay::Show(std::span<const std::string> lines, const std::string& summary) {
  if (m_isTerminal) {
    Redraw(lines);
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now >= m_nextSummary) {
    std::fprintf(m_stream, "%s\n", summary.c_str());
    std::fflush(m_stream);
    m_nextSummary = now + kSummaryInterval;
  }
}

void LiveDisplay::Redraw(std::span<const std::string> lines) {
  // One write, so that no half frame is seen; a line that wrapped would make "up" land too low.
  const std::size_t columns = ColumnsOf(m_stream);
  std::string frame = m_shownLines > 0 ? fmt::format("\x1b[{}A", m_shownLines) : std::string{};
  frame += "\r\x1b[J";
  for (const std::string& line : lines) {
    frame += FitToColumns(line, columns - 1) + "\n";
  }
  std::fwrite(frame.data(), 1, frame.size(), m_stream);
  std::fflush(m_stream);
  m_shownLines = lines.size();
}

void LiveDisplay::Leave() {
  m_shownLines = 0;
}

}  // namespace muster::top
