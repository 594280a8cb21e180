// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the host offers to a plugin. A plugin asks for a service by its id once, in `init`, and keeps the table pointer
// until `deinit`; an unknown id gives null and the plugin decides whether it can live without it.
#pragma once

#include "PluginApi/Abi.h"

/// The host as one plugin generation sees it. [any] until deinit of that generation. Owner: host.
typedef struct mu_host {
  uint32_t struct_size;
  uint32_t minor;
  /// Identifies the calling generation to the host; pass it back as the first argument of every service function.
  void* context;
  /// [any] Returns the table of a service ("muster.host.log/0") or null. Owner: host, valid until deinit.
  const void* (*service)(void* context, const char* id);
} mu_host;

#define MU_HOST_LOG_V0 "muster.host.log/0"

#define MU_LOG_DEBUG 0u
#define MU_LOG_INFO 1u
#define MU_LOG_WARNING 2u
#define MU_LOG_ERROR 3u

/// Log lines appear under the plugin's id, one line an event; control characters are escaped and floods are cut off.
typedef struct mu_host_log_v0 {
  uint32_t struct_size;
  uint32_t minor;
  /// [any] `text` is read until return.
  void (*write)(void* host, uint32_t level, mu_text text);
} mu_host_log_v0;

#define MU_HOST_ERROR_V0 "muster.host.error/0"

/// The sentence behind a negative status.
typedef struct mu_host_error_v0 {
  uint32_t struct_size;
  uint32_t minor;
  /// [any] Keeps a copy for the calling thread until its next plugin call begins.
  void (*set)(void* host, mu_text sentence);
} mu_host_error_v0;

#define MU_HOST_ALLOCATOR_V0 "muster.host.allocator/0"

/// Memory counted against the plugin's budget. Plugins may use their own heap too; only this one shows in the metrics
/// and fails softly when the budget is spent. Both functions give and take blocks of one generation only.
typedef struct mu_host_allocator_v0 {
  uint32_t struct_size;
  uint32_t minor;
  /// [any] `alignment` is a power of two up to 4096. Null when the budget is spent.
  void* (*allocate)(void* host, uint64_t sizeBytes, uint64_t alignment);
  /// [any] `block` may be null.
  void (*release)(void* host, void* block, uint64_t sizeBytes, uint64_t alignment);
} mu_host_allocator_v0;

#define MU_HOST_CONFIG_V0 "muster.host.config/0"

/// The plugin's own configuration: the table `[plugins."<id>"]` of the server's TOML file.
typedef struct mu_host_config_v0 {
  uint32_t struct_size;
  uint32_t minor;
  /// [main][sim] Each returns MU_OK and writes `out`, or MU_E_NOT_SUPPORTED when the key is absent (then `out` is left
  /// alone, so that a default can stand in it), or MU_E_INVALID_ARGUMENT when it has another type.
  mu_status (*get_integer)(void* host, const char* key, int64_t* out);
  mu_status (*get_number)(void* host, const char* key, double* out);
  mu_status (*get_boolean)(void* host, const char* key, uint8_t* out);
  /// The text is owned by the host and valid until deinit.
  mu_status (*get_text)(void* host, const char* key, mu_text* out);
} mu_host_config_v0;

#define MU_HOST_CLOCK_V0 "muster.host.clock/0"

/// Time as the host has it: real or virtual. Plugins read no other clock.
typedef struct mu_host_clock_v0 {
  uint32_t struct_size;
  uint32_t minor;
  /// [any] Monotonic nanoseconds, from an arbitrary start.
  uint64_t (*now_ns)(void* host);
} mu_host_clock_v0;

struct mu_id_query_result;
struct mu_nearest_result;
struct mu_sphere_query;
struct mu_nearest_query;

#define MU_HOST_SPATIAL_V0 "muster.host.spatial/0"

/// The world's spatial index as controllers see it: whichever provider is active, with the host's order and the host's
/// answers. Slots of this tick, positions of the index rebuilt in `maintenance`.
typedef struct mu_host_spatial_v0 {
  uint32_t struct_size;
  uint32_t minor;
  /// [worker] only during `think`. For query i writes at most `capacity` slots, ascending, at `slots + i * capacity`,
  /// and results[i]. Same shapes as mu_spatial_index_v0::query_ids, but ordered and cut by the host.
  mu_status (*query_ids)(void* host, const struct mu_sphere_query* queries, uint32_t count, uint32_t* slots,
                         uint32_t capacity, struct mu_id_query_result* results);
  /// [worker] only during `think`. For query i writes at most `queries[i].k` (<= capacity) neighbours at
  /// `slots + i * capacity`, nearest first, ties by slot.
  mu_status (*query_nearest)(void* host, const struct mu_nearest_query* queries, uint32_t count, uint32_t* slots,
                             uint32_t capacity, struct mu_nearest_result* results);
} mu_host_spatial_v0;
