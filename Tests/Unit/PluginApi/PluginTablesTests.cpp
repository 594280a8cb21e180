// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginApi/PluginTables.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "PluginApi/Plugin.h"

extern "C" std::size_t MusterSizesInC(std::size_t index);

namespace {

using namespace muster::plugin;

/// A host that remembers what it was told.
struct FakeHost {
  std::string sentence;
  std::string logged;
  std::map<std::string, std::int64_t> integers;
  mu_host host{sizeof(mu_host), 0, this, &Service};

  static FakeHost& From(void* context) { return *static_cast<FakeHost*>(context); }

  static const void* Service(void*, const char* id) {
    static const mu_host_error_v0 kError{sizeof(mu_host_error_v0), 0,
                                         [](void* context, mu_text text) { From(context).sentence = ToView(text); }};
    static const mu_host_log_v0 kLog{sizeof(mu_host_log_v0), 0, [](void* context, std::uint32_t, mu_text text) {
                                       From(context).logged = ToView(text);
                                     }};
    static const mu_host_config_v0 kConfig{
        sizeof(mu_host_config_v0),
        0,
        [](void* context, const char* key, std::int64_t* out) -> mu_status {
          const auto found = From(context).integers.find(key);
          if (found == From(context).integers.end()) {
            return MU_E_NOT_SUPPORTED;
          }
          *out = found->second;
          return MU_OK;
        },
        [](void*, const char*, double*) -> mu_status { return MU_E_INVALID_ARGUMENT; },
        [](void*, const char*, std::uint8_t* out) -> mu_status {
          *out = 1;
          return MU_OK;
        },
        [](void*, const char*, mu_text* out) -> mu_status {
          *out = ToText("text");
          return MU_OK;
        }};
    static const mu_host_clock_v0 kOldClock{sizeof(std::uint32_t), 0, nullptr};
    const std::string_view wanted{id};
    return wanted == MU_HOST_ERROR_V0    ? static_cast<const void*>(&kError)
           : wanted == MU_HOST_LOG_V0    ? &kLog
           : wanted == MU_HOST_CONFIG_V0 ? &kConfig
           : wanted == MU_HOST_CLOCK_V0  ? static_cast<const void*>(&kOldClock)
                                         : nullptr;
  }
};

class Index {
 public:
  Index(const Host& host, const mu_spatial_params& params) : m_host{host}, m_cell{params.cell_size_meters} {
    ++s_alive;
  }
  ~Index() { --s_alive; }
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  void Rebuild(const mu_spatial_view&) { throw std::runtime_error{"broken"}; }
  mu_status QueryBits(std::span<const mu_sphere_query>, std::uint64_t*, std::uint32_t) const {
    return m_host.Fail(MU_E_FAILED, "said so");
  }
  void QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t*, std::uint32_t capacity,
                mu_id_query_result* results) const {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      results[i].count = capacity;
    }
  }
  void QueryNearest(std::span<const mu_nearest_query>, std::uint32_t*, std::uint32_t, mu_nearest_result*) const {
    throw Failure{MU_E_STATE, "chosen"};
  }
  void CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const { count = pairs.size(); }
  void Stats(mu_spatial_stats& stats) const {
    stats.cells = static_cast<std::uint32_t>(m_cell) + 7;
    stats.bytes = 9;
  }

  static inline int s_alive = 0;

 private:
  const Host& m_host;
  float m_cell;
};

class Carrier {
 public:
  explicit Carrier(const mu_transport_params&) {}
  static std::uint32_t UnreliableOverheadBytes() { return 4; }
  void Listen(const mu_address& bind, mu_address& bound) { bound = bind; }
  void Connect(const mu_address&, mu_connection&) { throw 1; }
  void Service(std::span<mu_transport_event>, std::uint32_t& count) {
    count = 3;
    throw std::runtime_error{"half way"};
  }
  void Send(std::span<mu_transport_send> items) {
    items.front().status = MU_OK;
    throw std::runtime_error{"after the first"};
  }
  void Flush() { throw std::runtime_error{"flush"}; }
  void Disconnect(mu_connection, std::uint32_t) {}
  std::int32_t WaitHandle() { throw std::runtime_error{"no handle"}; }
  void Stats(mu_transport_stats&) { throw std::runtime_error{"no stats"}; }
};

using IndexLibrary = Library<SpatialIndexTable<Index>, TransportTable<Carrier>>;
constexpr const mu_spatial_index_v0& kIndex = SpatialIndexTable<Index>::kTable;
constexpr const mu_transport_v0& kCarrier = TransportTable<Carrier>::kTable;

