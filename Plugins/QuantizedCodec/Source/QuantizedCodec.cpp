// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "QuantizedCodec.h"

#include "Serialization/BitReader.h"
#include "Serialization/BitWriter.h"
#include "Serialization/RecordHeader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace muster::codecs {
namespace {

using serialization::BitReader;
using serialization::BitWriter;
using serialization::OrientationParts;

using Axes = std::array<std::int64_t, 3>;
using Residual = std::array<std::int32_t, 3>;

static_assert(serialization::kRecordOffsetBits == MU_RECORD_OFFSET_BITS &&
              serialization::kRecordCellMeters == MU_RECORD_CELL_METERS &&
              serialization::kRecordVelocitySteps == MU_RECORD_VELOCITY_STEPS_PER_MPS);

constexpr std::size_t kHealth = 0;
constexpr std::size_t kThrottle = 1;
constexpr std::size_t kStatus = 2;
constexpr unsigned kMaxHealth = 255;
constexpr unsigned kMaxThrottle = 127;
constexpr unsigned kThrottleBits = 7;
constexpr unsigned kStatusOrder = 2;
constexpr std::uint32_t kMaxStatus = (1U << MU_STATUS_BITS) - 1;

constexpr unsigned kFlatCellOrder = 6;
constexpr unsigned kHeightCellOrder = 2;
constexpr std::array<unsigned, 4> kSpeedWidths{0, 9, 13, 16};

/// Orders of the classes 1, 2, 3 of a residual vector; class 0 is three zeros.
using Orders = std::array<unsigned, 3>;
constexpr Orders kVelocityOrders{2, 5, 8};
constexpr Orders kPositionOrders{0, 3, 7};
constexpr std::array<unsigned, 2> kOrientationOrders{2, 5};
constexpr std::uint32_t kOrientationAnew = 3;

/// A residual vector beyond this makes the body absolute.
constexpr std::int64_t kMaxPositionResidual = (std::int64_t{1} << 19) - 1;
constexpr std::uint32_t kMaxPositionCode = (1U << 20) - 1;
constexpr std::uint32_t kMaxVelocityCode = (1U << 18) - 1;
constexpr std::uint32_t kMaxOrientationCode = (1U << 11) - 1;

Axes PositionSteps(const mu_canonical_record& record) {
  return {serialization::AxisSteps(record.cell_x, record.offset_x),
          serialization::AxisSteps(record.cell_y, record.offset_y),
          serialization::AxisSteps(record.cell_z, record.offset_z)};
}

Residual Velocity(const mu_canonical_record& record) {
  return {record.velocity_x, record.velocity_y, record.velocity_z};
}

/// Where an axis is `age` ticks after the anchor, when its velocity went evenly from the anchor's to the record's and
/// positions were stepped with each tick's new velocity: the mean velocity over `age` ticks and half a tick of the
/// difference. 1/16 m/s for a tick of 1/60 s is 1/15 of a step of 1/64 m, and halving makes 30.
std::int64_t PredictAxis(std::int64_t anchorSteps, std::int64_t anchorSpeed, std::int64_t speed, std::int64_t age) {
  const std::int64_t thirtieths = (anchorSpeed + speed) * age + (speed - anchorSpeed) + 15;
  const std::int64_t steps = thirtieths >= 0 ? thirtieths / 30 : -((-thirtieths + 29) / 30);
  return anchorSteps + steps;
}

std::uint8_t QuantiseUnit(float value, unsigned maxCode) {
  const std::int64_t code = serialization::RoundToInteger(static_cast<double>(value) * maxCode);
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(code, 0, maxCode));
}

void WriteSpeed(BitWriter& writer, std::int32_t speed) {
  std::uint32_t widthClass = 0;
  while (widthClass < 3 && (speed < -(1 << kSpeedWidths[widthClass] >> 1) ||
                            speed > (1 << kSpeedWidths[widthClass] >> 1) - (widthClass == 0 ? 0 : 1))) {
    ++widthClass;
  }
  writer.WriteBits(widthClass, 2);
  writer.WriteBits(static_cast<std::uint32_t>(speed), kSpeedWidths[widthClass]);
}

std::int32_t ReadSpeed(BitReader& reader) {
  const unsigned width = kSpeedWidths[reader.ReadBits(2)];
  if (width == 0) {
    return 0;
  }
  const auto bits = static_cast<std::int32_t>(reader.ReadBits(width));
  const std::int32_t sign = 1 << (width - 1);
  return (bits ^ sign) - sign;
}

