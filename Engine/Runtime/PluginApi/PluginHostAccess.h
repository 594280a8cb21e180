// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a C++ plugin sees of the host: typed access to the services of Host.h, and how exceptions end. Part of the
// header-only layer; authors include Plugin.h.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "PluginApi/Abi.h"
#include "PluginApi/Host.h"
#include "PluginApi/SpatialIndex.h"

namespace muster::plugin {

/// Text for the C side. The view must outlive the use.
[[nodiscard]] constexpr mu_text ToText(std::string_view text) noexcept {
  return mu_text{text.data(), text.size()};
}

/// Text from the C side. Valid as long as its owner says.
[[nodiscard]] constexpr std::string_view ToView(mu_text text) noexcept {
  return text.size == 0 ? std::string_view{} : std::string_view{text.data, static_cast<std::size_t>(text.size)};
}

/// Thrown by plugin code to end a call with a status and a sentence of its own choice. Any other exception becomes
/// MU_E_EXCEPTION with its what(), std::bad_alloc becomes MU_E_OUT_OF_MEMORY.
class Failure : public std::exception {
 public:
  Failure(mu_status status, std::string sentence) : m_status{status}, m_sentence{std::move(sentence)} {}
  [[nodiscard]] mu_status Status() const noexcept { return m_status; }
  [[nodiscard]] const char* what() const noexcept override { return m_sentence.c_str(); }

 private:
  mu_status m_status;
  std::string m_sentence;
};

/// The host's services, looked up once. An empty Host (built-in code outside any library, unit tests) swallows logs and
/// sentences, has no configuration, and its clock stands at 0. [any] unless a method says otherwise.
class Host {
 public:
  Host() = default;
  explicit Host(const mu_host* host) : m_host{host} {
    if (host == nullptr) {
      return;
    }
    m_log = Service<mu_host_log_v0>(MU_HOST_LOG_V0);
    m_error = Service<mu_host_error_v0>(MU_HOST_ERROR_V0);
    m_allocator = Service<mu_host_allocator_v0>(MU_HOST_ALLOCATOR_V0);
    m_config = Service<mu_host_config_v0>(MU_HOST_CONFIG_V0);
    m_clock = Service<mu_host_clock_v0>(MU_HOST_CLOCK_V0);
    m_spatial = Service<mu_host_spatial_v0>(MU_HOST_SPATIAL_V0);
  }

  /// The table of a service by id, or null. For services that this class does not wrap.
  template <class Table>
  [[nodiscard]] const Table* Service(const char* id) const noexcept {
    if (m_host == nullptr) {
      return nullptr;
    }
    const auto* table = static_cast<const Table*>(m_host->service(m_host->context, id));
    return table != nullptr && table->struct_size >= sizeof(Table) ? table : nullptr;
  }

  /// Pass to the functions of a table from Service().
  [[nodiscard]] void* Context() const noexcept { return m_host == nullptr ? nullptr : m_host->context; }

  /// `level` is MU_LOG_*.
  void Log(std::uint32_t level, std::string_view text) const noexcept {
    if (m_log != nullptr) {
      m_log->write(Context(), level, ToText(text));
    }
  }

  /// Leaves the sentence behind a negative status and returns the status: `return host.Fail(MU_E_FAILED, "...")`.
  mu_status Fail(mu_status status, std::string_view sentence) const noexcept {
    if (m_error != nullptr) {
      m_error->set(Context(), ToText(sentence));
    }
    return status;
  }

  /// Monotonic nanoseconds of the host's clock, real or virtual.
  [[nodiscard]] std::uint64_t NowNs() const noexcept { return m_clock == nullptr ? 0 : m_clock->now_ns(Context()); }

