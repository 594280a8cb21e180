// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "HostServices.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

namespace muster::plugins {
namespace {

class HostServices : public ::testing::Test {
 protected:
  template <class Table>
  [[nodiscard]] const Table& Service(const char* id) const {
    const auto* table = static_cast<const Table*>(m_host.service(m_host.context, id));
    EXPECT_NE(table, nullptr) << id;
    EXPECT_EQ(table->struct_size, sizeof(Table));
    return *table;
  }

  MemorySink m_sink;
  ManualClock m_clock{MonotonicTime{std::chrono::nanoseconds{1234}}};
  SpatialService m_spatial;
  GenerationServices m_services{
      Logger{m_sink, "com.example.x"},
      m_clock,
      m_spatial,
      {{"whole", std::int64_t{7}}, {"real", 2.5}, {"on", true}, {"name", std::string{"grid"}}},
      1000};
  const mu_host& m_host = *m_services.Host();
};

TEST_F(HostServices, UnknownIdsGiveNull) {
  EXPECT_EQ(m_host.service(m_host.context, "muster.host.log/1"), nullptr);
  EXPECT_EQ(m_host.service(m_host.context, ""), nullptr);
  EXPECT_EQ(m_host.service(m_host.context, nullptr), nullptr);
}

TEST_F(HostServices, LogLinesBearThePluginsNameAndFloodsAreCutOff) {
  const auto& log = Service<mu_host_log_v0>(MU_HOST_LOG_V0);
  log.write(m_host.context, MU_LOG_WARNING, mu_text{"two\nlines", 9});
  ASSERT_EQ(m_sink.Entries().size(), 1u);
  EXPECT_EQ(m_sink.Entries()[0].component, "com.example.x");
  EXPECT_EQ(m_sink.Entries()[0].level, LogLevel::Warning);
  EXPECT_EQ(m_sink.Entries()[0].text.find('\n'), std::string::npos);
  for (int i = 0; i < 1000; ++i) {
    log.write(m_host.context, MU_LOG_INFO, mu_text{"flood", 5});
  }
  EXPECT_LT(m_sink.Entries().size(), 50u);
  log.write(m_host.context, 99, mu_text{nullptr, 0});
  EXPECT_EQ(m_sink.Entries().back().level, LogLevel::Error) << "an unknown level is not hidden";
}

TEST_F(HostServices, SettingsComeWithTheirTypeOnly) {
  const auto& config = Service<mu_host_config_v0>(MU_HOST_CONFIG_V0);
  std::int64_t whole = -1;
  EXPECT_EQ(config.get_integer(m_host.context, "whole", &whole), MU_OK);
  EXPECT_EQ(whole, 7);
  whole = -1;
  EXPECT_EQ(config.get_integer(m_host.context, "absent", &whole), MU_E_NOT_SUPPORTED);
  EXPECT_EQ(config.get_integer(m_host.context, "real", &whole), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(config.get_integer(m_host.context, nullptr, &whole), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(whole, -1) << "a default stays where no value is written";
  double real = 0;
  EXPECT_EQ(config.get_number(m_host.context, "real", &real), MU_OK);
  EXPECT_EQ(real, 2.5);
  EXPECT_EQ(config.get_number(m_host.context, "whole", &real), MU_OK);
  EXPECT_EQ(real, 7.0) << "a whole number is a number";
  EXPECT_EQ(config.get_number(m_host.context, "name", &real), MU_E_INVALID_ARGUMENT);
  std::uint8_t on = 0;
  EXPECT_EQ(config.get_boolean(m_host.context, "on", &on), MU_OK);
  EXPECT_EQ(on, 1);
  mu_text name{};
  EXPECT_EQ(config.get_text(m_host.context, "name", &name), MU_OK);
  EXPECT_EQ(std::string(name.data, name.size), "grid");
}

TEST_F(HostServices, AllocatorCountsAndKeepsTheBudget) {
  const auto& allocator = Service<mu_host_allocator_v0>(MU_HOST_ALLOCATOR_V0);
  void* first = allocator.allocate(m_host.context, 600, 64);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
  EXPECT_EQ(m_services.AllocatedBytes(), 600u);
  EXPECT_EQ(allocator.allocate(m_host.context, 401, 8), nullptr);
  EXPECT_EQ(allocator.allocate(m_host.context, UINT64_MAX, 8), nullptr);
  void* second = allocator.allocate(m_host.context, 400, 4096);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 4096, 0u);
  for (const std::uint64_t alignment : {0u, 3u, 8192u}) {
    EXPECT_EQ(allocator.allocate(m_host.context, 0, alignment), nullptr) << alignment;
  }
  allocator.release(m_host.context, first, 600, 64);
  allocator.release(m_host.context, second, 400, 4096);
  allocator.release(m_host.context, nullptr, 5, 8);
  EXPECT_EQ(m_services.AllocatedBytes(), 0u);
}

TEST_F(HostServices, AllocatorNeverPassesItsBudgetUnderThreads) {
  const auto& allocator = Service<mu_host_allocator_v0>(MU_HOST_ALLOCATOR_V0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        void* block = allocator.allocate(m_host.context, 300, 16);
        EXPECT_LE(m_services.AllocatedBytes(), 1000u);
        if (block != nullptr) {
          allocator.release(m_host.context, block, 300, 16);
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(m_services.AllocatedBytes(), 0u);
}

TEST_F(HostServices, ClockIsTheHosts) {
  const auto& clock = Service<mu_host_clock_v0>(MU_HOST_CLOCK_V0);
  EXPECT_EQ(clock.now_ns(m_host.context), 1234u);
  m_clock.Advance(std::chrono::nanoseconds{1});
  EXPECT_EQ(clock.now_ns(m_host.context), 1235u);
}

class FakeSpatial final : public IHostSpatial {
 public:
  mu_status QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t*, std::uint32_t,
                     mu_id_query_result* results) override {
    results[0] = {static_cast<std::uint32_t>(queries.size()), 0};
    return MU_OK;
  }
  mu_status QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t,
                         mu_nearest_result* results) override {
    slots[0] = 42;
    results[0] = {static_cast<std::uint32_t>(queries.size())};
    return MU_OK;
  }
};

TEST_F(HostServices, SpatialQueriesAreAnsweredDuringThinkOnly) {
  const auto& spatial = Service<mu_host_spatial_v0>(MU_HOST_SPATIAL_V0);
  const std::array<mu_sphere_query, 3> spheres{};
  const std::array<mu_nearest_query, 2> nearest{};
  std::array<std::uint32_t, 4> slots{};
  mu_id_query_result idResult{};
  mu_nearest_result nearestResult{};
  const auto ask = [&] {
    return std::pair{spatial.query_ids(m_host.context, spheres.data(), 3, slots.data(), 1, &idResult),
                     spatial.query_nearest(m_host.context, nearest.data(), 2, slots.data(), 1, &nearestResult)};
  };
  EXPECT_EQ(ask(), (std::pair{MU_E_NOT_SUPPORTED, MU_E_NOT_SUPPORTED}));
  {
    FakeSpatial world;
    const SpatialService::Scope scope = m_spatial.Enter(world);
    EXPECT_EQ(ask(), (std::pair{MU_OK, MU_OK}));
    EXPECT_EQ(idResult.count, 3u);
    EXPECT_EQ(nearestResult.count, 2u);
    EXPECT_EQ(slots[0], 42u);
  }
  EXPECT_EQ(ask(), (std::pair{MU_E_NOT_SUPPORTED, MU_E_NOT_SUPPORTED}));
}

}  // namespace
}  // namespace muster::plugins