void WritePayload(BitWriter& writer, const std::uint8_t* payload) {
  writer.WriteBool(payload[kHealth] == kMaxHealth);
  if (payload[kHealth] != kMaxHealth) {
    writer.WriteBits(payload[kHealth], 8);
  }
  writer.WriteBits(payload[kThrottle], kThrottleBits);
  serialization::WriteExpGolomb(writer, payload[kStatus], kStatusOrder);
}

void ReadPayload(BitReader& reader, std::uint8_t* payload) {
  payload[kHealth] = static_cast<std::uint8_t>(reader.ReadBool() ? kMaxHealth : reader.ReadBits(8));
  payload[kThrottle] = static_cast<std::uint8_t>(reader.ReadBits(kThrottleBits));
  payload[kStatus] = static_cast<std::uint8_t>(serialization::ReadExpGolomb(reader, kStatusOrder, kMaxStatus));
}

/// Two words: a call of memcmp for 16 bytes showed in the profile.
bool IsSamePayload(const mu_canonical_record& left, const mu_canonical_record& right) {
  std::array<std::uint64_t, 2> a{};
  std::array<std::uint64_t, 2> b{};
  static_assert(sizeof a == sizeof left.payload);
  std::memcpy(a.data(), left.payload, sizeof a);
  std::memcpy(b.data(), right.payload, sizeof b);
  return a[0] == b[0] && a[1] == b[1];
}

void WriteAbsolute(BitWriter& writer, const mu_canonical_record& record) {
  serialization::WriteSignedExpGolomb(writer, record.cell_x, kFlatCellOrder);
  serialization::WriteSignedExpGolomb(writer, record.cell_y, kHeightCellOrder);
  serialization::WriteSignedExpGolomb(writer, record.cell_z, kFlatCellOrder);
  for (const std::uint16_t offset : {record.offset_x, record.offset_y, record.offset_z}) {
    writer.WriteBits(offset, MU_RECORD_OFFSET_BITS);
  }
  for (const std::int32_t speed : Velocity(record)) {
    WriteSpeed(writer, speed);
  }
  writer.WriteBits(record.orientation, 32);
  WritePayload(writer, record.payload);
}

void ReadAbsolute(BitReader& reader, mu_canonical_record& record) {
  record.cell_x = serialization::ReadSignedExpGolomb(reader, kFlatCellOrder);
  record.cell_y = serialization::ReadSignedExpGolomb(reader, kHeightCellOrder);
  record.cell_z = serialization::ReadSignedExpGolomb(reader, kFlatCellOrder);
  for (std::uint16_t* offset : {&record.offset_x, &record.offset_y, &record.offset_z}) {
    *offset = static_cast<std::uint16_t>(reader.ReadBits(MU_RECORD_OFFSET_BITS));
  }
  for (std::int16_t* speed : {&record.velocity_x, &record.velocity_y, &record.velocity_z}) {
    *speed = static_cast<std::int16_t>(ReadSpeed(reader));
  }
  record.orientation = static_cast<std::uint32_t>(reader.ReadBits(32));
  ReadPayload(reader, record.payload);
}

unsigned ResidualBits(const Residual& residual, unsigned order) {
  unsigned bits = 0;
  for (const std::int32_t axis : residual) {
    bits += serialization::ExpGolombBits(serialization::ZigZag(axis), order);
  }
  return bits;
}

void WriteResidual(BitWriter& writer, const Residual& residual, const Orders& orders) {
  if (residual == Residual{}) {
    writer.WriteBits(0, 2);
    return;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < orders.size(); ++i) {
    best = ResidualBits(residual, orders[i]) < ResidualBits(residual, orders[best]) ? i : best;
  }
  writer.WriteBits(best + 1, 2);
  for (const std::int32_t axis : residual) {
    serialization::WriteSignedExpGolomb(writer, axis, orders[best]);
  }
}

Residual ReadResidual(BitReader& reader, const Orders& orders, std::uint32_t maxCode) {
  Residual residual{};
  const std::uint64_t residualClass = reader.ReadBits(2);
  if (residualClass != 0) {
    for (std::int32_t& axis : residual) {
      axis = serialization::UnZigZag(serialization::ReadExpGolomb(reader, orders[residualClass - 1], maxCode));
    }
  }
  return residual;
}

