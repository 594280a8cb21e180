// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "RecordedColumns.h"

#include "Core/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace muster::server {

namespace {

template <class T>
constexpr recording::ElementType TypeOf() {
  using recording::ElementType;
  if constexpr (std::is_same_v<T, double>) {
    return ElementType::F64;
  } else if constexpr (std::is_same_v<T, float>) {
    return ElementType::F32;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return ElementType::U64;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return ElementType::U32;
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    return ElementType::U16;
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return ElementType::U8;
  } else {
    return ElementType::Bytes;
  }
}

}  // namespace

std::vector<recording::RecordedColumn> AllRecordedColumns(const simulation::EntityColumns& columns) {
  std::vector<recording::RecordedColumn> all;
  const auto add = [&all]<class T>(const char* name, const char* unit, world::ColumnId<T> id) {
    all.push_back({{name, TypeOf<T>(), unit, sizeof(T)}, id.index});
  };
  add("position_x", "m", columns.positionX);
  add("position_y", "m", columns.positionY);
  add("position_z", "m", columns.positionZ);
  add("velocity_x", "m/s", columns.velocityX);
  add("velocity_y", "m/s", columns.velocityY);
  add("velocity_z", "m/s", columns.velocityZ);
  add("orientation_x", "", columns.orientationX);
  add("orientation_y", "", columns.orientationY);
  add("orientation_z", "", columns.orientationZ);
  add("orientation_w", "", columns.orientationW);
  add("angular_x", "rad/s", columns.angularX);
  add("angular_y", "rad/s", columns.angularY);
  add("angular_z", "rad/s", columns.angularZ);
  add("health", "", columns.health);
  add("status", "", columns.status);
  add("archetype", "", columns.archetype);
  add("entity_class", "", columns.entityClass);
  add("radius", "m", columns.radius);
  add("home_x", "m", columns.homeX);
  add("home_y", "m", columns.homeY);
  add("home_z", "m", columns.homeZ);
  add("controller", "", columns.controller);
  add("owner", "session", columns.owner);
  add("expires_at", "tick", columns.expiresAt);
  add("control", "mu_control", columns.control);
  return all;
}

Result<std::vector<recording::RecordedColumn>> ChooseRecordedColumns(const simulation::EntityColumns& columns,
                                                                     const std::vector<std::string>& names) {
  std::vector<recording::RecordedColumn> all = AllRecordedColumns(columns);
  if (names.empty()) {
    return all;
  }
  std::vector<recording::RecordedColumn> chosen;
  for (const std::string& name : names) {
    const auto isNamed = [&name](const recording::RecordedColumn& column) { return column.description.name == name; };
    const auto found = std::find_if(all.begin(), all.end(), isNamed);
    const bool isTwice = std::any_of(chosen.begin(), chosen.end(), isNamed);
    if (found == all.end() || isTwice) {
      std::string known;
      for (const recording::RecordedColumn& column : all) {
        known += (known.empty() ? "" : ", ") + column.description.name;
      }
      return Error{kRecordingColumnUnknown, "Nothing is recorded.",
                   isTwice ? fmt::format("recording.columns names \"{}\" twice.", EscapeControl(name))
                           : fmt::format("The world has no column \"{}\".", EscapeControl(name)),
                   fmt::format("Choose each once among {}, or none for all.", known)};
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace muster::server
