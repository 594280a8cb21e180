// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ErrorText.h"

#include <fmt/format.h>

#include <cctype>

namespace muster::gate {

namespace {

constexpr std::size_t kDigits = 4;

bool IsDigit(char letter) {
  return std::isdigit(static_cast<unsigned char>(letter)) != 0;
}
bool IsNameLetter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

/// "MU1234 Name: " at `at`; the length of "MU1234 Name", or 0.
std::size_t IdLengthAt(std::string_view text, std::size_t at) {
  std::size_t i = at + 2;
  while (i < text.size() && i < at + 2 + kDigits && IsDigit(text[i])) {
    ++i;
  }
  if (i != at + 2 + kDigits || i >= text.size() || text[i] != ' ') {
    return 0;
  }
  const std::size_t nameBegin = ++i;
  while (i < text.size() && IsNameLetter(text[i])) {
    ++i;
  }
  const bool isId = i > nameBegin && i < text.size() && text[i] == ':';
  return isId ? i - at : 0;
}

}  // namespace

std::optional<PrintedError> FindLastError(std::string_view text) {
  for (std::size_t at = text.rfind("MU"); at != std::string_view::npos;
       at = at == 0 ? at - 1 : text.rfind("MU", at - 1)) {
    const std::size_t length = IdLengthAt(text, at);
    if (length == 0) {
      if (at == 0) {
        break;
      }
      continue;
    }
    PrintedError error;
    error.id = text.substr(at, length);
    error.line = text.substr(at, text.find('\n', at) - at);
    const auto action = error.line.find(" Do: ");
    // A sentence stands between the code and the action, and the action is more than its word.
    error.isComplete = action != std::string::npos && action > length + 2 && error.line.size() > action + 5;
    return error;
  }
  return std::nullopt;
}

std::string DescribeEnding(std::string_view printed, const std::vector<std::string>& says, std::optional<int> status) {
  const auto error = FindLastError(printed);
  std::string text = error ? error->id : "no named error";
  if (error && !error->isComplete) {
    text += ", which does not say what to do";
  }
  for (const std::string& wanted : says) {
    if (error && error->line.find(wanted) == std::string::npos) {
      text += fmt::format(", which does not say \"{}\"", wanted);
    }
  }
  if (!status) {
    text += ", and went on";
  } else if (*status == 0) {
    text += ", and ended with 0";
  } else if (*status >= 128) {
    text += fmt::format(", and ended with {}", *status);
  }
  return text;
}

}  // namespace muster::gate
