// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Rig.h"

#include "Core/Random.h"
#include "PluginApi/PluginHostAccess.h"
#include "Support/AllocationCount.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

namespace muster::conformance {
namespace {

constexpr std::size_t kFenceBytes = 512;
constexpr std::size_t kBeyond = 8;  ///< entries of garbage behind what is only read
constexpr std::uint64_t kSeed = 0x5EED;
constexpr std::uint64_t kFirstTick = 1'000;
constexpr float kTickSeconds = 1.0F / 60.0F;

void FillWithGarbage(std::uint8_t* bytes, std::size_t count, std::uint64_t seed) {
  Random random{seed};
  for (std::size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::uint8_t>(random.Next());
  }
}

/// Rows between two fences. A row is `used` bytes and a gap up to the next one that belongs to nobody.
class FencedRows {
 public:
  FencedRows(std::size_t rows, std::size_t stride, std::size_t used, std::uint64_t garbage)
      : m_rows{rows},
        m_stride{stride},
        m_used{used},
        // Aligned as the contract says, and elsewhere than last time.
        m_start{kFenceBytes + 8 * (garbage % 8)},
        m_words((m_start + rows * stride + kFenceBytes + 7) / 8) {
    FillWithGarbage(Bytes(), m_words.size() * 8, garbage);
    m_before.assign(Bytes(), Bytes() + m_words.size() * 8);
  }

  [[nodiscard]] std::uint8_t* Data() { return Bytes() + m_start; }
  [[nodiscard]] std::uint8_t* Row(std::size_t row) { return Data() + row * m_stride; }

  /// Everything outside of the rows' used bytes is as it was.
  [[nodiscard]] bool IsIntact() {
    for (std::size_t row = 0; row < m_rows; ++row) {
      std::memcpy(m_before.data() + m_start + row * m_stride, Row(row), m_used);
    }
    return std::memcmp(m_before.data(), Bytes(), m_before.size()) == 0;
  }

 private:
  std::uint8_t* Bytes() { return reinterpret_cast<std::uint8_t*>(m_words.data()); }

  std::size_t m_rows;
  std::size_t m_stride;
  std::size_t m_used;
  std::size_t m_start;
  std::vector<std::uint64_t> m_words;
  std::vector<std::uint8_t> m_before;
};

template <class T>
std::vector<T> WithGarbageBehind(std::vector<T> values, std::uint64_t garbage) {
  const std::size_t count = values.size();
  values.resize(count + kBeyond);
  FillWithGarbage(reinterpret_cast<std::uint8_t*>(values.data() + count), kBeyond * sizeof(T), garbage);
  return values;
}

/// A part of the agents, ready to think.
class Chunk {
 public:
  Chunk(const Scene& scene, const mu_controller_info& info, const Rows& rows, std::size_t first, std::size_t count,
        const Plan& plan)
      : m_first{first},
        m_count{count},
        m_bytes{info.blackboard_bytes},
        m_stride{(info.blackboard_bytes + 7U) / 8U * 8U + plan.extraStride},
        m_controls{count, sizeof(mu_control), sizeof(mu_control), plan.garbage + first},
        m_blackboards{count, m_stride, m_bytes, plan.garbage + 3 * first} {
    std::vector<std::uint32_t> slots;
    std::vector<std::uint64_t> handles;
    std::vector<double> homes[3];
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t slot = scene.agents[first + i];
      slots.push_back(slot);
      handles.push_back(Scene::HandleOf(slot));
      homes[0].push_back(scene.homeX[slot]);
      homes[1].push_back(scene.homeY[slot]);
      homes[2].push_back(scene.homeZ[slot]);
      std::memcpy(m_controls.Row(i), &rows.controls[first + i], sizeof(mu_control));
      std::copy_n(rows.blackboards.begin() + static_cast<std::ptrdiff_t>((first + i) * m_bytes), m_bytes,
                  m_blackboards.Row(i));
    }
    m_slots = WithGarbageBehind(std::move(slots), plan.garbage);
    m_handles = WithGarbageBehind(std::move(handles), plan.garbage);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      m_homes[axis] = WithGarbageBehind(std::move(homes[axis]), plan.garbage);
    }
  }

  void Think(const Instance& instance, const mu_think_batch& tick) {
    mu_think_batch batch = tick;
    batch.count = static_cast<std::uint32_t>(m_count);
    batch.blackboard_stride = m_stride;
    batch.slots = m_slots.data();
    batch.handles = m_handles.data();
    batch.home_x = m_homes[0].data();
    batch.home_y = m_homes[1].data();
    batch.home_z = m_homes[2].data();
    batch.blackboards = m_blackboards.Data();
    batch.controls = reinterpret_cast<mu_control*>(m_controls.Data());
    const std::uint64_t before = test::AllocationCount();
    m_status = instance.Table().think(instance.Raw(), &batch);
    m_allocations = test::AllocationCount() - before;
  }

  void Finish(Rows& rows, Thought& thought, Findings& findings) {
    if (!m_controls.IsIntact()) {
      findings.push_back(fmt::format("it wrote beside the {} commands of a batch", m_count));
    }
    if (!m_blackboards.IsIntact()) {
      findings.push_back(fmt::format("it wrote beside the {} bytes of a blackboard", m_bytes));
    }
    for (std::size_t i = 0; i < m_count; ++i) {
      std::memcpy(&rows.controls[m_first + i], m_controls.Row(i), sizeof(mu_control));
      std::copy_n(m_blackboards.Row(i), m_bytes,
                  rows.blackboards.begin() + static_cast<std::ptrdiff_t>((m_first + i) * m_bytes));
    }
    thought.statuses.push_back(m_status);
    thought.allocations += m_allocations;
  }

