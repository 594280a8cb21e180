// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/SpatialService.h"

#include "Core/Log.h"
#include "Core/Random.h"
#include "PluginApi/PluginTables.h"
#include "PluginHost/Errors.h"
#include "Simulation/EntityColumns.h"
#include "Simulation/LinearIndex.h"
#include "World/EntityStore.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

namespace muster::simulation {
namespace {

using Provider = SpatialService::Provider;

constexpr float kStep = 1.0F / 60.0F;

/// How a scripted provider is to behave; one for all instances, reset by each test.
struct Script {
  std::atomic<bool> failsRebuild{false};
  std::atomic<bool> failsQueries{false};
  std::atomic<bool> refusesQueries{false};
  std::atomic<bool> throws{false};
  std::atomic<bool> lies{false};
  std::atomic<bool> exaggerates{false};
  std::atomic<int> instances{0};
  std::atomic<int> queries{0};
};

Script& TheScript() {
  static Script script;
  return script;
}

/// The linear index with its answers the other way round, and with the failures of the script.
class ScriptedIndex {
 public:
  explicit ScriptedIndex(const mu_spatial_params& params) {
    LinearIndexTable().create(&params, &m_inner);
    ++TheScript().instances;
  }
  ~ScriptedIndex() {
    LinearIndexTable().destroy(m_inner);
    --TheScript().instances;
  }
  ScriptedIndex(const ScriptedIndex&) = delete;
  ScriptedIndex& operator=(const ScriptedIndex&) = delete;

  mu_status Rebuild(const mu_spatial_view& view) {
    return TheScript().failsRebuild ? MU_E_FAILED : LinearIndexTable().rebuild(m_inner, &view);
  }
  mu_status QueryBits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const {
    if (Misbehaves()) {
      bits[0] = ~std::uint64_t{0};
      return MU_E_FAILED;
    }
    return LinearIndexTable().query_bits(m_inner, queries.data(), Count(queries), bits, words);
  }
  mu_status QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                     mu_id_query_result* results) const {
    if (Misbehaves()) {
      return MU_E_FAILED;
    }
    if (TheScript().refusesQueries) {
      return MU_E_NOT_SUPPORTED;
    }
    const mu_status status =
        LinearIndexTable().query_ids(m_inner, queries.data(), Count(queries), slots, capacity, results);
    for (std::size_t query = 0; query < queries.size(); ++query) {
      std::uint32_t* const first = slots + query * capacity;
      if (results[query].overflow != 0) {
        // Any `capacity` of the matches: the highest, here.
        std::vector<std::uint32_t> all(4096);
        mu_id_query_result whole{};
        LinearIndexTable().query_ids(m_inner, &queries[query], 1, all.data(), 4096, &whole);
        std::copy_n(all.begin() + (whole.count - capacity), capacity, first);
      }
      std::reverse(first, first + results[query].count);
      if (TheScript().exaggerates) {
        results[query] = {capacity, 1};
      }
      if (TheScript().lies && results[query].count != 0) {
        first[0] = 1U << 30U;
      }
    }
    return status;
  }
  mu_status QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots, std::uint32_t capacity,
                         mu_nearest_result* results) const {
    if (Misbehaves()) {
      return MU_E_FAILED;
    }
    return LinearIndexTable().query_nearest(m_inner, queries.data(), static_cast<std::uint32_t>(queries.size()), slots,
                                            capacity, results);
  }
  mu_status CandidatePairs(std::span<mu_slot_pair> pairs, std::uint64_t& count) const {
    if (Misbehaves()) {
      return MU_E_FAILED;
    }
    const mu_status status = LinearIndexTable().candidate_pairs(m_inner, pairs.data(), pairs.size(), &count);
    std::reverse(pairs.begin(),
                 pairs.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, pairs.size())));
    if (TheScript().exaggerates && pairs.size() < 500) {
      count = 500;  // and less when asked with the room for so many
    }
    return status;
  }
  void Stats(mu_spatial_stats& stats) const { stats.cells = 77; }

 private:
  static std::uint32_t Count(std::span<const mu_sphere_query> queries) {
    return static_cast<std::uint32_t>(queries.size());
  }
  static bool Misbehaves() {
    ++TheScript().queries;
    if (TheScript().throws) {
      throw std::runtime_error{"out of ideas"};
    }
    return TheScript().failsQueries;
  }

  mu_spatial_index* m_inner = nullptr;
};