class PluginTables : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(IndexLibrary::Init(&m_host.host), MU_OK); }
  void TearDown() override { IndexLibrary::Deinit(); }

  [[nodiscard]] static mu_spatial_index* MakeIndex() {
    const mu_spatial_params params{sizeof(mu_spatial_params), 1, 0.0F, 0};
    mu_spatial_index* index = nullptr;
    EXPECT_EQ(kIndex.create(&params, &index), MU_OK);
    return index;
  }

  FakeHost m_host;
};

TEST_F(PluginTables, ExceptionBecomesAStatusAndItsTextTheSentence) {
  mu_spatial_index* index = MakeIndex();
  const mu_spatial_view view{};
  EXPECT_EQ(kIndex.rebuild(index, &view), MU_E_EXCEPTION);
  EXPECT_EQ(m_host.sentence, "broken");
  EXPECT_EQ(kIndex.query_nearest(index, nullptr, 0, nullptr, 0, nullptr), MU_E_STATE);
  EXPECT_EQ(m_host.sentence, "chosen");
  EXPECT_EQ(kIndex.query_bits(index, nullptr, 0, nullptr, 0), MU_E_FAILED);
  EXPECT_EQ(m_host.sentence, "said so");
  kIndex.destroy(index);
}

TEST_F(PluginTables, ArgumentsReachTheMethod) {
  mu_spatial_index* index = MakeIndex();
  const std::array<mu_sphere_query, 2> queries{};
  std::array<mu_id_query_result, 2> results{};
  EXPECT_EQ(kIndex.query_ids(index, queries.data(), 2, nullptr, 5, results.data()), MU_OK);
  EXPECT_EQ(results[1].count, 5u);
  std::uint64_t count = 0;
  std::array<mu_slot_pair, 3> pairs{};
  EXPECT_EQ(kIndex.candidate_pairs(index, pairs.data(), 3, &count), MU_OK);
  EXPECT_EQ(count, 3u);
  kIndex.destroy(index);
}

TEST_F(PluginTables, DestroyEndsTheInstance) {
  mu_spatial_index* index = MakeIndex();
  EXPECT_EQ(Index::s_alive, 1);
  kIndex.destroy(index);
  EXPECT_EQ(Index::s_alive, 0);
  kIndex.destroy(nullptr);
}

