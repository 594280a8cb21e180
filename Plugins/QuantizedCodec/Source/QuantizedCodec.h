// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The default codec: plain quantising with static prefix codes. A record's bits depend on the record, its anchor and
// the anchor's age and on nothing else, so they can be made once and copied into every packet that wants them.
//
// Payload of the canonical record: byte 0 health in 1/255, byte 1 throttle in 1/127, byte 2 status bits, the rest zero.
//
// Absolute body
//   cells        x, z zigzag exponential Golomb of order 6, y of order 2
//   offsets      3 x 14 bits
//   velocity     per axis 2 bits of width class (0, 9, 13, 16 bits), then a two's complement number of that width
//   orientation  32 bits
//   payload      1 bit "health is full", else 8 bits; throttle 7 bits; status exponential Golomb of order 2
//
// Anchored body
//   0            1 bit; 1 means that an absolute body follows instead (the residual would be too large)
//   velocity     residual vector against the anchor's
//   position     residual vector against the anchor moved on for its age (see PredictAxis), in 1/64 m
//   orientation  2 bits: 0 as the anchor's; 1, 2 the same part left out, three differences of order 2, 5; 3 anew, 32 bits
//   payload      1 bit "as the anchor's", else as above
//
// A residual vector is 2 bits of class, 0 for three zeros, else three signed exponential Golomb codes of the class's
// order; the encoder takes the shortest class.
#pragma once

#include "PluginApi/PluginTables.h"

#include <cstdint>
#include <span>

namespace muster::codecs {

/// Static functions for SnapshotCodecTable. [worker]
class QuantizedCodec {
 public:
  static constexpr std::uint32_t kWireVersion = 1;
  /// The longest absolute body has 334 bits: cells 57 + 57 + 61, offsets 42, velocity 54, orientation 32, payload 31.
  /// An anchored body is one bit more at most: its own codes are shorter than that (position residuals are below 2^19
  /// steps).
  static constexpr std::uint32_t kMaxBits = 336;
  static constexpr std::uint32_t kMaxAnchorAgeTicks = 64;

  static void Info(mu_codec_info& out);
  static void Quantise(const mu_codec_columns& columns, std::span<const std::uint32_t> slots,
                       mu_canonical_record* records);
  static mu_status Encode(std::span<mu_encode_item> items, std::uint8_t* bits, std::uint32_t stride);
  static mu_status Decode(mu_bytes bytes, std::uint64_t bitOffset, const mu_canonical_record* anchor,
                          std::uint32_t anchorAgeTicks, mu_canonical_record& out, std::uint32_t& bitsRead);
  static void Dequantise(const mu_canonical_record& record, mu_record_values& out);
};

}  // namespace muster::codecs