void WriteOrientation(BitWriter& writer, std::uint32_t orientation, std::uint32_t anchorOrientation) {
  if (orientation == anchorOrientation) {
    writer.WriteBits(0, 2);
    return;
  }
  const OrientationParts parts = serialization::SplitOrientation(orientation);
  const OrientationParts anchor = serialization::SplitOrientation(anchorOrientation);
  const Residual turn{parts.part[0] - anchor.part[0], parts.part[1] - anchor.part[1], parts.part[2] - anchor.part[2]};
  const std::size_t best =
      ResidualBits(turn, kOrientationOrders[1]) < ResidualBits(turn, kOrientationOrders[0]) ? 1 : 0;
  if (parts.largest != anchor.largest || ResidualBits(turn, kOrientationOrders[best]) >= 32) {
    writer.WriteBits(kOrientationAnew, 2);
    writer.WriteBits(orientation, 32);
    return;
  }
  writer.WriteBits(best + 1, 2);
  for (const std::int32_t part : turn) {
    serialization::WriteSignedExpGolomb(writer, part, kOrientationOrders[best]);
  }
}

/// False when the turn leads out of the range of a part, which depends on the anchor and not on the bits.
bool ReadOrientation(BitReader& reader, std::uint32_t anchorOrientation, std::uint32_t& orientation) {
  const std::uint64_t kind = reader.ReadBits(2);
  orientation = anchorOrientation;
  if (kind == 0) {
    return true;
  }
  if (kind == kOrientationAnew) {
    orientation = static_cast<std::uint32_t>(reader.ReadBits(32));
    return true;
  }
  OrientationParts parts = serialization::SplitOrientation(anchorOrientation);
  bool isInRange = true;
  for (std::int32_t& part : parts.part) {
    part += serialization::UnZigZag(
        serialization::ReadExpGolomb(reader, kOrientationOrders[kind - 1], kMaxOrientationCode));
    isInRange = isInRange && part >= -serialization::detail::kQuaternionPartMax &&
                part <= serialization::detail::kQuaternionPartMax;
  }
  if (isInRange) {
    orientation = serialization::JoinOrientation(parts);
  }
  return isInRange;
}

void WriteAnchored(BitWriter& writer, const mu_canonical_record& record, const mu_canonical_record& anchor,
                   std::uint32_t age) {
  const Axes position = PositionSteps(record);
  const Axes anchorPosition = PositionSteps(anchor);
  const Residual velocity = Velocity(record);
  const Residual anchorVelocity = Velocity(anchor);
  Residual drift{};
  Residual change{};
  bool isNear = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t off = position[i] - PredictAxis(anchorPosition[i], anchorVelocity[i], velocity[i], age);
    isNear = isNear && std::abs(off) <= kMaxPositionResidual;
    drift[i] = isNear ? static_cast<std::int32_t>(off) : 0;
    change[i] = velocity[i] - anchorVelocity[i];
  }
  writer.WriteBool(!isNear);
  if (!isNear) {
    WriteAbsolute(writer, record);
    return;
  }
  WriteResidual(writer, change, kVelocityOrders);
  WriteResidual(writer, drift, kPositionOrders);
  WriteOrientation(writer, record.orientation, anchor.orientation);
  const bool isSame = IsSamePayload(record, anchor);
  writer.WriteBool(isSame);
  if (!isSame) {
    WritePayload(writer, record.payload);
  }
}

/// False when the values lead out of range from this anchor. How many bits are read depends on the bits alone.
bool ReadAnchored(BitReader& reader, const mu_canonical_record& anchor, std::uint32_t age, mu_canonical_record& out) {
  if (reader.ReadBool()) {
    ReadAbsolute(reader, out);
    return true;
  }
  const Residual change = ReadResidual(reader, kVelocityOrders, kMaxVelocityCode);
  const Residual drift = ReadResidual(reader, kPositionOrders, kMaxPositionCode);
  const Axes anchorPosition = PositionSteps(anchor);
  const Residual anchorVelocity = Velocity(anchor);
  const std::array<std::int32_t*, 3> cells{&out.cell_x, &out.cell_y, &out.cell_z};
  const std::array<std::uint16_t*, 3> offsets{&out.offset_x, &out.offset_y, &out.offset_z};
  const std::array<std::int16_t*, 3> speeds{&out.velocity_x, &out.velocity_y, &out.velocity_z};
  bool isInRange = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t speed = std::int64_t{anchorVelocity[i]} + change[i];
    const std::int64_t steps = PredictAxis(anchorPosition[i], anchorVelocity[i], speed, age) + drift[i];
    isInRange =
        isInRange && std::abs(speed) <= serialization::kRecordMaxVelocity && serialization::IsAxisInRange(steps);
    *cells[i] = isInRange ? serialization::CellOf(steps) : 0;
    *offsets[i] = isInRange ? serialization::OffsetOf(steps) : std::uint16_t{0};
    *speeds[i] = isInRange ? static_cast<std::int16_t>(speed) : std::int16_t{0};
  }
  isInRange = ReadOrientation(reader, anchor.orientation, out.orientation) && isInRange;
  if (reader.ReadBool()) {
    std::copy(std::begin(anchor.payload), std::end(anchor.payload), std::begin(out.payload));
  } else {
    ReadPayload(reader, out.payload);
  }
  return isInRange;
}

}  // namespace