  /// [main][sim] The plugin's own configuration. Empty when the key is absent; throws Failure when it has another type.
  [[nodiscard]] std::optional<std::int64_t> ConfigInteger(const char* key) const {
    return Configured<std::int64_t>(key, &mu_host_config_v0::get_integer);
  }
  [[nodiscard]] std::optional<double> ConfigNumber(const char* key) const {
    return Configured<double>(key, &mu_host_config_v0::get_number);
  }
  [[nodiscard]] std::optional<bool> ConfigBoolean(const char* key) const {
    const auto value = Configured<std::uint8_t>(key, &mu_host_config_v0::get_boolean);
    return value ? std::optional<bool>{*value != 0} : std::nullopt;
  }
  /// The text stays valid until deinit.
  [[nodiscard]] std::optional<std::string_view> ConfigText(const char* key) const {
    const auto value = Configured<mu_text>(key, &mu_host_config_v0::get_text);
    return value ? std::optional<std::string_view>{ToView(*value)} : std::nullopt;
  }

  /// Counted memory; null when the plugin's budget is spent. Release with the same size and alignment.
  [[nodiscard]] void* Allocate(std::uint64_t sizeBytes, std::uint64_t alignment) const noexcept {
    return m_allocator == nullptr ? nullptr : m_allocator->allocate(Context(), sizeBytes, alignment);
  }
  void Release(void* block, std::uint64_t sizeBytes, std::uint64_t alignment) const noexcept {
    if (m_allocator != nullptr) {
      m_allocator->release(Context(), block, sizeBytes, alignment);
    }
  }

  /// [worker] only during think. For query i up to `capacity` slots, ascending, at `slots + i * capacity`.
  mu_status QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                     mu_id_query_result* results) const noexcept {
    if (m_spatial == nullptr) {
      return MU_E_NOT_SUPPORTED;
    }
    return m_spatial->query_ids(Context(), queries.data(), static_cast<std::uint32_t>(queries.size()), slots, capacity,
                                results);
  }
  /// [worker] only during think. For query i up to min(k, capacity) slots, nearest first, at `slots + i * capacity`.
  mu_status QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                         mu_nearest_result* results) const noexcept {
    if (m_spatial == nullptr) {
      return MU_E_NOT_SUPPORTED;
    }
    return m_spatial->query_nearest(Context(), queries.data(), static_cast<std::uint32_t>(queries.size()), slots,
                                    capacity, results);
  }

 private:
  template <class Value>
  [[nodiscard]] std::optional<Value> Configured(const char* key,
                                                mu_status (*mu_host_config_v0::*getter)(void*, const char*,
                                                                                        Value*)) const {
    if (m_config == nullptr) {
      return std::nullopt;
    }
    Value value{};
    const mu_status status = (m_config->*getter)(Context(), key, &value);
    if (status == MU_E_NOT_SUPPORTED) {
      return std::nullopt;
    }
    if (status != MU_OK) {
      throw Failure{status, std::string{"configuration key '"} + key + "' has another type"};
    }
    return value;
  }

  const mu_host* m_host = nullptr;
  const mu_host_log_v0* m_log = nullptr;
  const mu_host_error_v0* m_error = nullptr;
  const mu_host_allocator_v0* m_allocator = nullptr;
  const mu_host_config_v0* m_config = nullptr;
  const mu_host_clock_v0* m_clock = nullptr;
  const mu_host_spatial_v0* m_spatial = nullptr;
};

namespace detail {

/// The host of this library: set by init, emptied by deinit. One per library, because a table function without an
/// instance argument has no other way to it.
inline Host g_host;

/// Inside a catch block: leaves the sentence and says which status the exception is.
inline mu_status StatusOfException() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return g_host.Fail(failure.Status() < 0 ? failure.Status() : MU_E_FAILED, failure.what());
  } catch (const std::bad_alloc&) {
    return g_host.Fail(MU_E_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& exception) {
    return g_host.Fail(MU_E_EXCEPTION, exception.what());
  } catch (...) {
    return g_host.Fail(MU_E_EXCEPTION, "an exception that is no std::exception");
  }
}

/// Runs `call`, which returns mu_status or nothing, and lets no exception out.
template <class Call>
mu_status Guarded(Call&& call) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Call>>) {
      std::forward<Call>(call)();
      return MU_OK;
    } else {
      return std::forward<Call>(call)();
    }
  } catch (...) {
    return StatusOfException();
  }
}

}  // namespace detail

/// The host of this library, for code that was not handed one. Empty before init and after deinit.
[[nodiscard]] inline const Host& CurrentHost() noexcept {
  return detail::g_host;
}

}  // namespace muster::plugin