TEST_F(PluginTables, CreateRefusesNullArguments) {
  mu_spatial_index* index = nullptr;
  const mu_spatial_params params{};
  EXPECT_EQ(kIndex.create(nullptr, &index), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(kIndex.create(&params, nullptr), MU_E_INVALID_ARGUMENT);
}

TEST_F(PluginTables, StatsOfAnOlderHostAreNotWrittenBeyondItsSize) {
  mu_spatial_index* index = MakeIndex();
  mu_spatial_stats stats{};
  stats.struct_size = 8;
  stats.bytes = 1234;
  kIndex.stats(index, &stats);
  EXPECT_EQ(stats.struct_size, 8u);
  EXPECT_EQ(stats.cells, 7u);
  EXPECT_EQ(stats.bytes, 1234u);
  stats.struct_size = sizeof(stats);
  kIndex.stats(index, &stats);
  EXPECT_EQ(stats.bytes, 9u);
  kIndex.destroy(index);
}

TEST_F(PluginTables, WhatAnExceptionKeptFromBeingSentIsNotCalledSent) {
  const mu_transport_params params{};
  mu_transport* transport = nullptr;
  ASSERT_EQ(kCarrier.create(&params, &transport), MU_OK);
  std::array<mu_transport_send, 2> items{};
  kCarrier.send(transport, items.data(), 2);
  EXPECT_EQ(items[0].status, MU_OK);
  EXPECT_EQ(items[1].status, MU_E_EXCEPTION);
  EXPECT_EQ(m_host.sentence, "after the first");
  mu_connection connection = 0;
  const mu_address remote{};
  EXPECT_EQ(kCarrier.connect(transport, &remote, &connection), MU_E_EXCEPTION);
  EXPECT_EQ(m_host.sentence, "an exception that is no std::exception");
  kCarrier.flush(transport);
  EXPECT_EQ(m_host.sentence, "flush");
  EXPECT_EQ(kCarrier.wait_handle(transport), -1);
  mu_transport_stats stats{};
  stats.struct_size = sizeof(stats);
  stats.connections = 5;
  kCarrier.stats(transport, &stats);
  EXPECT_EQ(stats.connections, 5u) << "a failed stats call changes nothing";
  kCarrier.destroy(transport);
}

TEST_F(PluginTables, LibraryGivesItsTablesByIdAndNoOthers) {
  EXPECT_EQ(IndexLibrary::GetInterface(MU_SPATIAL_INDEX_V0), &kIndex);
  EXPECT_EQ(IndexLibrary::GetInterface(MU_TRANSPORT_V0), &kCarrier);
  EXPECT_EQ(IndexLibrary::GetInterface(MU_AI_CONTROLLER_V0), nullptr);
  EXPECT_EQ(IndexLibrary::GetInterface("muster.spatial_index/00"), nullptr);
  EXPECT_EQ(IndexLibrary::GetInterface(nullptr), nullptr);
}

TEST_F(PluginTables, NoteHoldsIdVersionAndLayouts) {
  constexpr mu_note_section kSection = IndexLibrary::Note("com.example.x", "1.2.3");
  EXPECT_STREQ(kSection.name, MU_NOTE_NAME);
  EXPECT_STREQ(kSection.description.plugin_id, "com.example.x");
  EXPECT_STREQ(kSection.description.version, "1.2.3");
  EXPECT_STREQ(kSection.description.interfaces[0].id, MU_SPATIAL_INDEX_V0);
  EXPECT_STREQ(kSection.description.interfaces[1].id, MU_TRANSPORT_V0);
  EXPECT_EQ(kSection.description.interfaces[1].layout_hash_low, MU_LAYOUT_TRANSPORT_V0 & 0xFFFFFFFFu);
  EXPECT_EQ(kSection.description.interfaces[2].id[0], '\0');
}

TEST_F(PluginTables, InitRefusesAHostItDoesNotUnderstand) {
  mu_host small = m_host.host;
  small.struct_size = 8;
  EXPECT_EQ(IndexLibrary::Init(nullptr), MU_E_INVALID_ARGUMENT);
  EXPECT_EQ(IndexLibrary::Init(&small), MU_E_INVALID_ARGUMENT);
}

TEST_F(PluginTables, HostGivesTypedSettings) {
  m_host.integers["size"] = 12;
  const Host& host = CurrentHost();
  EXPECT_EQ(host.ConfigInteger("size"), 12);
  EXPECT_EQ(host.ConfigInteger("absent"), std::nullopt);
  EXPECT_EQ(host.ConfigBoolean("on"), true);
  EXPECT_EQ(host.ConfigText("text"), "text");
  EXPECT_THROW((void)host.ConfigNumber("size"), Failure);
  host.Log(MU_LOG_INFO, "line");
  EXPECT_EQ(m_host.logged, "line");
}

TEST_F(PluginTables, ServiceOfAnOlderHostThatIsTooSmallIsNotUsed) {
  EXPECT_EQ(CurrentHost().NowNs(), 0u) << "the fake clock's table has no function in it";
}

TEST(PluginHostAccess, EmptyHostIsHarmless) {
  const Host host;
  host.Log(MU_LOG_INFO, "nobody hears");
  EXPECT_EQ(host.Fail(MU_E_FAILED, "nobody reads"), MU_E_FAILED);
  EXPECT_EQ(host.ConfigText("key"), std::nullopt);
  EXPECT_EQ(host.NowNs(), 0u);
  EXPECT_EQ(host.Allocate(16, 16), nullptr);
  EXPECT_EQ(host.QueryIds({}, nullptr, 0, nullptr), MU_E_NOT_SUPPORTED);
}

TEST(PluginAbi, CAndCppAgreeAboutSizes) {
  const std::array<std::size_t, 12> sizes{sizeof(mu_plugin_entry),     sizeof(mu_note),
                                          sizeof(mu_transport_v0),     sizeof(mu_spatial_index_v0),
                                          sizeof(mu_ai_controller_v0), sizeof(mu_snapshot_codec_v0),
                                          sizeof(mu_transport_params), sizeof(mu_transport_event),
                                          sizeof(mu_think_batch),      sizeof(mu_world_view),
                                          sizeof(mu_codec_columns),    sizeof(mu_note_interface)};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(MusterSizesInC(i), sizes[i]) << i;
  }
}

TEST(SpatialDistance, IsInclusiveAtTheRadiusAndFalseForNonsense) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(mu_spatial_is_within(0, 0, 0, 3, 0, 4, 5));
  EXPECT_FALSE(mu_spatial_is_within(0, 0, 0, 3, 0, 4, std::nextafter(5.0F, 0.0F)));
  EXPECT_FALSE(mu_spatial_is_within(0, 0, 0, 0, 0, 0, -1));
  EXPECT_FALSE(mu_spatial_is_within(0, nan, 0, 0, 0, 0, 5));
  EXPECT_FALSE(mu_spatial_is_within(0, 0, 0, 0, 0, 0, nan));
}

}  // namespace
