// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "HostServices.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <utility>

#include "PluginHost/CallGuard.h"

namespace muster::plugins {
namespace {

constexpr unsigned kLogLinesPerSecond = 20;
constexpr std::size_t kMaxLogBytes = 4096;
constexpr std::uint64_t kMaxAlignment = 4096;

/// Plain data, so that it needs no destructor at the end of a thread.
struct Sentence {
  std::array<char, 512> text;
  std::size_t size;
};
thread_local Sentence t_sentence{};

[[nodiscard]] std::string_view ToView(mu_text text) noexcept {
  return text.data == nullptr ? std::string_view{} : std::string_view{text.data, static_cast<std::size_t>(text.size)};
}

// A plugin is plain C to us: nothing may unwind through it.
void WriteLog(void* host, std::uint32_t level, mu_text text) noexcept {
  GenerationServices::From(host).Write(level, text);
}

void SetSentence(void*, mu_text sentence) {
  const std::string_view text = ToView(sentence);
  t_sentence.size = std::min(text.size(), t_sentence.text.size());
  std::copy_n(text.begin(), t_sentence.size, t_sentence.text.begin());
}

void* Allocate(void* host, std::uint64_t sizeBytes, std::uint64_t alignment) {
  return GenerationServices::From(host).Allocate(sizeBytes, alignment);
}

void Release(void* host, void* block, std::uint64_t sizeBytes, std::uint64_t alignment) {
  GenerationServices::From(host).Release(block, sizeBytes, alignment);
}

/// Gives a setting of exactly one type.
template <class Stored, class Out, class Convert>
mu_status GetSetting(void* host, const char* key, Out* out, Convert&& convert) {
  if (key == nullptr || out == nullptr) {
    return MU_E_INVALID_ARGUMENT;
  }
  const SettingValue* value = GenerationServices::From(host).Setting(key);
  if (value == nullptr) {
    return MU_E_NOT_SUPPORTED;
  }
  const Stored* stored = std::get_if<Stored>(value);
  if (stored == nullptr) {
    return MU_E_INVALID_ARGUMENT;
  }
  *out = convert(*stored);
  return MU_OK;
}

mu_status GetInteger(void* host, const char* key, std::int64_t* out) {
  return GetSetting<std::int64_t>(host, key, out, [](std::int64_t value) { return value; });
}

mu_status GetNumber(void* host, const char* key, double* out) {
  // A whole number is a number too: `radius = 5` must not be refused where `5.0` is meant.
  const mu_status status = GetSetting<double>(host, key, out, [](double value) { return value; });
  return status == MU_E_INVALID_ARGUMENT && key != nullptr && out != nullptr
             ? GetSetting<std::int64_t>(host, key, out, [](std::int64_t value) { return static_cast<double>(value); })
             : status;
}

mu_status GetBoolean(void* host, const char* key, std::uint8_t* out) {
  return GetSetting<bool>(host, key, out, [](bool value) { return static_cast<std::uint8_t>(value ? 1 : 0); });
}

mu_status GetText(void* host, const char* key, mu_text* out) {
  return GetSetting<std::string>(host, key, out, [](const std::string& value) {
    return mu_text{value.data(), value.size()};
  });
}

std::uint64_t NowNs(void* host) {
  return GenerationServices::From(host).NowNs();
}

mu_status QueryIds(void* host, const mu_sphere_query* queries, std::uint32_t count, std::uint32_t* slots,
                   std::uint32_t capacity, mu_id_query_result* results) noexcept {
  IHostSpatial* spatial = GenerationServices::From(host).Spatial();
  return spatial == nullptr ? MU_E_NOT_SUPPORTED
                            : spatial->QueryIds(std::span{queries, std::size_t{count}}, slots, capacity, results);
}

mu_status QueryNearest(void* host, const mu_nearest_query* queries, std::uint32_t count, std::uint32_t* slots,
                       std::uint32_t capacity, mu_nearest_result* results) noexcept {
  IHostSpatial* spatial = GenerationServices::From(host).Spatial();
  return spatial == nullptr ? MU_E_NOT_SUPPORTED
                            : spatial->QueryNearest(std::span{queries, std::size_t{count}}, slots, capacity, results);
}

constexpr mu_host_log_v0 kLog{sizeof(mu_host_log_v0), 0, &WriteLog};
constexpr mu_host_error_v0 kError{sizeof(mu_host_error_v0), 0, &SetSentence};
constexpr mu_host_allocator_v0 kAllocator{sizeof(mu_host_allocator_v0), 0, &Allocate, &Release};
constexpr mu_host_config_v0 kConfig{sizeof(mu_host_config_v0), 0, &GetInteger, &GetNumber, &GetBoolean, &GetText};
constexpr mu_host_clock_v0 kClock{sizeof(mu_host_clock_v0), 0, &NowNs};
constexpr mu_host_spatial_v0 kSpatial{sizeof(mu_host_spatial_v0), 0, &QueryIds, &QueryNearest};

const void* Service(void*, const char* id) {
  const std::string_view wanted{id == nullptr ? "" : id};
  const std::array<std::pair<std::string_view, const void*>, 6> services{{{MU_HOST_LOG_V0, &kLog},
                                                                          {MU_HOST_ERROR_V0, &kError},
                                                                          {MU_HOST_ALLOCATOR_V0, &kAllocator},
                                                                          {MU_HOST_CONFIG_V0, &kConfig},
                                                                          {MU_HOST_CLOCK_V0, &kClock},
                                                                          {MU_HOST_SPATIAL_V0, &kSpatial}}};
  const auto* found =
      std::find_if(services.begin(), services.end(), [wanted](const auto& service) { return service.first == wanted; });
  return found == services.end() ? nullptr : found->second;
}

[[nodiscard]] LogLevel LevelFrom(std::uint32_t level) noexcept {
  switch (level) {
    case MU_LOG_DEBUG:
      return LogLevel::Debug;
    case MU_LOG_INFO:
      return LogLevel::Info;
    case MU_LOG_WARNING:
      return LogLevel::Warning;
    default:
      return LogLevel::Error;
  }
}

[[nodiscard]] bool IsAlignment(std::uint64_t alignment) noexcept {
  return alignment != 0 && alignment <= kMaxAlignment && (alignment & (alignment - 1)) == 0;
}

}  // namespace

std::string_view LastSentence() noexcept {
  return {t_sentence.text.data(), t_sentence.size};
}
void ClearLastSentence() noexcept {
  t_sentence.size = 0;
}

GenerationServices::GenerationServices(Logger log, const IClock& clock, SpatialService& spatial,
                                       PluginSettings settings, std::uint64_t memoryBudgetBytes)
    : m_host{sizeof(mu_host), 0, this, &Service},
      m_log{std::move(log)},
      m_clock{clock},
      m_spatial{spatial},
      m_settings{std::move(settings)},
      m_memoryBudgetBytes{memoryBudgetBytes},
      m_throttle{clock, kLogLinesPerSecond} {}

void GenerationServices::Write(std::uint32_t level, mu_text text) {
  m_throttle.Log(m_log, LevelFrom(level), level, "{}", plugins::ToView(text).substr(0, kMaxLogBytes));
}

void* GenerationServices::Allocate(std::uint64_t sizeBytes, std::uint64_t alignment) noexcept {
  if (!IsAlignment(alignment)) {
    return nullptr;
  }
  std::uint64_t held = m_allocated.load(std::memory_order_relaxed);
  do {
    if (sizeBytes > m_memoryBudgetBytes || held > m_memoryBudgetBytes - sizeBytes) {
      return nullptr;
    }
  } while (!m_allocated.compare_exchange_weak(held, held + sizeBytes, std::memory_order_relaxed));
  void* block = ::operator new (static_cast<std::size_t>(sizeBytes), std::align_val_t{alignment}, std::nothrow);
  if (block == nullptr) {
    m_allocated.fetch_sub(sizeBytes, std::memory_order_relaxed);
  }
  return block;
}

void GenerationServices::Release(void* block, std::uint64_t sizeBytes, std::uint64_t alignment) noexcept {
  if (block != nullptr) {
    ::operator delete (block, std::align_val_t{alignment});
    m_allocated.fetch_sub(sizeBytes, std::memory_order_relaxed);
  }
}

const SettingValue* GenerationServices::Setting(const char* key) const {
  const auto found = m_settings.find(std::string_view{key});
  return found == m_settings.end() ? nullptr : &found->second;
}

std::uint64_t GenerationServices::NowNs() const noexcept {
  return static_cast<std::uint64_t>(m_clock.Now().time_since_epoch().count());
}

}  // namespace muster::plugins