/// The same without the layer that stops exceptions: what a table written by hand may do.
mu_status ThrowingRebuild(mu_spatial_index* /*self*/, const mu_spatial_view* /*view*/) {
  throw std::runtime_error{"through the border"};
}

mu_status RefusingCreate(const mu_spatial_params* /*params*/, mu_spatial_index** /*out*/) {
  return MU_E_OUT_OF_MEMORY;
}

Provider Scripted(std::string name = "test.scripted") {
  return {std::move(name), &plugin::SpatialIndexTable<ScriptedIndex>::kTable, {}};
}

Provider Linear() {
  return {kLinearIndexName, &LinearIndexTable(), {}};
}

class SpatialServiceTest : public ::testing::Test {
 protected:
  SpatialServiceTest() : columns{EntityColumns::Register(registry)}, store{registry, {.capacity = 3000}} {
    Script& script = TheScript();
    script.failsRebuild = script.failsQueries = script.refusesQueries = script.throws = script.lies =
        script.exaggerates = false;
    script.queries = 0;
  }
  ~SpatialServiceTest() override { EXPECT_EQ(TheScript().instances, 0) << "an instance outlived its service"; }

  std::uint32_t Spawn(double x, double y, double z, float radius = 1.0F, float speed = 0.0F) {
    const std::uint32_t slot = store.Create().Slot();
    store.Column(columns.positionX)[slot] = x;
    store.Column(columns.positionY)[slot] = y;
    store.Column(columns.positionZ)[slot] = z;
    store.Column(columns.velocityX)[slot] = speed;
    store.Column(columns.radius)[slot] = radius;
    return slot;
  }
  void SpawnMany(int count, double half) {
    Random random{7};
    for (int index = 0; index < count; ++index) {
      const double x = random.NextBetween(-half, half);
      Spawn(x, 10.0, random.NextBetween(-half, half), 20.0F);
    }
    for (std::uint32_t slot = 5; slot < store.Capacity(); slot += 9) {
      store.Destroy(store.HandleAt(slot));
    }
  }
  static std::vector<std::uint32_t> Ids(SpatialService& service, const mu_sphere_query& query, std::uint32_t capacity,
                                        bool* overflow = nullptr) {
    std::vector<std::uint32_t> slots(capacity);
    mu_id_query_result result{};
    EXPECT_EQ(service.QueryIds({&query, 1}, slots.data(), capacity, &result), MU_OK);
    slots.resize(result.count);
    if (overflow != nullptr) {
      *overflow = result.overflow != 0;
    }
    return slots;
  }
  static std::vector<std::uint32_t> Nearest(SpatialService& service, const mu_nearest_query& query) {
    std::vector<std::uint32_t> slots(query.k);
    mu_nearest_result result{};
    EXPECT_EQ(service.QueryNearest({&query, 1}, slots.data(), query.k, &result), MU_OK);
    slots.resize(result.count);
    return slots;
  }
  static std::vector<std::pair<std::uint32_t, std::uint32_t>> Pairs(SpatialService& service) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const mu_slot_pair& pair : service.CandidatePairs()) {
      pairs.emplace_back(pair.a, pair.b);
    }
    return pairs;
  }

  MemorySink sink;
  Logger logger{sink, "Test"};
  world::ColumnRegistry registry;
  EntityColumns columns;
  world::EntityStore store;
};

TEST_F(SpatialServiceTest, GivesTheSameAnswersInTheSameOrderWhoeverProvides) {
  SpawnMany(900, 2000.0);
  SpatialService one{Linear(), {}, logger};
  SpatialService other{Scripted(), {}, logger};
  one.Rebuild(store, columns, kStep);
  other.Rebuild(store, columns, kStep);
  Random random{8};
  for (int round = 0; round < 50; ++round) {
    const mu_sphere_query query{random.NextBetween(-2000.0F, 2000.0F), 0.0F, random.NextBetween(-2000.0F, 2000.0F),
                                random.NextBetween(0.0F, 1500.0F)};
    for (const std::uint32_t capacity : {0U, 3U, 64U, 3000U}) {
      bool overflow = false;
      bool otherOverflow = false;
      const std::vector<std::uint32_t> slots = Ids(one, query, capacity, &overflow);
      EXPECT_EQ(Ids(other, query, capacity, &otherOverflow), slots);
      EXPECT_EQ(overflow, otherOverflow);
      EXPECT_TRUE(std::is_sorted(slots.begin(), slots.end()));
    }
    std::vector<std::uint64_t> bits(one.WordsPerQuery(), 1);
    std::vector<std::uint64_t> otherBits(other.WordsPerQuery(), ~std::uint64_t{0});
    one.QueryBits({&query, 1}, bits);
    other.QueryBits({&query, 1}, otherBits);
    EXPECT_EQ(bits, otherBits);
  }
  const auto pairs = Pairs(one);
  EXPECT_GT(pairs.size(), 20U);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  EXPECT_EQ(Pairs(other), pairs);
}

