// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The fixed header of a canonical record (cell, offset, velocity, orientation): from columns to integers and back. For
// authors of codecs, which add a payload of their own:
//
//   serialization::QuantiseHeader(columns, slot, record);        // record: mu_canonical_record, columns: mu_codec_columns
//   if (!serialization::IsCanonicalHeader(record)) { ... }       // after decoding: bytes are hostile
//   serialization::DequantiseHeader(record, values);             // values: mu_record_values
//
// Templates, because this module knows nothing of the plugin API: any struct with fields of those names will do.
//
// Quantising rounds to the nearest step and is a projection: what is quantised, dequantised and quantised again is the
// same record. Errors: half a step of 1/64 m, of 1/16 m/s, and of the orientation at most 0.007 rad. Total: NaN is
// zero, what is out of range goes to the nearest end, an orientation without a direction is none. Pure functions. [any]
#pragma once

#include "Serialization/Quantise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace muster::serialization {

inline constexpr unsigned kRecordOffsetBits = 14;
inline constexpr int kRecordCellMeters = 256;
inline constexpr int kRecordStepsPerMeter = (1 << kRecordOffsetBits) / kRecordCellMeters;
inline constexpr int kRecordVelocitySteps = 16;
inline constexpr int kRecordMaxVelocity = 2'047 * kRecordVelocitySteps;
/// Cells are -2^30 .. 2^30 - 1.
inline constexpr std::int64_t kRecordMaxCell = std::int64_t{1} << 30;

/// A position on one axis as one number: cell * 2^14 + offset, in 1/64 m.
[[nodiscard]] constexpr std::int64_t AxisSteps(std::int32_t cell, std::uint16_t offset) noexcept {
  return (static_cast<std::int64_t>(cell) << kRecordOffsetBits) + offset;
}
[[nodiscard]] constexpr bool IsAxisInRange(std::int64_t steps) noexcept {
  return steps >= -(kRecordMaxCell << kRecordOffsetBits) && steps < (kRecordMaxCell << kRecordOffsetBits);
}
[[nodiscard]] constexpr std::int32_t CellOf(std::int64_t steps) noexcept {
  return static_cast<std::int32_t>(steps >> kRecordOffsetBits);
}
[[nodiscard]] constexpr std::uint16_t OffsetOf(std::int64_t steps) noexcept {
  return static_cast<std::uint16_t>(steps & ((1 << kRecordOffsetBits) - 1));
}

[[nodiscard]] inline std::int64_t QuantiseAxis(double meters) noexcept {
  constexpr std::int64_t limit = kRecordMaxCell << kRecordOffsetBits;
  return std::clamp(RoundToInteger(meters * kRecordStepsPerMeter), -limit, limit - 1);
}
/// Exact.
[[nodiscard]] inline double DequantiseAxis(std::int64_t steps) noexcept {
  return static_cast<double>(steps) / kRecordStepsPerMeter;
}

[[nodiscard]] inline std::int16_t QuantiseSpeed(float metersPerSecond) noexcept {
  const std::int64_t steps = RoundToInteger(static_cast<double>(metersPerSecond) * kRecordVelocitySteps);
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(steps, -kRecordMaxVelocity, kRecordMaxVelocity));
}
/// Exact.
[[nodiscard]] inline float DequantiseSpeed(std::int16_t steps) noexcept {
  return static_cast<float>(steps) / kRecordVelocitySteps;
}

/// The three parts of a PackQuaternion code that travel, each -511..511 (a forged code: ..512).
struct OrientationParts {
  std::uint32_t largest;  ///< which part is left out, 0..3
  std::int32_t part[3];
};

[[nodiscard]] constexpr OrientationParts SplitOrientation(std::uint32_t code) noexcept {
  constexpr std::uint32_t mask = (1u << detail::kQuaternionPartBits) - 1;
  OrientationParts parts{code & 3u, {}};
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint32_t bits = (code >> (2 + i * detail::kQuaternionPartBits)) & mask;
    parts.part[i] = static_cast<std::int32_t>(bits) - detail::kQuaternionPartMax;
  }
  return parts;
}

/// Parts must be -511..511.
[[nodiscard]] constexpr std::uint32_t JoinOrientation(const OrientationParts& parts) noexcept {
  std::uint32_t code = parts.largest;
  for (unsigned i = 0; i < 3; ++i) {
    code |= static_cast<std::uint32_t>(parts.part[i] + detail::kQuaternionPartMax)
            << (2 + i * detail::kQuaternionPartBits);
  }
  return code;
}