void QuantizedCodec::Info(mu_codec_info& out) {
  out = {plugin::ToText("muster.codec.quantized"), kWireVersion, kMaxBits};
}

void QuantizedCodec::Quantise(const mu_codec_columns& columns, std::span<const std::uint32_t> slots,
                              mu_canonical_record* records) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::uint32_t slot = slots[i];
    mu_canonical_record& record = records[i];
    serialization::QuantiseHeader(columns, slot, record);
    std::fill(std::begin(record.payload), std::end(record.payload), std::uint8_t{0});
    record.payload[kHealth] = QuantiseUnit(columns.health[slot], kMaxHealth);
    record.payload[kThrottle] = QuantiseUnit(columns.throttle[slot], kMaxThrottle);
    record.payload[kStatus] = static_cast<std::uint8_t>(columns.status[slot] & kMaxStatus);
  }
}

mu_status QuantizedCodec::Encode(std::span<mu_encode_item> items, std::uint8_t* bits, std::uint32_t stride) {
  if (stride < kMaxBits / 8) {
    return MU_E_BUFFER_TOO_SMALL;
  }
  for (mu_encode_item& item : items) {
    if (item.anchor != nullptr && item.anchor_age_ticks > kMaxAnchorAgeTicks) {
      return MU_E_INVALID_ARGUMENT;
    }
    BitWriter writer{{bits, kMaxBits / 8}};
    if (item.anchor == nullptr) {
      WriteAbsolute(writer, *item.record);
    } else {
      WriteAnchored(writer, *item.record, *item.anchor, item.anchor_age_ticks);
    }
    item.bit_count = static_cast<std::uint32_t>(writer.BitPosition());
    static_cast<void>(writer.Finish());
    if (writer.Overflowed()) {
      return MU_E_INVALID_ARGUMENT;
    }
    bits += stride;
  }
  return MU_OK;
}

mu_status QuantizedCodec::Decode(mu_bytes bytes, std::uint64_t bitOffset, const mu_canonical_record* anchor,
                                 std::uint32_t anchorAgeTicks, mu_canonical_record& out, std::uint32_t& bitsRead) {
  bitsRead = 0;
  if (anchor != nullptr && anchorAgeTicks > kMaxAnchorAgeTicks) {
    return MU_E_INVALID_ARGUMENT;
  }
  BitReader reader{{bytes.data, static_cast<std::size_t>(bytes.size)}};
  reader.Skip(static_cast<std::size_t>(bitOffset));
  const std::size_t available = reader.BitsLeft();
  out = {};
  bool isInRange = true;
  if (anchor == nullptr) {
    ReadAbsolute(reader, out);
  } else {
    isInRange = ReadAnchored(reader, *anchor, anchorAgeTicks, out);
  }
  if (reader.Failed()) {
    return available < kMaxBits ? MU_E_TRUNCATED : MU_E_MALFORMED;
  }
  bitsRead = static_cast<std::uint32_t>(reader.Position() - static_cast<std::size_t>(bitOffset));
  return isInRange && serialization::IsCanonicalHeader(out) ? MU_OK : MU_E_MALFORMED;
}

void QuantizedCodec::Dequantise(const mu_canonical_record& record, mu_record_values& out) {
  serialization::DequantiseHeader(record, out);
  out.health = static_cast<float>(record.payload[kHealth]) / static_cast<float>(kMaxHealth);
  out.throttle = static_cast<float>(record.payload[kThrottle]) / static_cast<float>(kMaxThrottle);
  out.status = record.payload[kStatus];
}

}  // namespace muster::codecs
