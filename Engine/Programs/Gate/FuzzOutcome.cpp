// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "FuzzOutcome.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace muster::gate {

namespace {

template <class T>
bool TakeNumber(std::string_view text, std::size_t& at, std::string_view behind, T& value) {
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  at = static_cast<std::size_t>(end - text.data());
  return error == std::errc{} && text.substr(at).starts_with(behind);
}

}  // namespace

std::optional<FuzzOutcome> ParseFuzzOutput(std::string_view errors) {
  constexpr std::string_view kDone = "Done ";
  constexpr std::string_view kRuns = " runs in ";
  const auto found = errors.rfind(kDone);
  if (found == std::string_view::npos) {
    return std::nullopt;
  }
  std::size_t at = found + kDone.size();
  FuzzOutcome outcome;
  if (!TakeNumber(errors, at, kRuns, outcome.executions)) {
    return std::nullopt;
  }
  at += kRuns.size();
  if (!TakeNumber(errors, at, " second", outcome.seconds)) {
    return std::nullopt;
  }
  return outcome;
}

std::string FuzzFinding(std::string_view errors) {
  for (const std::string_view word : std::array<std::string_view, 3>{"SUMMARY: ", "runtime error: ", "ERROR: "}) {
    if (const auto at = errors.find(word); at != std::string_view::npos) {
      return std::string{errors.substr(at, std::min(errors.find('\n', at), errors.size()) - at)};
    }
  }
  return {};
}

}  // namespace muster::gate