TEST_F(SpatialServiceTest, CutsALongListToItsLowestSlots) {
  for (int index = 0; index < 200; ++index) {
    Spawn(0.0, 0.0, 0.0);
  }
  SpatialService service{Scripted(), {}, logger};
  service.Rebuild(store, columns, kStep);
  bool overflow = false;
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 1.0F}, 5, &overflow), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_TRUE(overflow);
  EXPECT_EQ(service.Stats().idOverflows, 1U);
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 1.0F}, 200, &overflow).size(), 200U);
  EXPECT_FALSE(overflow);
}

TEST_F(SpatialServiceTest, HandsOutNothingThatAProviderOnlyClaimed) {
  for (int index = 0; index < 3; ++index) {
    Spawn(0.0, 0.0, 0.0);
  }
  SpatialService service{Scripted(), {}, logger};
  service.Rebuild(store, columns, kStep);
  TheScript().exaggerates = true;
  bool overflow = false;
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 1.0F}, 8, &overflow), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(Pairs(service), (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}, {1, 2}}));
}

TEST_F(SpatialServiceTest, SeesOnlyWhoLivedAtTheRebuild) {
  const std::uint32_t first = Spawn(1.0, 0.0, 0.0);
  const std::uint32_t second = Spawn(2.0, 0.0, 0.0);
  SpatialService service{Linear(), {}, logger};
  EXPECT_TRUE(Ids(service, {0.0F, 0.0F, 0.0F, 10.0F}, 8).empty()) << "before the first rebuild";
  EXPECT_TRUE(Pairs(service).empty());
  service.Rebuild(store, columns, kStep);
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 10.0F}, 8), (std::vector<std::uint32_t>{first, second}));
  store.Destroy(store.HandleAt(first));
  service.Rebuild(store, columns, kStep);
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 10.0F}, 8), std::vector<std::uint32_t>{second});
  EXPECT_EQ(Nearest(service, {0.0F, 0.0F, 0.0F, 10.0F, 4, UINT32_MAX}), std::vector<std::uint32_t>{second});
  EXPECT_EQ(service.Stats().entities, 1U);
}

TEST_F(SpatialServiceTest, PairsWhatCanMeetWithinTheStep) {
  const std::uint32_t bullet = Spawn(0.0, 0.0, 0.0, 0.1F, 600.0F);  // ten metres a tick
  const std::uint32_t wall = Spawn(9.0, 0.0, 0.0, 0.1F);
  Spawn(30.0, 0.0, 0.0, 0.1F);
  SpatialService service{Linear(), {}, logger};
  service.Rebuild(store, columns, kStep);
  EXPECT_EQ(Pairs(service), (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{bullet, wall}}));
}

TEST_F(SpatialServiceTest, CutsACrowdsPairsTheSameWhoeverProvides) {
  for (int index = 0; index < 300; ++index) {
    Spawn(index * 0.001, 0.0, 0.0);
  }
  Spawn(5000.0, 0.0, 0.0);
  const SpatialServiceConfig config{.maxCandidatePairs = 1000};
  SpatialService one{Linear(), config, logger};
  SpatialService other{Scripted(), config, logger};
  one.Rebuild(store, columns, kStep);
  other.Rebuild(store, columns, kStep);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (std::uint32_t a = 0; expected.size() < 1000; ++a) {
    for (std::uint32_t b = a + 1; b < 300 && expected.size() < 1000; ++b) {
      expected.emplace_back(a, b);
    }
  }
  EXPECT_EQ(Pairs(one), expected);
  EXPECT_EQ(Pairs(other), expected);
  EXPECT_EQ(one.Stats().pairOverflows, 1U);
}

