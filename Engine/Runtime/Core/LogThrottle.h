// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/Mutex.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace muster {

/// Lets at most `perSecond` events of a key through in any one second of its clock, and tells with the next one how
/// many were held back:
///
///     throttle.Log(log, LogLevel::Warning, kBadPacketKey, "bad packet from {}", address);
///     // ... "bad packet from 10.0.0.7 (412 suppressed)"
///
/// Keys that come from outside cannot make it grow: it follows `maxKeys` of them; those beyond share one allowance
/// until an idle place is free. [any]
class LogThrottle {
 public:
  explicit LogThrottle(const IClock& clock, unsigned perSecond = 1, std::size_t maxKeys = 256);

  /// Nothing when the event is to be dropped; otherwise the number of events of this key dropped since the last
  /// one that was let through.
  [[nodiscard]] std::optional<std::uint64_t> Admit(std::uint64_t key);

  template <class... Args>
  void Log(const Logger& log, LogLevel level, std::uint64_t key, fmt::format_string<Args...> text, Args&&... args) {
    if (!log.IsEnabled(level)) {
      return;
    }
    if (const std::optional<std::uint64_t> suppressed = Admit(key)) {
      WriteFormatted(log, level, *suppressed, text, fmt::make_format_args(args...));
    }
  }

 private:
  struct Allowance {
    std::uint64_t key = 0;
    MonotonicTime windowStart{};
    unsigned used = 0;
    std::uint64_t suppressed = 0;
  };

  static void WriteFormatted(const Logger& log, LogLevel level, std::uint64_t suppressed, fmt::string_view text,
                             fmt::format_args args);
  Allowance& Find(std::uint64_t key, MonotonicTime now) MUSTER_REQUIRES(m_mutex);

  const IClock& m_clock;
  const unsigned m_perSecond;
  const std::size_t m_maxKeys;
  Mutex m_mutex;
  std::vector<Allowance> m_allowances MUSTER_GUARDED_BY(m_mutex);
  Allowance m_shared MUSTER_GUARDED_BY(m_mutex);
};

}  // namespace muster
