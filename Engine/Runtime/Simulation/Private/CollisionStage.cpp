// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/CollisionStage.h"

#include "Jobs/WorkerPool.h"

#include <algorithm>

namespace muster::simulation {
namespace {

constexpr std::size_t kPairsPerChunk = 256;
/// Measured: gathering two craft and sweeping them.
constexpr std::chrono::nanoseconds kSweepCost{40};
constexpr float kRestitution = 0.2F;
/// Overlapping craft part no faster than this, so that nobody is thrown into the air for having been spawned badly.
constexpr float kSeparationMps = 3.0F;

float InverseMass(const Archetype& archetype) {
  const float mass = archetype.MassKg();
  return mass > 0.0F ? 1.0F / mass : 0.0F;
}

bool IsProjectile(const Archetype& archetype) {
  return archetype.motion == MotionModel::Ballistic;
}

/// The columns that a contact changes.
class Bodies {
 public:
  explicit Bodies(Simulation& simulation)
      : m_store{simulation.Store()}, m_columns{simulation.Columns()}, m_archetypes{simulation.Archetypes()} {}

  [[nodiscard]] motion::MovingSphere SphereOf(std::uint32_t slot) const {
    return {PositionAt(m_store, m_columns, slot), VelocityAt(m_store, m_columns, slot),
            m_store.Column(m_columns.radius)[slot]};
  }
  [[nodiscard]] const Archetype& ArchetypeOf(std::uint32_t slot) const {
    return m_archetypes.Get(ArchetypeId{m_store.Column(m_columns.archetype)[slot]});
  }
  [[nodiscard]] float& Health(std::uint32_t slot) { return m_store.Column(m_columns.health)[slot]; }

  /// What stands on wheels is pushed along the ground and never off it.
  void Move(std::uint32_t slot, const Vec3f& offset) {
    m_store.Column(m_columns.positionX)[slot] += static_cast<double>(offset.x);
    if (!IsGroundBound(slot)) {
      m_store.Column(m_columns.positionY)[slot] += static_cast<double>(offset.y);
    }
    m_store.Column(m_columns.positionZ)[slot] += static_cast<double>(offset.z);
  }
  void Push(std::uint32_t slot, const Vec3f& change) {
    m_store.Column(m_columns.velocityX)[slot] += change.x;
    if (!IsGroundBound(slot)) {
      m_store.Column(m_columns.velocityY)[slot] += change.y;
    }
    m_store.Column(m_columns.velocityZ)[slot] += change.z;
  }

 private:
  [[nodiscard]] bool IsGroundBound(std::uint32_t slot) const { return ArchetypeOf(slot).motion == MotionModel::Ground; }

  world::EntityStore& m_store;
  const EntityColumns& m_columns;
  const ArchetypeSet& m_archetypes;
};

void Damage(Bodies& bodies, std::uint32_t slot, float damage) {
  float& health = bodies.Health(slot);
  health = std::max(0.0F, health - damage / bodies.ArchetypeOf(slot).toughness);
}

}  // namespace

CollisionStage::CollisionStage(Simulation& simulation, SpatialService& spatial, const motion::ImpactLimits& limits)
    : m_simulation{simulation}, m_spatial{spatial}, m_limits{limits} {}

void CollisionStage::Run(TickContext& context) {
  const std::span<const mu_slot_pair> pairs = m_spatial.CandidatePairs();
  const Bodies bodies{m_simulation};
  m_hits.Begin(jobs::ChunkCount(pairs.size(), kPairsPerChunk));
  const jobs::WorkEstimate estimate{kSweepCost * static_cast<std::int64_t>(pairs.size())};
  context.workers.ParallelFor(
      pairs.size(), kPairsPerChunk, estimate, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const mu_slot_pair pair = pairs[i];
          if (IsProjectile(bodies.ArchetypeOf(pair.a)) && IsProjectile(bodies.ArchetypeOf(pair.b))) {
            continue;
          }
          const auto contact =
              motion::SweepSpheres(bodies.SphereOf(pair.a), bodies.SphereOf(pair.b), context.stepSeconds);
          if (contact) {
            m_hits.Record(chunk, Hit{pair.a, pair.b, *contact});
          }
        }
      });
  m_hits.ForEach([&](const Hit& hit) { Commit(hit, context.stepSeconds); });
}

void CollisionStage::Commit(const Hit& hit, float stepSeconds) {
  Bodies bodies{m_simulation};
  const float inverseA = InverseMass(bodies.ArchetypeOf(hit.a));
  const float inverseB = InverseMass(bodies.ArchetypeOf(hit.b));
  const float inverseBoth = inverseA + inverseB;
  if (inverseBoth <= 0.0F || bodies.Health(hit.a) <= 0.0F || bodies.Health(hit.b) <= 0.0F) {
    return;
  }
  ++m_contacts;
  const motion::Contact& contact = hit.contact;
  if (contact.closingSpeedMps > 0.0F) {
    const float damage = motion::ImpactDamage(contact.relativeSpeedMps, m_limits);
    if (damage > 0.0F) {
      ++m_damagingContacts;
      Damage(bodies, hit.a, damage * bodies.ArchetypeOf(hit.b).hitDamage);
      Damage(bodies, hit.b, damage * bodies.ArchetypeOf(hit.a).hitDamage);
    }
    const Vec3f impulse = contact.normal * ((1.0F + kRestitution) * contact.closingSpeedMps / inverseBoth);
    bodies.Push(hit.a, -impulse * inverseA);
    bodies.Push(hit.b, impulse * inverseB);
  }
  // A projectile is spent by what it touches, and shoves nobody around afterwards.
  for (const std::uint32_t slot : {hit.a, hit.b}) {
    if (IsProjectile(bodies.ArchetypeOf(slot))) {
      bodies.Health(slot) = 0.0F;
      return;
    }
  }
  const float apart = std::min(contact.overlapMeters, kSeparationMps * stepSeconds);
  bodies.Move(hit.a, -contact.normal * (apart * inverseA / inverseBoth));
  bodies.Move(hit.b, contact.normal * (apart * inverseB / inverseBoth));
}

}  // namespace muster::simulation
