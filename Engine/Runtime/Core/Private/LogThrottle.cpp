// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/LogThrottle.h"

#include <iterator>

namespace muster {
namespace {

constexpr std::chrono::seconds kWindow{1};

}  // namespace

LogThrottle::LogThrottle(const IClock& clock, unsigned perSecond, std::size_t maxKeys)
    : m_clock(clock), m_perSecond(perSecond), m_maxKeys(maxKeys) {
  m_allowances.reserve(maxKeys);
}

LogThrottle::Allowance& LogThrottle::Find(std::uint64_t key, MonotonicTime now) {
  Allowance* idle = nullptr;
  for (Allowance& allowance : m_allowances) {
    if (allowance.key == key) {
      return allowance;
    }
    // A place that still owes its reader a count is not given away.
    if (allowance.suppressed == 0 && now - allowance.windowStart >= kWindow) {
      idle = &allowance;
    }
  }
  if (m_allowances.size() < m_maxKeys) {
    return m_allowances.emplace_back(Allowance{key, now, 0, 0});
  }
  if (idle != nullptr) {
    *idle = Allowance{key, now, 0, 0};
    return *idle;
  }
  return m_shared;
}

std::optional<std::uint64_t> LogThrottle::Admit(std::uint64_t key) {
  const MonotonicTime now = m_clock.Now();
  const MutexLock lock(m_mutex);
  Allowance& allowance = Find(key, now);
  if (now - allowance.windowStart >= kWindow) {
    allowance.windowStart = now;
    allowance.used = 0;
  }
  if (allowance.used >= m_perSecond) {
    ++allowance.suppressed;
    return std::nullopt;
  }
  ++allowance.used;
  return std::exchange(allowance.suppressed, 0);
}

void LogThrottle::WriteFormatted(const Logger& log, LogLevel level, std::uint64_t suppressed, fmt::string_view text,
                                 fmt::format_args args) {
  std::string line = fmt::vformat(text, args);
  if (suppressed > 0) {
    fmt::format_to(std::back_inserter(line), " ({} suppressed)", suppressed);
  }
  log.WriteText(level, line);
}

}  // namespace muster
