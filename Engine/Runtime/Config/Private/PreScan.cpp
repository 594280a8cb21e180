// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PreScan.h"

#include "Config/Load.h"
#include "Core/Utf8.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace muster::config {

namespace {

Error SyntaxError(std::string_view name, std::size_t line, std::string cause, std::string action) {
  return Error{kConfigSyntax, fmt::format("{}:{} cannot be read.", name, line), std::move(cause), std::move(action)};
}

/// Walks the text once.
class Scanner {
 public:
  Scanner(std::string_view text, std::string_view name) : m_text{text}, m_name{name} {}

  Result<void> Run() {
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '\n') {
        EndLine();
        ++m_at;
      } else if (c == '#') {
        SkipTo(m_text.find('\n', m_at));
      } else if (c == '"' || c == '\'') {
        SkipString(c);
      } else {
        Note(c);
        ++m_at;
      }
      if (m_depth > kMaxConfigDepth || m_parts > kMaxConfigDepth) {
        return SyntaxError(
            m_name, m_line,
            fmt::format("{} deeper than {} levels.",
                        m_depth > kMaxConfigDepth ? "Brackets are nested" : "A dotted key goes", kMaxConfigDepth),
            "Flatten it; no key of the configuration is that deep.");
      }
    }
    return {};
  }

 private:
  void Note(char c) {
    if (c == '[' || c == '{') {
      ++m_depth;
      m_parts = 0;
    } else if (c == ']' || c == '}') {
      m_depth -= m_depth > 0 ? 1 : 0;
      m_parts = 0;
    } else if (c == '.') {
      ++m_parts;
    } else if (c == '=' || c == ',') {
      m_parts = 0;
    }
  }

  void EndLine() {
    ++m_line;
    m_parts = 0;
  }

  void SkipTo(std::size_t position) { m_at = position == std::string_view::npos ? m_text.size() : position; }

  void SkipString(char quote) {
    const std::string triple(3, quote);
    const bool isMultiLine = m_text.substr(m_at, 3) == triple;
    m_at += isMultiLine ? 3 : 1;
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '\\' && quote == '"') {
        m_at += 2;
        continue;
      }
      if (c == '\n') {
        if (!isMultiLine) {
          return;  // not closed on its line: the parser will say so
        }
        EndLine();
      }
      if (c == quote && (!isMultiLine || m_text.substr(m_at, 3) == triple)) {
        m_at += isMultiLine ? 3 : 1;
        return;
      }
      ++m_at;
    }
  }

  std::string_view m_text;
  std::string_view m_name;
  std::size_t m_at = 0;
  std::size_t m_line = 1;
  std::size_t m_depth = 0;
  std::size_t m_parts = 0;
};

}  // namespace

Result<void> PreScan(std::string_view text, std::string_view name) {
  if (text.size() > kMaxConfigBytes) {
    return Error{kConfigTooLarge, fmt::format("{} is too large.", name),
                 fmt::format("It has {} bytes, more than {}.", text.size(), kMaxConfigBytes),
                 "Check that this is the right file."};
  }
  std::size_t line = 1;
  for (std::size_t start = 0; start < text.size(); ++line) {
    const std::size_t end = text.find('\n', start);
    const std::size_t length = (end == std::string_view::npos ? text.size() : end) - start;
    if (length > kMaxConfigLineBytes) {
      return SyntaxError(name, line, fmt::format("The line has {} bytes, more than {}.", length, kMaxConfigLineBytes),
                         "Break the line, or check that this is the right file.");
    }
    if (!IsValidUtf8(text.substr(start, length)) || text.substr(start, length).find('\0') != std::string_view::npos) {
      return SyntaxError(name, line, "The line is not UTF-8 text.", "Save the file as UTF-8.");
    }
    start = start + length + 1;
  }
  return Scanner{text, name}.Run();
}

}  // namespace muster::config
