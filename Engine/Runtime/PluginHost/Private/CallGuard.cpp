// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/CallGuard.h"

#include <fmt/format.h>

#include "PluginHost/Errors.h"

namespace muster::plugins {

std::string_view StatusName(mu_status status) noexcept {
  switch (status) {
    case MU_OK:
      return "MU_OK";
    case MU_E_FAILED:
      return "MU_E_FAILED";
    case MU_E_INVALID_ARGUMENT:
      return "MU_E_INVALID_ARGUMENT";
    case MU_E_NOT_SUPPORTED:
      return "MU_E_NOT_SUPPORTED";
    case MU_E_OUT_OF_MEMORY:
      return "MU_E_OUT_OF_MEMORY";
    case MU_E_BUFFER_TOO_SMALL:
      return "MU_E_BUFFER_TOO_SMALL";
    case MU_E_MALFORMED:
      return "MU_E_MALFORMED";
    case MU_E_TRUNCATED:
      return "MU_E_TRUNCATED";
    case MU_E_WOULD_FRAGMENT:
      return "MU_E_WOULD_FRAGMENT";
    case MU_E_BACKLOG:
      return "MU_E_BACKLOG";
    case MU_E_NOT_CONNECTED:
      return "MU_E_NOT_CONNECTED";
    case MU_E_ADDRESS_IN_USE:
      return "MU_E_ADDRESS_IN_USE";
    case MU_E_EXCEPTION:
      return "MU_E_EXCEPTION";
    case MU_E_STATE:
      return "MU_E_STATE";
    default:
      return "unknown status";
  }
}

void CallGuard::Trip(const char* function, mu_status status) {
  const std::string_view sentence = LastSentence();
  {
    const MutexLock lock{m_mutex};
    if (m_first.code.number == 0) {
      m_first = Error{status == MU_E_EXCEPTION ? kPluginException : kPluginCallFailed,
                      fmt::format("The provider {} failed in {} and is no longer used.", m_provider, function),
                      fmt::format("{} ({}): {}.", StatusName(status), status,
                                  sentence.empty() ? std::string_view{"it left no sentence"} : sentence),
                      "Correct the plugin and load it again; until then a fallback does its work."};
    }
  }
  // After the error is in place, so that whoever sees the count can read it.
  m_failures.fetch_add(1, std::memory_order_release);
}

Error CallGuard::FirstFailure() const {
  const MutexLock lock{m_mutex};
  return m_first;
}

}  // namespace muster::plugins