TEST_F(SpatialServiceTest, AnswersInPlaceOfAProviderThatFailsAndReplacesItAtTheNextRebuild) {
  SpawnMany(500, 1000.0);
  SpatialService reference{Linear(), {}, logger};
  reference.Rebuild(store, columns, kStep);
  const mu_sphere_query query{0.0F, 0.0F, 0.0F, 500.0F};
  const std::vector<std::uint32_t> expected = Ids(reference, query, 3000);
  std::vector<std::uint64_t> expectedBits(reference.WordsPerQuery());
  reference.QueryBits({&query, 1}, expectedBits);
  struct Way {
    std::atomic<bool>& flag;
    const char* word;
  };
  Script& script = TheScript();
  for (const Way& way : {Way{script.failsQueries, "MU_E_FAILED"}, Way{script.throws, "MU_E_EXCEPTION"},
                         Way{script.lies, "cannot be"}, Way{script.refusesQueries, "MU_E_FAILED"}}) {
    MemorySink ownSink;
    SpatialService service{Scripted(), {}, Logger{ownSink, "Test"}};
    service.Rebuild(store, columns, kStep);
    way.flag = true;
    EXPECT_EQ(Ids(service, query, 3000), expected);
    const int asked = script.queries;
    std::vector<std::uint64_t> bits(service.WordsPerQuery());
    service.QueryBits({&query, 1}, bits);
    EXPECT_EQ(bits, expectedBits);
    EXPECT_EQ(Pairs(service), Pairs(reference));
    EXPECT_EQ(Nearest(service, {0.0F, 0.0F, 0.0F, 900.0F, 7, 3}), Nearest(reference, {0.0F, 0.0F, 0.0F, 900.0F, 7, 3}));
    EXPECT_EQ(script.queries, asked) << "a provider that failed is not asked again";
    EXPECT_TRUE(service.Active().isDisabled);
    EXPECT_EQ(service.Stats().providerFailures, 0U) << "it is taken out at the tick boundary";
    service.Rebuild(store, columns, kStep);
    way.flag = false;
    EXPECT_EQ(script.instances, 0);
    EXPECT_EQ(service.Stats().providerFailures, 1U);
    EXPECT_TRUE(service.Active().isDisabled);
    EXPECT_EQ(service.Active().name, "test.scripted");
    EXPECT_TRUE(ownSink.Contains(way.word)) << way.word;
    EXPECT_TRUE(ownSink.Contains("test.scripted"));
    EXPECT_EQ(Ids(service, query, 3000), expected);
    service.Rebuild(store, columns, kStep);
    EXPECT_EQ(ownSink.Entries().size(), 1U) << "one line, not one a tick";
  }
}

TEST_F(SpatialServiceTest, AnswersAfterAFailedRebuildToo) {
  SpawnMany(100, 100.0);
  SpatialService service{Scripted(), {}, logger};
  TheScript().failsRebuild = true;
  service.Rebuild(store, columns, kStep);
  EXPECT_EQ(service.Stats().providerFailures, 1U);
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 1000.0F}, 3000).size(), store.LiveCount());
}

TEST_F(SpatialServiceTest, StopsAnExceptionThatATableLetsOut) {
  SpawnMany(50, 100.0);
  mu_spatial_index_v0 table = plugin::SpatialIndexTable<ScriptedIndex>::kTable;
  table.rebuild = &ThrowingRebuild;
  SpatialService service{Provider{"test.bare", &table, {}}, {}, logger};
  service.Rebuild(store, columns, kStep);
  EXPECT_EQ(service.Stats().providerFailures, 1U);
  EXPECT_TRUE(sink.Contains("MU_E_EXCEPTION"));
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 1000.0F}, 3000).size(), store.LiveCount());
}

TEST_F(SpatialServiceTest, ServesLinearlyWhenItsProviderCannotBeCreated) {
  mu_spatial_index_v0 table = plugin::SpatialIndexTable<ScriptedIndex>::kTable;
  table.create = &RefusingCreate;
  SpatialService service{Provider{"test.refusing", &table, {}}, {}, logger};
  EXPECT_TRUE(sink.Contains("MU_E_OUT_OF_MEMORY"));
  EXPECT_EQ(service.Stats().providerFailures, 1U);
  SpawnMany(50, 100.0);
  service.Rebuild(store, columns, kStep);
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 1000.0F}, 3000).size(), store.LiveCount());
}

