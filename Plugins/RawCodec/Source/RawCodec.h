// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The reference codec: every field at its full width, the same bits in every form. What it writes can be checked by
// eye, and every other codec is measured and tested against it. Header-only: the plugin wraps it, and the engine links
// the same class in as the codec that is always there (Protocol/BuiltInCodec.h).
//
//   body: cells 3 x i32, offsets 3 x u16, velocity 3 x i16, orientation u32, health f32, throttle f32, status u8; 296 bits
#pragma once

#include "PluginApi/PluginTables.h"
#include "Serialization/BitReader.h"
#include "Serialization/BitWriter.h"
#include "Serialization/RecordHeader.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace muster::codecs {

/// Static functions for SnapshotCodecTable. [worker]
class RawCodec {
 public:
  static constexpr std::uint32_t kBits = 296;

  static void Info(mu_codec_info& out) { out = {plugin::ToText("muster.codec.raw"), 1, kBits}; }

  static void Quantise(const mu_codec_columns& columns, std::span<const std::uint32_t> slots,
                       mu_canonical_record* records) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::uint32_t slot = slots[i];
      mu_canonical_record& record = records[i];
      serialization::QuantiseHeader(columns, slot, record);
      const Payload payload{UnitBits(columns.health[slot]), UnitBits(columns.throttle[slot]),
                            columns.status[slot] & kStatusMask, 0};
      std::memcpy(record.payload, &payload, sizeof payload);
    }
  }

  static mu_status Encode(std::span<mu_encode_item> items, std::uint8_t* bits, std::uint32_t stride) {
    if (stride < kBits / 8) {
      return MU_E_BUFFER_TOO_SMALL;
    }
    for (mu_encode_item& item : items) {
      serialization::BitWriter writer{{bits, stride}};
      Write(writer, *item.record);
      static_cast<void>(writer.Finish());
      item.bit_count = kBits;
      bits += stride;
    }
    return MU_OK;
  }

  static mu_status Decode(mu_bytes bytes, std::uint64_t bitOffset, const mu_canonical_record* /*anchor*/,
                          std::uint32_t /*anchorAgeTicks*/, mu_canonical_record& out, std::uint32_t& bitsRead) {
    bitsRead = 0;
    serialization::BitReader reader{{bytes.data, static_cast<std::size_t>(bytes.size)}};
    reader.Skip(static_cast<std::size_t>(bitOffset));
    if (reader.BitsLeft() < kBits) {
      return MU_E_TRUNCATED;
    }
    const bool isUnit = Read(reader, out);
    bitsRead = kBits;
    return isUnit && serialization::IsCanonicalHeader(out) ? MU_OK : MU_E_MALFORMED;
  }

  static void Dequantise(const mu_canonical_record& record, mu_record_values& out) {
    serialization::DequantiseHeader(record, out);
    Payload payload{};
    std::memcpy(&payload, record.payload, sizeof payload);
    out.health = std::bit_cast<float>(payload.healthBits);
    out.throttle = std::bit_cast<float>(payload.throttleBits);
    out.status = payload.status;
  }

 private:
  struct Payload {
    std::uint32_t healthBits;
    std::uint32_t throttleBits;
    std::uint32_t status;
    std::uint32_t unused;
  };
  static_assert(sizeof(Payload) == MU_RECORD_PAYLOAD_BYTES);
  static_assert(serialization::kRecordOffsetBits == MU_RECORD_OFFSET_BITS &&
                serialization::kRecordCellMeters == MU_RECORD_CELL_METERS &&
                serialization::kRecordVelocitySteps == MU_RECORD_VELOCITY_STEPS_PER_MPS);

  static constexpr std::uint32_t kStatusMask = (1U << MU_STATUS_BITS) - 1;
  /// Of 1.0f. The bits of 0..1 rise with the value, and nothing else (NaN, infinite, negative) is in that range.
  static constexpr std::uint32_t kOneBits = std::bit_cast<std::uint32_t>(1.0F);

  static std::uint32_t UnitBits(float value) {
    if (!(value > 0.0F)) {
      return 0;
    }
    return value < 1.0F ? std::bit_cast<std::uint32_t>(value) : kOneBits;
  }

  static void Write(serialization::BitWriter& writer, const mu_canonical_record& record) {
    for (const std::int32_t cell : {record.cell_x, record.cell_y, record.cell_z}) {
      writer.WriteBits(static_cast<std::uint32_t>(cell), 32);
    }
    for (const std::uint16_t offset : {record.offset_x, record.offset_y, record.offset_z}) {
      writer.WriteBits(offset, 16);
    }
    for (const std::int16_t speed : {record.velocity_x, record.velocity_y, record.velocity_z}) {
      writer.WriteBits(static_cast<std::uint16_t>(speed), 16);
    }
    writer.WriteBits(record.orientation, 32);
    Payload payload{};
    std::memcpy(&payload, record.payload, sizeof payload);
    writer.WriteBits(payload.healthBits, 32);
    writer.WriteBits(payload.throttleBits, 32);
    writer.WriteBits(payload.status, MU_STATUS_BITS);
  }

  /// False when health or throttle is not within 0..1.
  static bool Read(serialization::BitReader& reader, mu_canonical_record& record) {
    record = {};
    for (std::int32_t* cell : {&record.cell_x, &record.cell_y, &record.cell_z}) {
      *cell = static_cast<std::int32_t>(reader.ReadBits(32));
    }
    for (std::uint16_t* offset : {&record.offset_x, &record.offset_y, &record.offset_z}) {
      *offset = static_cast<std::uint16_t>(reader.ReadBits(16));
    }
    for (std::int16_t* speed : {&record.velocity_x, &record.velocity_y, &record.velocity_z}) {
      *speed = static_cast<std::int16_t>(reader.ReadBits(16));
    }
    record.orientation = static_cast<std::uint32_t>(reader.ReadBits(32));
    Payload payload{};
    payload.healthBits = static_cast<std::uint32_t>(reader.ReadBits(32));
    payload.throttleBits = static_cast<std::uint32_t>(reader.ReadBits(32));
    payload.status = static_cast<std::uint32_t>(reader.ReadBits(MU_STATUS_BITS));
    std::memcpy(record.payload, &payload, sizeof payload);
    return payload.healthBits <= kOneBits && payload.throttleBits <= kOneBits;
  }
};

}  // namespace muster::codecs
