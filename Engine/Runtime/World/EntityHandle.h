// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A name for an entity of one world.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace muster::world {

/// 32-bit slot and 32-bit generation; all zero is "no entity". Slots start at 0, generations of live entities are odd,
/// so a live handle is never zero. A handle never becomes valid again within 2^31 reuses of its slot. Handles are the
/// world's: on the wire an entity has a NetId.
class EntityHandle {
 public:
  constexpr EntityHandle() = default;
  constexpr EntityHandle(std::uint32_t slot, std::uint32_t generation)
      : m_value{(static_cast<std::uint64_t>(generation) << 32U) | slot} {}

  static constexpr EntityHandle FromValue(std::uint64_t value) {
    EntityHandle handle;
    handle.m_value = value;
    return handle;
  }

  constexpr std::uint32_t Slot() const { return static_cast<std::uint32_t>(m_value); }
  constexpr std::uint32_t Generation() const { return static_cast<std::uint32_t>(m_value >> 32U); }
  constexpr std::uint64_t Value() const { return m_value; }
  constexpr bool IsNull() const { return m_value == 0; }

  constexpr auto operator<=>(const EntityHandle&) const = default;

 private:
  std::uint64_t m_value = 0;
};

}  // namespace muster::world

template <>
struct std::hash<muster::world::EntityHandle> {
  std::size_t operator()(muster::world::EntityHandle handle) const noexcept {
    return std::hash<std::uint64_t>{}(handle.Value());
  }
};
