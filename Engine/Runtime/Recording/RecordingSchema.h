// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a recording says of itself: which columns, of which type and unit, how often; and the errors of this module.
// Plain values. [any]
#pragma once

#include "Core/Error.h"
#include "Core/Ids.h"
#include "World/Columns.h"
#include "World/EntityHandle.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster::recording {

inline constexpr ErrorCode kRecordingExists{1961, "RecordingExists"};
inline constexpr ErrorCode kRecordingNotCreated{1962, "RecordingNotCreated"};
inline constexpr ErrorCode kRecordingWriteFailed{1963, "RecordingWriteFailed"};
inline constexpr ErrorCode kRecordingUnreadable{1964, "RecordingUnreadable"};
inline constexpr ErrorCode kRecordingMalformed{1965, "RecordingMalformed"};
inline constexpr ErrorCode kRecordingDamaged{1966, "RecordingDamaged"};
inline constexpr ErrorCode kRecordingVersion{1967, "RecordingVersion"};

inline constexpr std::size_t kMaxColumns = 64;
inline constexpr std::size_t kMaxNameBytes = 64;
inline constexpr std::size_t kMaxElementBytes = 64;
inline constexpr std::uint32_t kMaxSlots = 1U << 24U;
inline constexpr std::uint32_t kMaxInputs = 4'096;  ///< of one tick

/// Values are part of the file format.
enum class ElementType : std::uint8_t { U8 = 1, U16 = 2, U32 = 3, U64 = 4, F32 = 5, F64 = 6, Bytes = 7 };

/// "u8", "f64", ...
std::string_view ElementTypeName(ElementType type);
/// Zero for Bytes, whose columns say it themselves.
std::size_t ElementBytes(ElementType type);

struct ColumnDescription {
  std::string name;  ///< 1..kMaxNameBytes
  ElementType type = ElementType::F32;
  std::string unit;  ///< "m", "m/s"; empty where there is none. At most kMaxNameBytes.
  std::size_t elementBytes = 4;

  friend bool operator==(const ColumnDescription&, const ColumnDescription&) = default;
};

struct RecordingSchema {
  std::uint64_t seed = 0;          ///< of the world
  std::uint32_t slotCapacity = 1;  ///< 1..kMaxSlots
  std::uint32_t everyTicks = 1;    ///< the world stands in every tick divisible by it; inputs stand in every tick
  std::vector<ColumnDescription> columns;  ///< at most kMaxColumns
};

/// A column of a store, and what to say of it.
struct RecordedColumn {
  ColumnDescription description;
  world::ColumnIndex index = 0;
};

/// What one player commanded in one tick, as it was applied.
struct InputRow {
  SessionId session{};
  world::EntityHandle entity{};  ///< null: nothing to steer at the time
  float throttle = 0.0F;
  float elevator = 0.0F;
  float aileron = 0.0F;
  float rudder = 0.0F;
  std::uint32_t buttons = 0;
};

}  // namespace muster::recording
