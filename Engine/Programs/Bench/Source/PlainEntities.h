// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a textbook does for entities, written plainly: what Muster's store is measured against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace muster::bench {

/// Generations in one vector, free slots on another, last freed first reused. Handles: generation above slot. No
/// columns, no live bits, no order: the least that hands out checked handles.
class FreeListPool {
 public:
  explicit FreeListPool(std::size_t capacity) {
    m_generations.reserve(capacity);
    m_free.reserve(capacity);
  }

  std::uint64_t Create() {
    if (m_free.empty()) {
      m_generations.push_back(1);
      return std::uint64_t{1} << 32U | (m_generations.size() - 1);
    }
    const std::uint32_t slot = m_free.back();
    m_free.pop_back();
    return std::uint64_t{++m_generations[slot]} << 32U | slot;
  }

  bool Destroy(std::uint64_t handle) {
    if (!IsAlive(handle)) {
      return false;
    }
    const auto slot = static_cast<std::uint32_t>(handle);
    ++m_generations[slot];
    m_free.push_back(slot);
    return true;
  }

  [[nodiscard]] bool IsAlive(std::uint64_t handle) const {
    const auto slot = static_cast<std::uint32_t>(handle);
    const auto generation = static_cast<std::uint32_t>(handle >> 32U);
    return slot < m_generations.size() && (generation & 1U) != 0 && m_generations[slot] == generation;
  }

 private:
  std::vector<std::uint32_t> m_generations{};  // odd: live
  std::vector<std::uint32_t> m_free{};
};

/// One component type: values dense in order of arrival, a slot-indexed table to find them, swap and pop to remove.
template <class Component>
class SparseSet {
 public:
  explicit SparseSet(std::size_t capacity) : m_places(capacity, kNowhere) {
    m_slots.reserve(capacity);
    m_values.reserve(capacity);
  }

  void Add(std::uint32_t slot, const Component& value) {
    m_places[slot] = static_cast<std::uint32_t>(m_values.size());
    m_slots.push_back(slot);
    m_values.push_back(value);
  }

  void Remove(std::uint32_t slot) {
    const std::uint32_t place = m_places[slot];
    m_values[place] = m_values.back();
    m_slots[place] = m_slots.back();
    m_places[m_slots[place]] = place;
    m_places[slot] = kNowhere;
    m_values.pop_back();
    m_slots.pop_back();
  }

  [[nodiscard]] bool Has(std::uint32_t slot) const { return m_places[slot] != kNowhere; }
  [[nodiscard]] Component& Of(std::uint32_t slot) { return m_values[m_places[slot]]; }
  [[nodiscard]] std::span<const std::uint32_t> Slots() const { return m_slots; }

 private:
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t> m_places;
  std::vector<std::uint32_t> m_slots{};
  std::vector<Component> m_values{};
};

struct Vector3 {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
};

/// A registry of two components, sparse sets over a free list.
class SparseSetRegistry {
 public:
  explicit SparseSetRegistry(std::size_t capacity) : m_pool{capacity}, m_positions{capacity}, m_velocities{capacity} {}

  std::uint64_t Spawn(const Vector3& position, const Vector3& velocity) {
    const std::uint64_t handle = m_pool.Create();
    m_positions.Add(static_cast<std::uint32_t>(handle), position);
    m_velocities.Add(static_cast<std::uint32_t>(handle), velocity);
    return handle;
  }

  bool Despawn(std::uint64_t handle) {
    if (!m_pool.Destroy(handle)) {
      return false;
    }
    m_positions.Remove(static_cast<std::uint32_t>(handle));
    m_velocities.Remove(static_cast<std::uint32_t>(handle));
    return true;
  }

  /// `body(position, velocity)` for every entity that has both.
  template <class Body>
  void ForEach(Body&& body) {
    for (const std::uint32_t slot : m_velocities.Slots()) {
      if (m_positions.Has(slot)) {
        body(m_positions.Of(slot), m_velocities.Of(slot));
      }
    }
  }

  [[nodiscard]] Vector3& PositionOf(std::uint64_t handle) { return m_positions.Of(static_cast<std::uint32_t>(handle)); }

 private:
  FreeListPool m_pool;
  SparseSet<Vector3> m_positions;
  SparseSet<Vector3> m_velocities;
};

}  // namespace muster::bench
