// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What calls into one provider came to, and when it has to go. A consumer keeps one guard per provider it calls:
//
//   const mu_status status = guard.Call("rebuild", [&] { return slot->rebuild(index, &view); });
//   if (guard.IsTripped()) { ... at the next tick boundary exchange the slot for the fallback ... }
//
// A provider trips with its first failure of its own: an exception, an error status that says it could not do its work.
// Statuses about bytes from outside or about a connection (malformed, truncated, backlog, would fragment, not
// connected, address in use, not supported, buffer too small) are answers, not failures.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "Core/Error.h"
#include "Core/Mutex.h"
#include "PluginApi/Abi.h"

namespace muster::plugins {

/// The sentence that a plugin left on this thread during its last call; empty when it left none. [any]
[[nodiscard]] std::string_view LastSentence() noexcept;
/// Forgets it; done before each guarded call. [any]
void ClearLastSentence() noexcept;

/// True for a status that speaks against the provider. [any]
[[nodiscard]] constexpr bool IsProviderFailure(mu_status status) noexcept {
  switch (status) {
    case MU_E_NOT_SUPPORTED:
    case MU_E_BUFFER_TOO_SMALL:
    case MU_E_MALFORMED:
    case MU_E_TRUNCATED:
    case MU_E_WOULD_FRAGMENT:
    case MU_E_BACKLOG:
    case MU_E_NOT_CONNECTED:
    case MU_E_ADDRESS_IN_USE:
      return false;
    default:
      return status != MU_OK;
  }
}

/// A name for logs: "MU_E_EXCEPTION"; "unknown status" for a number the contract does not know. [any]
[[nodiscard]] std::string_view StatusName(mu_status status) noexcept;

class CallGuard {
 public:
  /// `provider` stands in the error: the provider's name and version.
  explicit CallGuard(std::string provider) : m_provider{std::move(provider)} {}

  /// [worker] Calls and counts. `function` is a literal: the table's name for what is called.
  template <class Function>
  mu_status Call(const char* function, Function&& call) {
    ClearLastSentence();
    const mu_status status = std::forward<Function>(call)();
    if (IsProviderFailure(status)) [[unlikely]] {
      Trip(function, status);
    }
    return status;
  }

  /// For a call that returns nothing: a sentence left behind is a failure.
  template <class Function>
  void CallVoid(const char* function, Function&& call) {
    ClearLastSentence();
    std::forward<Function>(call)();
    if (!LastSentence().empty()) [[unlikely]] {
      Trip(function, MU_E_EXCEPTION);
    }
  }

  /// [any]
  [[nodiscard]] bool IsTripped() const noexcept { return m_failures.load(std::memory_order_acquire) != 0; }
  [[nodiscard]] std::uint64_t Failures() const noexcept { return m_failures.load(std::memory_order_relaxed); }
  /// The first failure: kPluginException or kPluginCallFailed with provider, function and the plugin's sentence. Only
  /// when tripped. [any]
  [[nodiscard]] Error FirstFailure() const;

 private:
  void Trip(const char* function, mu_status status);

  const std::string m_provider;
  std::atomic<std::uint64_t> m_failures{0};
  mutable Mutex m_mutex;
  Error m_first MUSTER_GUARDED_BY(m_mutex);
};

}  // namespace muster::plugins
