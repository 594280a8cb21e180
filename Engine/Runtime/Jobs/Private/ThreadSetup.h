// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <signal.h>

#include <cfenv>
#include <vector>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace muster::jobs {

/// The cores this process may run on, ascending.
std::vector<int> UsableCores();

/// False when the system refuses.
bool PinCurrentThread(int core);

/// Keeps asynchronous signals away from threads started within its scope, which inherit the mask. Signals that report a
/// fault of the thread itself stay open, because blocking those would end the process without its handler.
class SignalShield {
 public:
  SignalShield();
  SignalShield(const SignalShield&) = delete;
  SignalShield& operator=(const SignalShield&) = delete;
  ~SignalShield();

 private:
  sigset_t m_previous;
};

inline void SetDefaultFloatEnvironment() noexcept {
  std::fesetenv(FE_DFL_ENV);
}

/// Round to nearest, and denormals neither flushed nor read as zero.
inline bool HasDefaultFloatEnvironment() noexcept {
#if defined(__SSE2__)
  constexpr unsigned roundingAndFlushBits = 0xE040;
  return (_mm_getcsr() & roundingAndFlushBits) == 0;
#else
  return std::fegetround() == FE_TONEAREST;
#endif
}

/// Tells the core that this is a waiting loop.
inline void Pause() noexcept {
#if defined(__SSE2__)
  _mm_pause();
#endif
}

}  // namespace muster::jobs
