// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/SpatialService.h"

#include "PluginHost/Errors.h"
#include "Simulation/LinearIndex.h"
#include "SpatialInstance.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace muster::simulation {

namespace {

/// What acceleration within one step can add to a sweep: 900 m/s2 over 1/60 s.
constexpr float kSweepSlackMeters = 0.25F;

/// Scratch bits of a cut query stand on the stack up to 2^18 slots.
constexpr std::size_t kStackWords = 4096;

SpatialInstance::Provider LinearProvider() {
  return {kLinearIndexName, &LinearIndexTable(), {}};
}

bool IsBefore(const mu_slot_pair& left, const mu_slot_pair& right) {
  return left.a != right.a ? left.a < right.a : left.b < right.b;
}

}  // namespace

struct SpatialService::State {
  State(const SpatialServiceConfig& config_, const Logger& logger) : config{config_}, log{logger} {}

  mu_spatial_params Params() const { return {sizeof(mu_spatial_params), view.slot_capacity, config.cellSizeMeters, 0}; }
  void TakeColumns(const world::EntityStore& store, const EntityColumns& columns, float stepSeconds);
  void ReplaceIfFailed();

  void Bits(std::span<const mu_sphere_query> queries, std::uint64_t* bits, std::uint32_t words) const;
  // Both say how many they wrote: fewer than there is room for when a provider claimed more than there is.
  std::uint32_t CutToLowest(const mu_sphere_query& query, std::uint32_t* slots, std::uint32_t capacity) const;
  std::size_t PairsOfLowestSlots(std::span<mu_slot_pair> lowest) const;

  SpatialServiceConfig config;
  Logger log;
  std::unique_ptr<SpatialInstance> active;  // null: the linear index serves for `failed`
  std::unique_ptr<SpatialInstance> linear;  // rebuilt along with the active one: that costs it nothing
  Provider failed;                          // kept so that whoever swaps gets it back
  mu_spatial_view view{};
  std::vector<std::uint32_t> slots;
  std::vector<float> x, y, z, radius;
  std::vector<mu_slot_pair> pairs;  // grows only; what is in use is returned as a span
  SpatialServiceStats stats;
  std::atomic<std::uint64_t> idOverflows{0};
};

void SpatialService::State::TakeColumns(const world::EntityStore& store, const EntityColumns& columns,
                                        float stepSeconds) {
  const std::span<const std::uint32_t> live = store.LiveSlots();
  slots.assign(live.begin(), live.end());
  const std::size_t count = slots.size();
  for (std::vector<float>* column : {&x, &y, &z, &radius}) {
    column->resize(count);
  }
  const double* const positionX = store.Column(columns.positionX).data();
  const double* const positionY = store.Column(columns.positionY).data();
  const double* const positionZ = store.Column(columns.positionZ).data();
  const float* const velocityX = store.Column(columns.velocityX).data();
  const float* const velocityY = store.Column(columns.velocityY).data();
  const float* const velocityZ = store.Column(columns.velocityZ).data();
  const float* const bodyRadius = store.Column(columns.radius).data();
  for (std::size_t index = 0; index < count; ++index) {
    const std::uint32_t slot = slots[index];
    x[index] = static_cast<float>(positionX[slot]);
    y[index] = static_cast<float>(positionY[slot]);
    z[index] = static_cast<float>(positionZ[slot]);
    const float speed = std::sqrt(velocityX[slot] * velocityX[slot] + velocityY[slot] * velocityY[slot] +
                                  velocityZ[slot] * velocityZ[slot]);
    radius[index] = bodyRadius[slot] + speed * stepSeconds + kSweepSlackMeters;
  }
  view = {slots.data(),    x.data(), y.data(), z.data(), radius.data(), static_cast<std::uint32_t>(count),
          store.Capacity()};
}

void SpatialService::State::ReplaceIfFailed() {
  if (active == nullptr || !active->HasFailed()) {
    return;
  }
  log.Error("{} The linear index serves until another provider is swapped in.", active->FirstFailure().ToString());
  ++stats.providerFailures;
  failed = active->Release();
  active.reset();
}