/// True when the part left out is strictly the largest. Only then does the code survive being unpacked and packed
/// again: with a tie, rounding decides which part is left out the next time.
[[nodiscard]] constexpr bool IsCanonicalOrientation(const OrientationParts& parts) noexcept {
  constexpr std::int32_t unitSquare = 2 * detail::kQuaternionPartMax * detail::kQuaternionPartMax;
  std::int32_t squares = 0;
  std::int32_t greatest = 0;
  for (const std::int32_t part : parts.part) {
    if (part > detail::kQuaternionPartMax) {
      return false;
    }
    squares += part * part;
    greatest = std::max(greatest, part * part);
  }
  return greatest < unitSquare - squares;
}

/// PackQuaternion, then the greatest of the three parts is pulled in by a step at a time until the code is canonical.
[[nodiscard]] inline std::uint32_t QuantiseOrientation(const QuaternionParts& q) noexcept {
  OrientationParts parts = SplitOrientation(PackQuaternion(q));
  while (!IsCanonicalOrientation(parts)) {
    std::int32_t* greatest = &parts.part[0];
    for (std::int32_t& part : parts.part) {
      greatest = std::abs(part) > std::abs(*greatest) ? &part : greatest;
    }
    *greatest += *greatest > 0 ? -1 : 1;
  }
  return JoinOrientation(parts);
}

/// Fills everything of `record` but the payload; `reserved` becomes zero.
template <class Columns, class Record>
void QuantiseHeader(const Columns& columns, std::size_t slot, Record& record) noexcept {
  const std::int64_t x = QuantiseAxis(columns.position_x[slot]);
  const std::int64_t y = QuantiseAxis(columns.position_y[slot]);
  const std::int64_t z = QuantiseAxis(columns.position_z[slot]);
  record.cell_x = CellOf(x);
  record.cell_y = CellOf(y);
  record.cell_z = CellOf(z);
  record.offset_x = OffsetOf(x);
  record.offset_y = OffsetOf(y);
  record.offset_z = OffsetOf(z);
  record.velocity_x = QuantiseSpeed(columns.velocity_x[slot]);
  record.velocity_y = QuantiseSpeed(columns.velocity_y[slot]);
  record.velocity_z = QuantiseSpeed(columns.velocity_z[slot]);
  record.orientation = QuantiseOrientation({columns.orientation_x[slot], columns.orientation_y[slot],
                                            columns.orientation_z[slot], columns.orientation_w[slot]});
  record.reserved = 0;
}

/// True for what QuantiseHeader can make. A decoder refuses everything else, so that no forged record gets further.
template <class Record>
[[nodiscard]] bool IsCanonicalHeader(const Record& record) noexcept {
  constexpr std::uint16_t offsets = 1u << kRecordOffsetBits;
  const auto isCell = [](std::int32_t cell) { return cell >= -kRecordMaxCell && cell < kRecordMaxCell; };
  const auto isSpeed = [](std::int16_t speed) { return speed >= -kRecordMaxVelocity && speed <= kRecordMaxVelocity; };
  return isCell(record.cell_x) && isCell(record.cell_y) && isCell(record.cell_z) && record.offset_x < offsets &&
         record.offset_y < offsets && record.offset_z < offsets && isSpeed(record.velocity_x) &&
         isSpeed(record.velocity_y) && isSpeed(record.velocity_z) &&
         IsCanonicalOrientation(SplitOrientation(record.orientation)) && record.reserved == 0;
}

/// Fills position, velocity and orientation of `values`.
template <class Record, class Values>
void DequantiseHeader(const Record& record, Values& values) noexcept {
  values.position[0] = DequantiseAxis(AxisSteps(record.cell_x, record.offset_x));
  values.position[1] = DequantiseAxis(AxisSteps(record.cell_y, record.offset_y));
  values.position[2] = DequantiseAxis(AxisSteps(record.cell_z, record.offset_z));
  values.velocity[0] = DequantiseSpeed(record.velocity_x);
  values.velocity[1] = DequantiseSpeed(record.velocity_y);
  values.velocity[2] = DequantiseSpeed(record.velocity_z);
  const QuaternionParts q = UnpackQuaternion(record.orientation);
  std::copy(q.begin(), q.end(), values.orientation);
}

}  // namespace muster::serialization