TEST_F(SpatialServiceTest, SwapsWithoutLosingTheTicksEntities) {
  SpawnMany(300, 300.0);
  SpatialService service{Linear(), {}, logger};
  service.Rebuild(store, columns, kStep);
  const mu_sphere_query query{0.0F, 0.0F, 0.0F, 200.0F};
  const std::vector<std::uint32_t> expected = Ids(service, query, 3000);
  ASSERT_FALSE(expected.empty());
  Result<Provider> old = service.Swap(Scripted());
  ASSERT_TRUE(old);
  EXPECT_EQ(old->name, kLinearIndexName);
  EXPECT_EQ(service.Active().name, "test.scripted");
  EXPECT_EQ(service.Stats().cells, 77U) << "the new code runs";
  EXPECT_EQ(Ids(service, query, 3000), expected);
  EXPECT_GT(TheScript().queries, 0);
  old = service.Swap(Linear());
  ASSERT_TRUE(old);
  EXPECT_EQ(old->name, "test.scripted");
  EXPECT_EQ(TheScript().instances, 0) << "destroyed before its provider is handed back";
  EXPECT_EQ(Ids(service, query, 3000), expected);
}

TEST_F(SpatialServiceTest, KeepsItsProviderWhenACandidateFails) {
  SpawnMany(300, 300.0);
  SpatialService service{Linear(), {}, logger};
  service.Rebuild(store, columns, kStep);
  mu_spatial_index_v0 table = plugin::SpatialIndexTable<ScriptedIndex>::kTable;
  table.create = &RefusingCreate;
  Result<Provider> refused = service.Swap(Provider{"test.refusing", &table, {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.Failure().code, plugins::kCreateFailed);
  TheScript().failsRebuild = true;
  refused = service.Swap(Scripted());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.Failure().code, plugins::kPluginCallFailed);
  EXPECT_EQ(TheScript().instances, 0);
  EXPECT_EQ(service.Active().name, kLinearIndexName);
  EXPECT_FALSE(service.Active().isDisabled);
  EXPECT_FALSE(Ids(service, {0.0F, 0.0F, 0.0F, 200.0F}, 3000).empty());
}

TEST_F(SpatialServiceTest, TakesAProviderBackAfterAFailure) {
  SpawnMany(300, 300.0);
  SpatialService service{Scripted("test.first"), {}, logger};
  TheScript().failsRebuild = true;
  service.Rebuild(store, columns, kStep);
  EXPECT_TRUE(service.Active().isDisabled);
  TheScript().failsRebuild = false;
  Result<Provider> failed = service.Swap(Scripted("test.second"));
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->name, "test.first") << "so that its library can be retired";
  EXPECT_FALSE(service.Active().isDisabled);
  EXPECT_EQ(service.Active().name, "test.second");
}

TEST_F(SpatialServiceTest, AnswersWorkersWhileTheProviderFailsUnderThem) {
  SpawnMany(800, 500.0);
  SpatialService reference{Linear(), {}, logger};
  reference.Rebuild(store, columns, kStep);
  const mu_sphere_query query{0.0F, 0.0F, 0.0F, 300.0F};
  const std::vector<std::uint32_t> expected = Ids(reference, query, 64);
  SpatialService service{Scripted(), {}, logger};
  service.Rebuild(store, columns, kStep);
  std::vector<std::thread> workers;
  for (int worker = 0; worker < 3; ++worker) {
    workers.emplace_back([&service, &query, &expected, worker] {
      for (int round = 0; round < 200; ++round) {
        if (worker == 0 && round == 100) {
          TheScript().failsQueries = true;
        }
        EXPECT_EQ(Ids(service, query, 64), expected);
      }
    });
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
  EXPECT_TRUE(service.Active().isDisabled);
}

TEST_F(SpatialServiceTest, FindsNobodyAtPlacesThatAreNone) {
  Spawn(std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0);
  Spawn(1e300, 0.0, 0.0);  // infinite as a float
  const std::uint32_t fine = Spawn(0.0, 0.0, 0.0);
  SpatialService service{Linear(), {}, logger};
  service.Rebuild(store, columns, kStep);
  EXPECT_EQ(Ids(service, {0.0F, 0.0F, 0.0F, 1e30F}, 8), std::vector<std::uint32_t>{fine});
  EXPECT_TRUE(Pairs(service).empty());
}

}  // namespace
}  // namespace muster::simulation