 private:
  std::size_t m_first;
  std::size_t m_count;
  std::uint32_t m_bytes;
  std::uint32_t m_stride;
  FencedRows m_controls;
  FencedRows m_blackboards;
  std::vector<std::uint32_t> m_slots;
  std::vector<std::uint64_t> m_handles;
  std::vector<double> m_homes[3];
  mu_status m_status = MU_OK;
  std::uint64_t m_allocations = 0;
};

std::vector<Chunk> Cut(const Scene& scene, const mu_controller_info& info, const Rows& rows, const Plan& plan) {
  std::vector<Chunk> chunks;
  std::size_t first = 0;
  for (std::size_t turn = 0; first < scene.agents.size(); ++turn) {
    const std::size_t size = plan.chunkSizes[turn % plan.chunkSizes.size()];
    const std::size_t count = std::min(size, scene.agents.size() - first);
    chunks.emplace_back(scene, info, rows, first, count, plan);
    first += count;
  }
  return chunks;
}

bool IsWithin(float value, float low, float high) {
  return value >= low && value <= high;
}

}  // namespace

Rig::Rig(const Library& library, std::uint32_t controller) : m_controller{controller} {
  const Instance instance{library};
  if (library.table->controller_info(instance.Raw(), controller, &m_info) != MU_OK) {
    throw std::runtime_error{fmt::format("controller_info({}) failed", controller)};
  }
  m_name = plugin::ToView(m_info.name);
}

Rows Rig::NewRows(const Scene& scene) const {
  const std::size_t count = scene.agents.size();
  return {std::vector<mu_control>(count), std::vector<std::uint8_t>(count * m_info.blackboard_bytes)};
}

Thought Rig::Think(const Instance& instance, const Scene& scene, CountingSpatial& spatial, std::uint64_t tick,
                   const Plan& plan, Rows& rows, Findings& findings) const {
  std::vector<Chunk> chunks = Cut(scene, m_info, rows, plan);
  const mu_world_view view = scene.View();
  const std::uint64_t columns = scene.Digest();
  mu_think_batch batch{};
  batch.struct_size = sizeof(batch);
  batch.controller = m_controller;
  batch.tick = tick;
  batch.seed = kSeed;
  batch.step_seconds = kTickSeconds * static_cast<float>(m_info.think_stride);
  batch.reserved = static_cast<std::uint32_t>(plan.garbage);
  batch.world = &view;
  {
    const plugins::SpatialService::Scope scope = instance.Of().spatialGate->Enter(spatial);
    const auto work = [&](unsigned worker, unsigned workers) {
      for (std::size_t i = worker; i < chunks.size(); i += workers) {
        chunks[plan.isReversed ? chunks.size() - 1 - i : i].Think(instance, batch);
      }
    };
    if (plan.threads <= 1) {
      work(0, 1);
    } else {
      std::vector<std::thread> threads;
      for (unsigned worker = 0; worker < plan.threads; ++worker) {
        threads.emplace_back(work, worker, plan.threads);
      }
      for (std::thread& thread : threads) {
        thread.join();
      }
    }
  }
  Thought thought;
  for (Chunk& chunk : chunks) {
    chunk.Finish(rows, thought, findings);
  }
  if (scene.Digest() != columns) {
    findings.push_back("it wrote into the world's columns");
  }
  return thought;
}

void Rig::JudgeCommands(const Scene& scene, const Rows& rows, Findings& findings) const {
  for (std::size_t i = 0; i < rows.controls.size(); ++i) {
    const mu_control& control = rows.controls[i];
    if (!IsWithin(control.throttle, 0.0F, 1.0F) || !IsWithin(control.elevator, -1.0F, 1.0F) ||
        !IsWithin(control.aileron, -1.0F, 1.0F) || !IsWithin(control.rudder, -1.0F, 1.0F)) {
      findings.push_back(fmt::format("the agent in slot {} was told throttle {}, elevator {}, aileron {}, rudder {}",
                                     scene.agents[i], control.throttle, control.elevator, control.aileron,
                                     control.rudder));
      return;
    }
  }
}

Flight Rig::Fly(const Instance& instance, Scene scene, const Plan& plan) const {
  Flight flight;
  Rows rows = NewRows(scene);
  CountingSpatial spatial{scene};
  for (int turn = 0; turn < plan.ticks; ++turn) {
    std::optional<Instance> fresh;
    if (plan.isRecreated) {
      fresh.emplace(instance.Of());
    }
    const std::uint64_t tick = kFirstTick + static_cast<std::uint64_t>(turn) * m_info.think_stride;
    const Thought thought = Think(fresh ? *fresh : instance, scene, spatial, tick, plan, rows, flight.findings);
    for (const mu_status status : thought.statuses) {
      if (status != MU_OK) {
        flight.findings.push_back(fmt::format("think answered {}", status));
        return flight;
      }
    }
    if (scene.isSound) {
      JudgeCommands(scene, rows, flight.findings);
    }
    flight.lateAllocations += turn == 0 ? 0 : thought.allocations;
    const auto* const commands = reinterpret_cast<const std::uint8_t*>(rows.controls.data());
    flight.log.insert(flight.log.end(), commands, commands + rows.controls.size() * sizeof(mu_control));
    flight.log.insert(flight.log.end(), rows.blackboards.begin(), rows.blackboards.end());
    scene.Advance(kTickSeconds * static_cast<float>(m_info.think_stride));
  }
  return flight;
}

}  // namespace muster::conformance
