// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace muster {

/// The stable identity of one kind of failure. Modules declare theirs beside the functions that return them:
///
///     inline constexpr ErrorCode kCyclicDependency{1103, "CyclicDependency"};
///
/// Numbers are never reused for another meaning. Ranges: 10xx-16xx plugins, 19xx files, 20xx configuration,
/// 30xx protocol and session refusals, 31xx link and transports, 32xx server, 33xx swarm and gate. Zero is no code.
struct ErrorCode {
  std::uint16_t number = 0;
  const char* name = "";  ///< A literal of the host's own code, never memory that a plugin owns.

  friend constexpr bool operator==(const ErrorCode& left, const ErrorCode& right) noexcept {
    return left.number == right.number;
  }
};

/// An expected failure, told so that its reader can act on it. Every field but `cause` is always filled:
/// `sentence` says what did not happen, `cause` why (it may quote the system), `action` what to do about it.
/// Each is one or more whole sentences that end with a full stop.
struct Error {
  ErrorCode code{};
  std::string sentence{};
  std::string cause{};
  std::string action{};

  /// `MU1103 CyclicDependency: <sentence> Cause: <cause> Do: <action>`, on one line; empty parts are left out.
  /// Control characters and invalid UTF-8 come out escaped. [any]
  [[nodiscard]] std::string ToString() const;

  /// Two errors are equal when they are the same kind of failure; texts are for people.
  friend bool operator==(const Error& left, const Error& right) noexcept { return left.code == right.code; }
};

}  // namespace muster
