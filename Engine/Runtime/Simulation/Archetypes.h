// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kinds of entities: what a trainer or a transport is made of.
//
//   Result<ArchetypeSet> archetypes = ArchetypeSet::LoadDirectory("Content/Archetypes");
//   const ArchetypeId trainer = *archetypes->Find("builtin:trainer");
//   const Archetype& archetype = archetypes->Get(trainer);
//
// One TOML file holds one archetype; the files in Content/Archetypes show the keys, the headers of Motion explain those of
// the models. An unknown key, a missing id, a value out of range or an unsound model is an error that names file and line. Ids are given in the order of the file names, so equal content gives equal ids.
//
// Threads: loading is [main]; a loaded set is constant and [any].
#pragma once

#include "Core/Ids.h"
#include "Core/Result.h"
#include "Motion/BallisticModel.h"
#include "Motion/FlightModel.h"
#include "Motion/GroundModel.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace muster::simulation {

inline constexpr ErrorCode kArchetypeInvalid{2040, "ArchetypeInvalid"};
inline constexpr ErrorCode kArchetypeUnknown{2041, "ArchetypeUnknown"};

enum class MotionModel : std::uint8_t {
  Stationary,  ///< stays where it was put
  FixedWing,   ///< Motion/FlightModel.h
  Ground,      ///< Motion/GroundModel.h
  Ballistic,   ///< Motion/BallisticModel.h
};

struct Archetype {
  std::string id;                ///< "builtin:trainer"
  std::string name;              ///< for people
  std::uint8_t entityClass = 0;  ///< MU_CLASS_*
  float radiusMeters = 1.0F;
  /// Damage is divided by it.
  float toughness = 1.0F;
  /// What it does to others is multiplied by it, 0..1.
  float hitDamage = 1.0F;
  MotionModel motion = MotionModel::Stationary;
  motion::FlightParams flight;        ///< of a FixedWing
  motion::GroundParams ground;        ///< of a Ground
  motion::BallisticParams ballistic;  ///< of a Ballistic
  /// How load spawns and steered agents start: in level flight, or driving. What is fired leaves at this speed.
  float cruiseSpeedMps = 0.0F;
  float cruiseThrottle = 0.0F;

  /// 0 for what nothing moves.
  [[nodiscard]] float MassKg() const;
  /// What its model allows; 0 for what nothing moves.
  [[nodiscard]] float MaxSpeedMps() const;
};

class ArchetypeSet {
 public:
  /// Every `*.toml` of a folder, by file name. Fails with kArchetypeInvalid or a file error.
  static Result<ArchetypeSet> LoadDirectory(const std::filesystem::path& directory);

  /// One archetype from text; `origin` stands in errors as the file's name. Fails with kArchetypeInvalid.
  static Result<Archetype> Parse(std::string_view toml, std::string_view origin);

  ArchetypeSet() = default;
  /// For worlds made by code. Ids are unique (asserted).
  explicit ArchetypeSet(std::vector<Archetype> archetypes);

  [[nodiscard]] const Archetype& Get(ArchetypeId id) const;
  /// Fails with kArchetypeUnknown, which lists what there is.
  [[nodiscard]] Result<ArchetypeId> Find(std::string_view id) const;
  /// In the order of their ids, which start at 1.
  [[nodiscard]] const std::vector<Archetype>& All() const { return m_archetypes; }

 private:
  std::vector<Archetype> m_archetypes;
};

}  // namespace muster::simulation
