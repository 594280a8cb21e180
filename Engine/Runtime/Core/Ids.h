// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace muster {

/// An integer that names one kind of thing and cannot be mixed up with another kind. Zero is null, so a
/// zeroed struct holds null ids. Ordered by value, hashable, the size of its representation. [any]
template <class Tag, class Representation = std::uint32_t>
class StrongId {
 public:
  using Rep = Representation;

  constexpr StrongId() noexcept = default;
  constexpr explicit StrongId(Rep value) noexcept : m_value(value) {}

  [[nodiscard]] constexpr Rep Value() const noexcept { return m_value; }
  [[nodiscard]] constexpr bool IsNull() const noexcept { return m_value == 0; }

  friend constexpr auto operator<=>(const StrongId&, const StrongId&) noexcept = default;

 private:
  Rep m_value = 0;
};

/// One remote end as the transport and the link know it.
using PeerId = StrongId<struct PeerTag, std::uint32_t>;
/// One joined client; it outlives a transport's peer when a client resumes.
using SessionId = StrongId<struct SessionTag, std::uint32_t>;
/// An entity on the wire, held until its despawn is acknowledged.
using NetId = StrongId<struct NetIdTag, std::uint32_t>;
/// A kind of entity, by its row in the archetype table.
using ArchetypeId = StrongId<struct ArchetypeTag, std::uint16_t>;

}  // namespace muster

template <class Tag, class Representation>
struct std::hash<muster::StrongId<Tag, Representation>> {
  std::size_t operator()(muster::StrongId<Tag, Representation> id) const noexcept {
    return std::hash<Representation>{}(id.Value());
  }
};
