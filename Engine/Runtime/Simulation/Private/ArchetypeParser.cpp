// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/Archetypes.h"

#include "PluginApi/AiController.h"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace muster::simulation {
namespace {

using motion::BallisticParams;
using motion::FlightParams;
using motion::GroundParams;

/// A number of the file and where it goes. Ranges of flight parameters are judged together by motion::FindProblem.
template <class Target>
struct NumberKey {
  std::string_view key;
  float Target::*field;
  float least;
  float most;
};

constexpr float kAnyFloat = 1e9F;

constexpr std::array kFlightKeys{
    NumberKey<FlightParams>{"mass_kg", &FlightParams::massKg, 1.0F, 1e6F},
    NumberKey<FlightParams>{"wing_area_m2", &FlightParams::wingAreaM2, 0.1F, 2'000.0F},
    NumberKey<FlightParams>{"span_m", &FlightParams::spanM, 0.1F, 200.0F},
    NumberKey<FlightParams>{"chord_m", &FlightParams::chordM, 0.1F, 50.0F},
    NumberKey<FlightParams>{"pitch_inertia_kgm2", &FlightParams::pitchInertia, 1.0F, kAnyFloat},
    NumberKey<FlightParams>{"yaw_inertia_kgm2", &FlightParams::yawInertia, 1.0F, kAnyFloat},
    NumberKey<FlightParams>{"roll_inertia_kgm2", &FlightParams::rollInertia, 1.0F, kAnyFloat},
    NumberKey<FlightParams>{"lift_at_zero_angle", &FlightParams::liftAtZeroAngle, -2.0F, 2.0F},
    NumberKey<FlightParams>{"lift_slope", &FlightParams::liftSlope, 0.0F, 10.0F},
    NumberKey<FlightParams>{"stall_angle_rad", &FlightParams::stallAngle, 0.05F, 0.7F},
    NumberKey<FlightParams>{"max_load_factor_g", &FlightParams::maxLoadFactor, 1.0F, 20.0F},
    NumberKey<FlightParams>{"zero_lift_drag", &FlightParams::zeroLiftDrag, 1e-4F, 5.0F},
    NumberKey<FlightParams>{"induced_drag", &FlightParams::inducedDrag, 0.0F, 2.0F},
    NumberKey<FlightParams>{"side_force_slope", &FlightParams::sideForceSlope, 0.0F, 10.0F},
    NumberKey<FlightParams>{"side_drag", &FlightParams::sideDrag, 0.0F, 5.0F},
    NumberKey<FlightParams>{"thrust_n", &FlightParams::thrustN, 0.0F, 1e8F},
    NumberKey<FlightParams>{"afterburner_factor", &FlightParams::afterburnerFactor, 1.0F, 3.0F},
    NumberKey<FlightParams>{"elevator_authority", &FlightParams::elevatorAuthority, 0.0F, 5.0F},
    NumberKey<FlightParams>{"aileron_authority", &FlightParams::aileronAuthority, 0.0F, 5.0F},
    NumberKey<FlightParams>{"rudder_authority", &FlightParams::rudderAuthority, 0.0F, 5.0F},
    NumberKey<FlightParams>{"control_pressure_pa", &FlightParams::controlPressurePa, 1.0F, 1e6F},
    NumberKey<FlightParams>{"pitch_stiffness", &FlightParams::pitchStiffness, 0.0F, 10.0F},
    NumberKey<FlightParams>{"yaw_stiffness", &FlightParams::yawStiffness, 0.0F, 10.0F},
    NumberKey<FlightParams>{"dihedral", &FlightParams::dihedral, 0.0F, 5.0F},
    NumberKey<FlightParams>{"pitch_damping", &FlightParams::pitchDamping, 0.0F, 200.0F},
    NumberKey<FlightParams>{"yaw_damping", &FlightParams::yawDamping, 0.0F, 50.0F},
    NumberKey<FlightParams>{"roll_damping", &FlightParams::rollDamping, 0.0F, 50.0F},
    NumberKey<FlightParams>{"max_speed_mps", &FlightParams::maxSpeedMps, 1.0F, 1'000.0F},
    NumberKey<FlightParams>{"max_angular_rate_rps", &FlightParams::maxAngularRate, 0.1F, 6.0F},
    NumberKey<FlightParams>{"gear_height_m", &FlightParams::gearHeightM, 0.0F, 20.0F},
    NumberKey<FlightParams>{"rolling_friction", &FlightParams::rollingFriction, 0.0F, 2.0F},
    NumberKey<FlightParams>{"brake_friction", &FlightParams::brakeFriction, 0.0F, 2.0F},
    NumberKey<FlightParams>{"side_friction", &FlightParams::sideFriction, 0.0F, 2.0F},
    NumberKey<FlightParams>{"steering_rate_rps", &FlightParams::steeringRate, 0.0F, 3.0F},
    NumberKey<FlightParams>{"safe_sink_mps", &FlightParams::safeSinkMps, 0.0F, 100.0F},
    NumberKey<FlightParams>{"fatal_sink_mps", &FlightParams::fatalSinkMps, 0.0F, 200.0F},
};

constexpr std::array kGroundKeys{
    NumberKey<GroundParams>{"mass_kg", &GroundParams::massKg, 1.0F, 1e6F},
    NumberKey<GroundParams>{"wheelbase_m", &GroundParams::wheelbaseM, 0.2F, 30.0F},
    NumberKey<GroundParams>{"front_share", &GroundParams::frontShare, 0.2F, 0.8F},
    NumberKey<GroundParams>{"yaw_inertia_kgm2", &GroundParams::yawInertia, 1.0F, 1e8F},
    NumberKey<GroundParams>{"max_steering_rad", &GroundParams::maxSteeringRad, 0.0F, 1.2F},
    NumberKey<GroundParams>{"grip", &GroundParams::grip, 0.05F, 3.0F},
    NumberKey<GroundParams>{"drive_force_n", &GroundParams::driveForceN, 0.0F, 1e8F},
    NumberKey<GroundParams>{"power_w", &GroundParams::powerW, 0.0F, kAnyFloat},
    NumberKey<GroundParams>{"brake_friction", &GroundParams::brakeFriction, 0.0F, 3.0F},
    NumberKey<GroundParams>{"rolling_friction", &GroundParams::rollingFriction, 0.0F, 1.0F},
    NumberKey<GroundParams>{"drag_area_m2", &GroundParams::dragAreaM2, 0.0F, 1'000.0F},
    NumberKey<GroundParams>{"max_speed_mps", &GroundParams::maxSpeedMps, 0.1F, 150.0F},
    NumberKey<GroundParams>{"max_reverse_mps", &GroundParams::maxReverseMps, 0.0F, 150.0F},
};

constexpr std::array kBallisticKeys{
    NumberKey<BallisticParams>{"mass_kg", &BallisticParams::massKg, 0.001F, 1e6F},
    NumberKey<BallisticParams>{"drag_per_meter", &BallisticParams::dragPerMeter, 0.0F, 1.0F},
    NumberKey<BallisticParams>{"max_speed_mps", &BallisticParams::maxSpeedMps, 1.0F, 2'000.0F},
};

constexpr std::array<NumberKey<Archetype>, 0> kNoKeys{};

constexpr std::array kBodyKeys{
    NumberKey<Archetype>{"radius_m", &Archetype::radiusMeters, 0.05F, 200.0F},
    NumberKey<Archetype>{"toughness", &Archetype::toughness, 0.01F, 1'000.0F},
    NumberKey<Archetype>{"hit_damage", &Archetype::hitDamage, 0.0F, 1.0F},
};

constexpr std::array kSpawnKeys{
    NumberKey<Archetype>{"cruise_speed_mps", &Archetype::cruiseSpeedMps, 0.0F, 1'000.0F},
    NumberKey<Archetype>{"cruise_throttle", &Archetype::cruiseThrottle, 0.0F, 1.0F},
};

constexpr std::array<std::pair<std::string_view, std::uint8_t>, 4> kClasses{{{"aircraft", MU_CLASS_AIRCRAFT},
                                                                             {"ground", MU_CLASS_GROUND},
                                                                             {"projectile", MU_CLASS_PROJECTILE},
                                                                             {"piece", MU_CLASS_PIECE}}};

/// Reads one file. The first problem ends it.
class Parser {
 public:
  explicit Parser(std::string_view origin) : m_origin{origin} {}

  Result<Archetype> Run(std::string_view text) {
    toml::table root;
    try {
      root = toml::parse(text);
    } catch (const toml::parse_error& problem) {
      return Fail(problem.source().begin.line, fmt::format("it is no valid TOML: {}", problem.description()));
    }
    ReadRoot(root);
    if (!m_problem) {
      Judge(root);
    }
    if (m_problem) {
      return *std::move(m_problem);
    }
    return std::move(m_archetype);
  }

 private:
  Error Fail(unsigned line, const std::string& cause) const {
    return Error{kArchetypeInvalid, fmt::format("{}:{}: the archetype was not loaded.", m_origin, line),
                 fmt::format("In line {} {}.", line, cause), "Correct the file; Content/Archetypes has examples."};
  }
  void Refuse(const toml::node& node, const std::string& cause) {
    if (!m_problem) {
      m_problem = Fail(node.source().begin.line, cause);
    }
  }
  void RefuseKey(const toml::key& key, std::string_view known) {
    if (!m_problem) {
      m_problem =
          Fail(key.source().begin.line, fmt::format("'{}' is no key of this table; known are {}", key.str(), known));
    }
  }

  void ReadRoot(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string_view name = key.str();
      if (name == "id") {
        ReadText(node, m_archetype.id);
      } else if (name == "name") {
        ReadText(node, m_archetype.name);
      } else if (name == "class") {
        ReadClass(node);
      } else if (name == "spawn" && node.is_table()) {
        ReadTable(*node.as_table(), kSpawnKeys, m_archetype, "");
      } else if (name == "motion" && node.is_table()) {
        ReadMotion(*node.as_table());
      } else if (!ReadNumber(name, node, kBodyKeys, m_archetype)) {
        RefuseKey(key, "id, name, class, radius_m, toughness, hit_damage, [spawn], [motion]");
      }
    }
  }

  void ReadText(const toml::node& node, std::string& out) {
    const std::optional<std::string> text = node.value_exact<std::string>();
    if (!text || text->empty() || text->size() > 64) {
      Refuse(node, "a text of 1 to 64 bytes is needed");
      return;
    }
    out = *text;
  }

  void ReadClass(const toml::node& node) {
    const std::string text = node.value_or(std::string{});
    for (const auto& [name, value] : kClasses) {
      if (text == name) {
        m_archetype.entityClass = value;
        return;
      }
    }
    Refuse(node, "the class must be aircraft, ground, projectile or piece");
  }

  void ReadMotion(const toml::table& table) {
    const std::string model = table["model"].value_or(std::string{});
    if (model == "fixed_wing") {
      m_archetype.motion = MotionModel::FixedWing;
      ReadTable(table, kFlightKeys, m_archetype.flight, "model");
    } else if (model == "ground") {
      m_archetype.motion = MotionModel::Ground;
      ReadTable(table, kGroundKeys, m_archetype.ground, "model");
    } else if (model == "ballistic") {
      m_archetype.motion = MotionModel::Ballistic;
      ReadTable(table, kBallisticKeys, m_archetype.ballistic, "model");
    } else if (model == "stationary") {
      m_archetype.motion = MotionModel::Stationary;
      ReadTable(table, kNoKeys, m_archetype, "model");
    } else {
      Refuse(table, "the table needs a model: fixed_wing, ground, ballistic or stationary");
    }
  }

  template <class Keys, class Target>
  void ReadTable(const toml::table& table, const Keys& keys, Target& target, std::string_view readElsewhere) {
    for (const auto& [key, node] : table) {
      if (key.str() != readElsewhere && !ReadNumber(key.str(), node, keys, target)) {
        std::string known{readElsewhere};
        for (const auto& entry : keys) {
          known += (known.empty() ? "" : ", ") + std::string{entry.key};
        }
        RefuseKey(key, known);
      }
    }
  }

  /// False when there is no such key.
  template <class Keys, class Target>
  bool ReadNumber(std::string_view name, const toml::node& node, const Keys& keys, Target& target) {
    for (const auto& entry : keys) {
      if (entry.key != name) {
        continue;
      }
      const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
      if (!value || !(*value >= static_cast<double>(entry.least) && *value <= static_cast<double>(entry.most))) {
        Refuse(node, fmt::format("'{}' must be a number from {} to {}", name, entry.least, entry.most));
      } else {
        target.*entry.field = static_cast<float>(*value);
      }
      return true;
    }
    return false;
  }

  void Judge(const toml::table& root) {
    if (m_archetype.id.empty()) {
      Refuse(root, "or elsewhere an id is missing, such as id = \"builtin:trainer\"");
      return;
    }
    if (m_archetype.entityClass == 0) {
      Refuse(root, "or elsewhere a class is missing");
      return;
    }
    const toml::node* motionTable = root.get("motion");
    if (motionTable == nullptr) {
      Refuse(root, "or elsewhere the table [motion] is missing");
    } else if (const char* problem = FindModelProblem()) {
      Refuse(*motionTable, fmt::format("the motion model is unsound: {}", problem));
    } else if (m_archetype.motion != MotionModel::Stationary &&
               m_archetype.cruiseSpeedMps > m_archetype.MaxSpeedMps()) {
      Refuse(*motionTable, "the greatest speed is lower than the cruise speed");
    }
    if (m_archetype.name.empty()) {
      m_archetype.name = m_archetype.id;
    }
  }

  [[nodiscard]] const char* FindModelProblem() const {
    switch (m_archetype.motion) {
      case MotionModel::FixedWing:
        return motion::FindProblem(m_archetype.flight);
      case MotionModel::Ground:
        return motion::FindProblem(m_archetype.ground);
      case MotionModel::Ballistic:
        return motion::FindProblem(m_archetype.ballistic);
      case MotionModel::Stationary:
        break;
    }
    return nullptr;
  }

  std::string_view m_origin;
  Archetype m_archetype;
  std::optional<Error> m_problem;
};

}  // namespace

Result<Archetype> ArchetypeSet::Parse(std::string_view toml, std::string_view origin) {
  return Parser{origin}.Run(toml);
}

}  // namespace muster::simulation
