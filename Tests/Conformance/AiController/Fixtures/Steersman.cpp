// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A controller that turns towards its nearest neighbour and remembers how often it has thought. In order by itself; the
// configuration key `fault` names one mistake for it to make, each of which a check of the suite must find.
#include "PluginApi/Plugin.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

using muster::plugin::Host;

struct Memory {
  std::uint32_t thinks = 0;
  float smoothed = 0.0F;
  std::uint32_t last = 0;
};

constexpr std::uint32_t kMemoryBytes = sizeof(Memory);
static_assert(kMemoryBytes % 8 != 0, "blackboards have a gap behind them that nobody may use");

float Bounded(float value) {
  return value >= -1.0F && value <= 1.0F ? value : (value > 1.0F ? 1.0F : (value < -1.0F ? -1.0F : 0.0F));
}

/// A small number of a larger one, so that a wrong bit anywhere shows in the rudder.
float Hint(std::uint64_t number) {
  return static_cast<float>((number * 0x9E3779B97F4A7C15U) >> 41U) * 1e-8F;
}

class Steersman {
 public:
  explicit Steersman(const Host& host) : m_host{host}, m_fault{host.ConfigText("fault").value_or("none")} {}

  std::uint32_t ControllerCount() const { return 1; }

  mu_status ControllerInfo(std::uint32_t index, mu_controller_info& info) const {
    if (index != 0 && m_fault != "any_index") {
      return MU_E_INVALID_ARGUMENT;
    }
    const bool isLater = m_fault == "changing_description" && m_thinks > 2;
    info = {muster::plugin::ToText(m_fault == "bad_name" ? "Steersman!" : "steersman"),
            m_fault == "greedy_blackboard" ? 1'000 : kMemoryBytes, 1, isLater ? 2U : 1U, 0};
    return MU_OK;
  }

  mu_status Think(const mu_think_batch& batch) {
    ++m_thinks;
    if (m_fault == "allocates") {
      m_scratch.push_back(std::vector<float>(batch.count));
    }
    for (std::uint32_t i = 0; i < batch.count; ++i) {
      if (const mu_status status = ThinkOf(batch, i); status != MU_OK) {
        return m_host.Fail(status, "nobody to steer for");
      }
    }
    Trespass(batch);
    return MU_OK;
  }

 private:
  mu_status ThinkOf(const mu_think_batch& batch, std::uint32_t i) {
    const mu_world_view& world = *batch.world;
    const std::uint32_t slot = batch.slots[i];
    // An agent a call would be too many; the faultless way asks for all of a batch ahead of the loop.
    std::uint32_t nearest = slot;
    if (const mu_status status = AskNearest(batch, i, nearest); status != MU_OK) {
      return status;
    }
    Memory memory;
    std::uint8_t* const blackboard = batch.blackboards + std::size_t{i} * batch.blackboard_stride;
    std::memcpy(&memory, blackboard, sizeof(memory));
    const auto dx = static_cast<float>(world.position_x[nearest] - world.position_x[slot]);
    const auto dz = static_cast<float>(world.position_z[nearest] - world.position_z[slot]);
    const float length = std::sqrt(dx * dx + dz * dz);
    const float turn = length > 1e-3F ? (world.velocity_x[slot] * dz - world.velocity_z[slot] * dx) / length : 0.0F;
    ++memory.thinks;
    memory.last = nearest;
    const float wanted = Bounded(0.01F * turn);
    memory.smoothed = m_fault == "keeps_nan" ? memory.smoothed + 0.1F * (0.01F * turn - memory.smoothed)
                                             : Bounded(memory.smoothed + 0.1F * (wanted - memory.smoothed));
    mu_control control{};
    control.throttle = 0.5F;
    control.rudder =
        m_fault == "keeps_nan" ? memory.smoothed : Bounded(memory.smoothed + Mistake(batch, i, blackboard));
    if (m_fault == "divides_by_speed") {
      const float speed =
          std::sqrt(world.velocity_x[slot] * world.velocity_x[slot] + world.velocity_z[slot] * world.velocity_z[slot]);
      control.aileron = 0.5F * (world.velocity_x[slot] / speed);
    }
    control.elevator = m_fault == "full_and_more" ? 1.25F : 0.0F;
    batch.controls[i] = control;
    std::memcpy(blackboard, &memory, sizeof(memory));
    return MU_OK;
  }

  mu_status AskNearest(const mu_think_batch& batch, std::uint32_t i, std::uint32_t& nearest) {
    constexpr std::uint32_t kBatch = 128;
    if (m_fault == "one_by_one" || m_fault == "asks_too_much") {
      for (int turn = 0; turn < (m_fault == "asks_too_much" ? 9 : 1); ++turn) {
        mu_nearest_result result{};
        const mu_nearest_query query = QueryOf(batch, i);
        if (const mu_status status = m_host.QueryNearest({&query, 1}, &nearest, 1, &result); status != MU_OK) {
          return status;
        }
      }
      return MU_OK;
    }
    thread_local std::array<std::uint32_t, kBatch> found;
    thread_local std::array<mu_nearest_result, kBatch> results;
    if (i % kBatch == 0) {
      std::array<mu_nearest_query, kBatch> queries;
      const std::uint32_t count = std::min(kBatch, batch.count - i);
      for (std::uint32_t k = 0; k < count; ++k) {
        queries[k] = QueryOf(batch, i + k);
        results[k] = {};
      }
      if (const mu_status status = m_host.QueryNearest({queries.data(), count}, found.data(), 1, results.data());
          status != MU_OK) {
        return status;
      }
    }
    if (results[i % kBatch].count != 0) {
      nearest = found[i % kBatch];
    }
    return MU_OK;
  }

  static mu_nearest_query QueryOf(const mu_think_batch& batch, std::uint32_t i) {
    const std::uint32_t slot = batch.slots[i];
    return {static_cast<float>(batch.world->position_x[slot]),
            static_cast<float>(batch.world->position_y[slot]),
            static_cast<float>(batch.world->position_z[slot]),
            5'000.0F,
            1,
            slot};
  }

  /// What a forbidden source adds to the rudder.
  float Mistake(const mu_think_batch& batch, std::uint32_t i, const std::uint8_t* blackboard) const {
    thread_local std::uint64_t t_thinks = 0;
    static int s_somewhere = 0;
    std::uint64_t source = 0;
    if (m_fault == "per_thread") {
      source = ++t_thinks;
    } else if (m_fault == "remembers") {
      source = m_thinks;
    } else if (m_fault == "place_in_batch") {
      source = i;
    } else if (m_fault == "size_of_batch") {
      source = batch.count;
    } else if (m_fault == "addresses") {
      source = reinterpret_cast<std::uintptr_t>(blackboard);
    } else if (m_fault == "address_of_library") {
      source = reinterpret_cast<std::uintptr_t>(&s_somewhere);
    } else if (m_fault == "reads_gap") {
      source = blackboard[kMemoryBytes];
    } else if (m_fault == "reads_next_agent") {
      source = batch.slots[i + 1];
    } else if (m_fault == "reads_reserved") {
      source = batch.reserved;
    }
    return source == 0 ? 0.0F : Hint(source);
  }

  void Trespass(const mu_think_batch& batch) const {
    if (m_fault == "command_too_far") {
      batch.controls[batch.count] = mu_control{};
    } else if (m_fault == "blackboard_before") {
      batch.blackboards[-1] = static_cast<std::uint8_t>(batch.blackboards[-1] + 1U);
    } else if (m_fault == "writes_gap" && batch.count != 0) {
      batch.blackboards[kMemoryBytes] = static_cast<std::uint8_t>(batch.blackboards[kMemoryBytes] + 1U);
    } else if (m_fault == "moves_the_world" && batch.count != 0) {
      const_cast<float*>(batch.world->health)[batch.slots[0]] *= 0.5F;
    }
  }

  Host m_host;
  std::string m_fault;
  std::atomic<std::uint64_t> m_thinks{0};
  std::vector<std::vector<float>> m_scratch;
};

}  // namespace

MUSTER_PLUGIN(muster::plugin::AiControllerTable<Steersman>);