void SpatialService::State::Bits(std::span<const mu_sphere_query> queries, std::uint64_t* bits,
                                 std::uint32_t words) const {
  std::fill_n(bits, queries.size() * words, std::uint64_t{0});
  if (active != nullptr) {
    if (active->QueryBits(queries, bits, words)) {
      return;
    }
    std::fill_n(bits, queries.size() * words, std::uint64_t{0});
  }
  linear->QueryBits(queries, bits, words);
}

std::uint32_t SpatialService::State::CutToLowest(const mu_sphere_query& query, std::uint32_t* lowest,
                                                 std::uint32_t capacity) const {
  const std::size_t words = (view.slot_capacity + 63) / 64;
  std::array<std::uint64_t, kStackWords> stackBits;
  std::vector<std::uint64_t> heapBits;
  std::uint64_t* bits = stackBits.data();
  if (words > kStackWords) {
    heapBits.resize(words);
    bits = heapBits.data();
  }
  Bits({&query, 1}, bits, static_cast<std::uint32_t>(words));
  std::uint32_t written = 0;
  for (std::size_t word = 0; word < words && written < capacity; ++word) {
    for (std::uint64_t rest = bits[word]; rest != 0 && written < capacity; rest &= rest - 1) {
      lowest[written++] = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(rest));
    }
  }
  return written;
}

// Pair by pair from the lowest slot on, until there are as many as may be: the answer of no provider, but of all of
// them, because it is made of sets of bits.
std::size_t SpatialService::State::PairsOfLowestSlots(std::span<mu_slot_pair> lowest) const {
  const std::uint32_t words = (view.slot_capacity + 63) / 64;
  std::vector<std::uint64_t> bits(words);
  std::vector<std::uint32_t> indexOfSlot(view.slot_capacity, 0);
  float largest = 0.0F;
  for (std::uint32_t index = 0; index < view.count; ++index) {
    indexOfSlot[slots[index]] = index;
    largest = std::max(largest, radius[index]);
  }
  std::size_t written = 0;
  for (std::uint32_t a = 0; a < view.count && written < lowest.size(); ++a) {
    const mu_sphere_query query{x[a], y[a], z[a], radius[a] + largest};
    if (!std::isfinite(query.x) || !std::isfinite(query.y) || !std::isfinite(query.z)) {
      continue;
    }
    Bits({&query, 1}, bits.data(), words);
    for (std::uint32_t word = slots[a] / 64; word < words; ++word) {
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1) {
        const std::uint32_t slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
        if (slot <= slots[a]) {
          continue;
        }
        const std::uint32_t b = indexOfSlot[slot];
        if (mu_spatial_is_within(x[a], y[a], z[a], x[b], y[b], z[b], radius[a] + radius[b]) != 0) {
          lowest[written++] = {slots[a], slot};
          if (written == lowest.size()) {
            return written;
          }
        }
      }
    }
  }
  return written;
}

SpatialService::SpatialService(Provider provider, const SpatialServiceConfig& config, const Logger& logger)
    : m_state{std::make_unique<State>(config, logger.For("Spatial"))} {
  m_state->linear = std::move(SpatialInstance::Create(LinearProvider(), m_state->Params())).Value();
  Result<std::unique_ptr<SpatialInstance>> made = SpatialInstance::Create(provider, m_state->Params());
  if (made) {
    m_state->active = std::move(made).Value();
  } else {
    m_state->log.Error("{} The linear index serves.", made.Failure().ToString());
    ++m_state->stats.providerFailures;
    m_state->failed = std::move(provider);
  }
}

SpatialService::~SpatialService() = default;

void SpatialService::Rebuild(const world::EntityStore& store, const EntityColumns& columns, float stepSeconds) {
  State& self = *m_state;
  self.ReplaceIfFailed();
  self.TakeColumns(store, columns, stepSeconds);
  self.linear->Rebuild(self.view);
  if (self.active != nullptr && !self.active->Rebuild(self.view)) {
    self.ReplaceIfFailed();
  }
  ++self.stats.rebuilds;
}

