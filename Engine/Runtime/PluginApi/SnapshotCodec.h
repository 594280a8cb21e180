// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// muster.snapshot_codec/0: how an entity's state becomes bits. The engine decides which entity goes to whom and when; a
// codec decides how a record looks. Everything is batched and pure: the same input gives the same bits, whoever asks.
//
// A canonical record is what all sides agree on: integers only, relative to its own cell and never to a viewer.
// `quantise` makes it once an entity and tick; from there on no floating point is used until a client shows it.
#pragma once

#include "PluginApi/Abi.h"

#define MU_SNAPSHOT_CODEC_V0 "muster.snapshot_codec/0"

#define MU_RECORD_PAYLOAD_BYTES 16u

/// Edge of a cell in metres, and steps of an offset within it: 256 m / 2^14 = 1.5625 cm.
#define MU_RECORD_CELL_METERS 256
#define MU_RECORD_OFFSET_BITS 14u
/// Steps of a velocity: 1/16 m/s; range +-2,047 m/s.
#define MU_RECORD_VELOCITY_STEPS_PER_MPS 16

/// The engine's fixed header and the codec's opaque payload. 48 bytes, no padding; equality is memcmp.
typedef struct mu_canonical_record {
  int32_t cell_x;  ///< floor(p / 256 m), p: the position rounded to the nearest step of an offset
  int32_t cell_y;
  int32_t cell_z;
  uint16_t offset_x;  ///< within the cell, 0..2^14-1
  uint16_t offset_y;
  uint16_t offset_z;
  int16_t velocity_x;  ///< 1/16 m/s
  int16_t velocity_y;
  int16_t velocity_z;
  uint32_t orientation;                      ///< smallest three: 2 bits which is largest, 3 x 10 bits
  uint8_t payload[MU_RECORD_PAYLOAD_BYTES];  ///< the codec's; unused bytes are zero
  uint32_t reserved;                         ///< zero
} mu_canonical_record;

/// Columns to quantise, indexed by slot. Units as in mu_world_view.
typedef struct mu_codec_columns {
  uint32_t struct_size;
  uint32_t slot_capacity;
  const double* position_x;
  const double* position_y;
  const double* position_z;
  const float* velocity_x;
  const float* velocity_y;
  const float* velocity_z;
  const float* orientation_x;
  const float* orientation_y;
  const float* orientation_z;
  const float* orientation_w;
  const float* health;     ///< 0..1
  const float* throttle;   ///< 0..1
  const uint32_t* status;  ///< MU_STATUS_* bits
} mu_codec_columns;

#define MU_STATUS_AFTERBURNER 1u
#define MU_STATUS_ON_GROUND 2u
#define MU_STATUS_PLAYER 4u
#define MU_STATUS_BITS 8u  ///< how many bits of `status` travel

/// Everything a client can show of a record, in the world's units.
typedef struct mu_record_values {
  double position[3];
  float velocity[3];
  float orientation[4];  ///< x y z w
  float health;
  float throttle;
  uint32_t status;
} mu_record_values;

/// One record to encode. `anchor` is null for the absolute form; otherwise the form is relative to it, and the record
/// is `anchor_age_ticks` (0..64) younger. Both are read until return.
typedef struct mu_encode_item {
  const mu_canonical_record* record;
  const mu_canonical_record* anchor;
  uint32_t anchor_age_ticks;
  uint32_t bit_count;  ///< written: how many bits
} mu_encode_item;

typedef struct mu_codec_info {
  mu_text name;           ///< owned by the library
  uint32_t wire_version;  ///< both ends must have the same (name, wire_version)
  uint32_t max_bits;      ///< no form of a record is longer; a multiple of 8, at most 1,024
} mu_codec_info;

/// The table. Stateless: there are no instances. [worker] all functions, concurrently.
typedef struct mu_snapshot_codec_v0 {
  uint32_t struct_size;
  uint32_t minor;

  void (*info)(mu_codec_info* out);

  /// Records of `count` slots into `records[i]`. Positions beyond +-2^30 cells and non-finite values are clamped to the
  /// nearest valid one (NaN: zero).
  mu_status (*quantise)(const mu_codec_columns* columns, const uint32_t* slots, uint32_t count,
                        mu_canonical_record* records);

  /// Bits of item i begin at bit 0 of `bits + i * stride`, LSB first; `stride` >= max_bits / 8. Unused bits of the last
  /// byte are zero.
  mu_status (*encode)(mu_encode_item* items, uint32_t count, uint8_t* bits, uint32_t stride);

  /// One record from `bytes`, beginning at bit `bit_offset`. Bytes are hostile: MU_E_TRUNCATED or MU_E_MALFORMED leave
  /// `out` unspecified. `anchor` and `anchor_age_ticks` as at encode. Writes `bits_read`.
  /// The length of a body depends on its bits and on whether there is an anchor, never on the anchor's values: a reader
  /// that lacks the anchor passes any record, drops the result and goes on behind it. So with MU_E_MALFORMED a
  /// `bits_read` above 0 says that the body is well formed and only its values are impossible; 0 that its length cannot
  /// be told. MU_OK means that `quantise` could have made the record.
  mu_status (*decode)(mu_bytes bytes, uint64_t bit_offset, const mu_canonical_record* anchor, uint32_t anchor_age_ticks,
                      mu_canonical_record* out, uint32_t* bits_read);

  /// A canonical record back in the world's units, for showing and for tests.
  mu_status (*dequantise)(const mu_canonical_record* record, mu_record_values* out);
} mu_snapshot_codec_v0;
