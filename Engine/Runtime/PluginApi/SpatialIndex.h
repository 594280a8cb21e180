// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// muster.spatial_index/0: answers "who is near" over one tick's positions. Derivable from the columns, so a swap of the
// provider is a rebuild.
//
// Shapes. Positions are float32 metres relative to the world origin, right-handed, +Y up. The index is two-dimensional
// over X and Z; every answer is decided by the exact three-dimensional test of mu_spatial_is_within, in float32 without
// contraction, so that every provider gives the same set. The host owns order: id lists and pairs may come back in any
// order, nearest lists must be ordered as stated.
#pragma once

#include "PluginApi/Abi.h"

#define MU_SPATIAL_INDEX_V0 "muster.spatial_index/0"

/// The live entities of a tick: `count` entries, entry i has slot `slots[i]`; slots ascend. Valid until the next
/// rebuild.
typedef struct mu_spatial_view {
  const uint32_t* slots;
  const float* x;
  const float* y;
  const float* z;
  const float* radius;  ///< metres, >= 0; swept by the host for the step when pairs are asked for
  uint32_t count;
  uint32_t slot_capacity;  ///< every slot is below it
} mu_spatial_view;

/// All entities whose centre is within `radius` of the centre (<=). A negative or NaN radius or centre matches nothing.
typedef struct mu_sphere_query {
  float x, y, z;
  float radius;
} mu_sphere_query;

/// The k nearest entities within `radius`, by (squared distance, slot).
typedef struct mu_nearest_query {
  float x, y, z;
  float radius;
  uint32_t k;
  uint32_t ignore_slot;  ///< UINT32_MAX: none
} mu_nearest_query;

typedef struct mu_id_query_result {
  uint32_t count;     ///< slots written
  uint32_t overflow;  ///< 1 when there were more than the capacity
} mu_id_query_result;

typedef struct mu_nearest_result {
  uint32_t count;
} mu_nearest_result;

/// A candidate pair, `a < b` (slots).
typedef struct mu_slot_pair {
  uint32_t a;
  uint32_t b;
} mu_slot_pair;

/// The squared distance every provider uses, so that results agree to the last bit. Compile without FP contraction.
static inline float mu_spatial_distance_squared(float ax, float ay, float az, float bx, float by, float bz) {
  const float dx = ax - bx;
  const float dy = ay - by;
  const float dz = az - bz;
  return (dx * dx + dz * dz) + dy * dy;
}

/// The exact test: inclusive at the radius, false for any NaN and for a negative radius.
static inline int mu_spatial_is_within(float ax, float ay, float az, float bx, float by, float bz, float radius) {
  return radius >= 0.0f && mu_spatial_distance_squared(ax, ay, az, bx, by, bz) <= radius * radius;
}

typedef struct mu_spatial_params {
  uint32_t struct_size;
  uint32_t slot_capacity;  ///< a hint; views may name more
  float cell_size_meters;  ///< a wish; 0: the index chooses. Never an order: an index bounds its own memory.
  uint32_t reserved;
} mu_spatial_params;

typedef struct mu_spatial_stats {
  uint32_t struct_size;
  uint32_t cells;
  uint64_t bytes;
} mu_spatial_stats;

typedef struct mu_spatial_index mu_spatial_index;

typedef struct mu_spatial_index_v0 {
  uint32_t struct_size;
  uint32_t minor;

  /// [sim] -> active.
  mu_status (*create)(const mu_spatial_params* params, mu_spatial_index** out);
  /// [sim]
  void (*destroy)(mu_spatial_index* self);

  /// [sim] Replaces the content. The view stays valid and unchanged until the next rebuild, so it need not be copied.
  /// Positions may be NaN or infinite (then the entity is found by no query).
  mu_status (*rebuild)(mu_spatial_index* self, const mu_spatial_view* view);

  /// The queries below are const: [worker], concurrently, between two rebuilds.

  /// For query i sets bit `slot` of `bits + i * words` for each match; `words` = ceil(slot_capacity / 64) or more. The
  /// caller has zeroed the bits.
  mu_status (*query_bits)(const mu_spatial_index* self, const mu_sphere_query* queries, uint32_t count, uint64_t* bits,
                          uint32_t words);

  /// For query i writes the matches at `slots + i * capacity` in any order and results[i]. On overflow the slots
  /// written are any `capacity` of the matches; the host then asks query_bits to cut in slot order.
  mu_status (*query_ids)(const mu_spatial_index* self, const mu_sphere_query* queries, uint32_t count, uint32_t* slots,
                         uint32_t capacity, mu_id_query_result* results);

  /// For query i writes at most min(k, capacity) slots at `slots + i * capacity`, nearest first, ties by ascending
  /// slot.
  mu_status (*query_nearest)(const mu_spatial_index* self, const mu_nearest_query* queries, uint32_t count,
                             uint32_t* slots, uint32_t capacity, mu_nearest_result* results);

  /// All pairs whose centres are within radius(a) + radius(b) of each other by the exact test with a's position first.
  /// Writes at most `capacity` pairs in any order; `*count` receives how many there are in all.
  mu_status (*candidate_pairs)(const mu_spatial_index* self, mu_slot_pair* pairs, uint64_t capacity, uint64_t* count);

  /// [sim]
  void (*stats)(const mu_spatial_index* self, mu_spatial_stats* out);
} mu_spatial_index_v0;