mu_status SpatialService::QueryIds(std::span<const mu_sphere_query> queries, std::uint32_t* slots,
                                   std::uint32_t capacity, mu_id_query_result* results) {
  const State& self = *m_state;
  if (self.active == nullptr || !self.active->QueryIds(queries, slots, capacity, results)) {
    self.linear->QueryIds(queries, slots, capacity, results);
  }
  for (std::size_t query = 0; query < queries.size(); ++query) {
    std::uint32_t* const first = slots + query * capacity;
    if (results[query].overflow != 0) {
      results[query] = {self.CutToLowest(queries[query], first, capacity), 1};
      m_state->idOverflows.fetch_add(1, std::memory_order_relaxed);
    } else {
      std::sort(first, first + results[query].count);
    }
  }
  return MU_OK;
}

mu_status SpatialService::QueryNearest(std::span<const mu_nearest_query> queries, std::uint32_t* slots,
                                       std::uint32_t capacity, mu_nearest_result* results) {
  const State& self = *m_state;
  if (self.active == nullptr || !self.active->QueryNearest(queries, slots, capacity, results)) {
    self.linear->QueryNearest(queries, slots, capacity, results);
  }
  return MU_OK;
}

void SpatialService::QueryBits(std::span<const mu_sphere_query> queries, std::span<std::uint64_t> bits) const {
  MUSTER_ASSERT(bits.size() >= queries.size() * WordsPerQuery(), "too few words for the bits of so many queries");
  m_state->Bits(queries, bits.data(), WordsPerQuery());
}

std::uint32_t SpatialService::WordsPerQuery() const {
  return (m_state->view.slot_capacity + 63) / 64;
}

std::span<const mu_slot_pair> SpatialService::CandidatePairs() {
  State& self = *m_state;
  std::uint64_t count = 0;
  const auto ask = [&self, &count] {
    if (self.active == nullptr || !self.active->CandidatePairs(self.pairs, count)) {
      self.linear->CandidatePairs(self.pairs, count);
    }
  };
  ask();
  std::uint64_t wanted = std::min<std::uint64_t>(count, self.config.maxCandidatePairs);
  if (wanted > self.pairs.size()) {
    self.pairs.resize(static_cast<std::size_t>(std::min<std::uint64_t>(wanted * 2, self.config.maxCandidatePairs)));
    ask();
    // The second answer counts: the provider may have failed in it, or be of two minds.
    wanted = std::min<std::uint64_t>({count, self.config.maxCandidatePairs, self.pairs.size()});
  }
  std::span<mu_slot_pair> pairs = std::span{self.pairs}.first(static_cast<std::size_t>(wanted));
  if (count > wanted) {
    ++self.stats.pairOverflows;
    pairs = pairs.first(self.PairsOfLowestSlots(pairs));
  } else {
    std::sort(pairs.begin(), pairs.end(), IsBefore);
  }
  return pairs;
}

Result<SpatialService::Provider> SpatialService::Swap(Provider next) {
  State& self = *m_state;
  Result<std::unique_ptr<SpatialInstance>> made = SpatialInstance::Create(std::move(next), self.Params());
  if (!made) {
    return std::move(made).Failure();
  }
  std::unique_ptr<SpatialInstance> instance = std::move(made).Value();
  if (!instance->Rebuild(self.view)) {
    return instance->FirstFailure();
  }
  Provider previous = self.active != nullptr ? self.active->Release() : std::exchange(self.failed, {});
  self.active = std::move(instance);
  self.log.Info("{} {} (generation {}) serves instead of {} {} (generation {}).", self.active->Who().name,
                self.active->Who().VersionText(), self.active->Who().Number(), previous.name, previous.VersionText(),
                previous.Number());
  return previous;
}

SpatialService::ProviderStatus SpatialService::Active() const {
  const State& self = *m_state;
  const Provider& provider = self.active != nullptr ? self.active->Who() : self.failed;
  return {provider.name, provider.VersionText(), provider.Number(), self.active == nullptr || self.active->HasFailed()};
}

SpatialServiceStats SpatialService::Stats() const {
  const State& self = *m_state;
  SpatialServiceStats stats = self.stats;
  stats.idOverflows = self.idOverflows.load(std::memory_order_relaxed);
  stats.entities = self.view.count;
  const bool isActive = self.active != nullptr && !self.active->HasFailed();
  const mu_spatial_stats provided = (isActive ? self.active : self.linear)->Stats();
  stats.cells = provided.cells;
  stats.bytes = provided.bytes;
  return stats;
}

}  // namespace muster::simulation
