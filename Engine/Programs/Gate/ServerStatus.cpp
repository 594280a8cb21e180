// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerStatus.h"

#include "GateErrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace muster::gate {

namespace {

struct Wanted {
  std::string_view words;  ///< right before the number
  std::uint64_t ServerStatus::*field;
};

/// In the order of the text; each is looked for behind the one before.
constexpr std::array<Wanted, 13> kWanted{{{"tick ", &ServerStatus::tick},
                                          {"dropped ", &ServerStatus::droppedTicks},
                                          {"players ", &ServerStatus::players},
                                          {"entities ", &ServerStatus::entities},
                                          {"sessions ", &ServerStatus::sessions},
                                          {"joined ", &ServerStatus::joined},
                                          {"refused ", &ServerStatus::refused},
                                          {"packets out ", &ServerStatus::packetsOut},
                                          {"(acknowledged ", &ServerStatus::packetsAcknowledged},
                                          {"lost ", &ServerStatus::packetsLost},
                                          {"in ", &ServerStatus::packetsIn},
                                          {", in ", &ServerStatus::datagramsIn},
                                          {"dropped ", &ServerStatus::dropped}}};

std::optional<std::uint64_t> NumberAt(std::string_view text, std::size_t at) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  return error == std::errc{} ? std::optional{number} : std::nullopt;
}

/// Lines such as "  forged 12".
void ReadCounts(std::string_view text, ServerStatus& status) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t blank = line.rfind(' ');
    if (line.starts_with("  ") && blank != std::string_view::npos && blank > 2) {
      if (const auto number = NumberAt(line, blank + 1)) {
        status.counts[std::string{line.substr(2, blank - 2)}] = *number;
      }
    }
    begin = end + 1;
  }
}

}  // namespace

std::uint64_t ServerStatus::Count(std::string_view name) const {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

std::uint64_t ServerStatus::TurnedAway() const {
  return dropped + Count("receive_errors") + Count("refused_connections");
}

Result<ServerStatus> ParseServerStatus(std::string_view text) {
  ServerStatus status;
  std::size_t at = 0;
  for (const Wanted& wanted : kWanted) {
    const std::size_t found = text.find(wanted.words, at);
    const auto number = found == std::string_view::npos ? std::nullopt : NumberAt(text, found + wanted.words.size());
    if (!number) {
      return Error{kReportUnreadable, "The server's status could not be used.",
                   fmt::format("It has no number behind \"{}\".", wanted.words),
                   "Build muster-server and muster-gate from one revision."};
    }
    status.*wanted.field = *number;
    at = found + wanted.words.size();
  }
  ReadCounts(text.substr(at), status);
  return status;
}

}  // namespace muster::gate
