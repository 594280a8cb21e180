// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Clock.h"

#include <algorithm>
#include <chrono>

namespace muster::link {

/// Lets a rate through, and a burst at once. Starts full.
class TokenBucket {
 public:
  TokenBucket() noexcept = default;
  TokenBucket(double perSecond, double burst, MonotonicTime now) noexcept
      : m_perSecond(perSecond), m_burst(burst), m_tokens(burst), m_at(now) {}

  [[nodiscard]] bool Take(MonotonicTime now, double amount = 1.0) noexcept {
    Refill(now);
    if (m_tokens < amount) {
      return false;
    }
    m_tokens -= amount;
    return true;
  }

  /// Adds what `duration` earns on top of the burst: for time in which nobody could take.
  void Credit(MonotonicTime now, std::chrono::nanoseconds duration) noexcept {
    Refill(now);
    m_tokens += std::chrono::duration<double>(duration).count() * m_perSecond;
  }

  [[nodiscard]] bool IsFull(MonotonicTime now) noexcept {
    Refill(now);
    return m_tokens >= m_burst;
  }

 private:
  void Refill(MonotonicTime now) noexcept {
    if (now > m_at) {
      if (m_tokens < m_burst) {
        m_tokens = std::min(m_burst, m_tokens + std::chrono::duration<double>(now - m_at).count() * m_perSecond);
      }
      m_at = now;
    }
  }

  double m_perSecond = 0;
  double m_burst = 0;
  double m_tokens = 0;
  MonotonicTime m_at{};
};

}  // namespace muster::link
