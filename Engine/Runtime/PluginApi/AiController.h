// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// muster.ai_controller/0: steers agents. One provider offers one or more named controllers ("loiter", "pursuit"); each
// agent of the world is assigned one. Blackboards are columns of the host, so an agent's memory survives a swap of the
// provider; a plugin keeps nothing but caches.
#pragma once

#include "PluginApi/Abi.h"
#include "PluginApi/Host.h"
#include "PluginApi/SpatialIndex.h"

#define MU_AI_CONTROLLER_V0 "muster.ai_controller/0"

/// What a controller commands. Every value is in -1..1 but throttle, which is in 0..1; the host clamps and treats
/// non-finite values as zero.
typedef struct mu_control {
  float throttle;
  float elevator;    ///< positive: nose up
  float aileron;     ///< positive: roll right
  float rudder;      ///< positive: nose right
  uint32_t buttons;  ///< MU_BUTTON_*
} mu_control;

#define MU_BUTTON_AFTERBURNER 1u

/// How a controller wants to be hosted.
typedef struct mu_controller_info {
  mu_text name;                ///< as configuration names it; owned by the library
  uint32_t blackboard_bytes;   ///< per agent, at most 256; zeroed at spawn, kept by the host
  uint32_t blackboard_schema;  ///< changes when the meaning of the bytes changes; the host zeroes blackboards then
  uint32_t think_stride;       ///< think every n-th tick (agents spread by slot); 1..60
  uint32_t reserved;
} mu_controller_info;

/// The host's columns, read-only, indexed by slot. State at the start of the tick, the same for every agent.
typedef struct mu_world_view {
  uint32_t struct_size;
  uint32_t slot_capacity;
  const uint64_t* live_bits;  ///< bit per slot
  const double* position_x;   ///< metres
  const double* position_y;
  const double* position_z;
  const float* velocity_x;  ///< metres per second
  const float* velocity_y;
  const float* velocity_z;
  const float* orientation_x;  ///< unit quaternion, body to world; body axes: +X right, +Y up, -Z forward
  const float* orientation_y;
  const float* orientation_z;
  const float* orientation_w;
  const float* angular_x;  ///< radians per second, body axes
  const float* angular_y;
  const float* angular_z;
  const float* health;          ///< 0..1
  const uint16_t* archetype;    ///< ArchetypeId
  const uint8_t* entity_class;  ///< MU_CLASS_*
} mu_world_view;

#define MU_CLASS_AIRCRAFT 1u
#define MU_CLASS_GROUND 2u
#define MU_CLASS_PROJECTILE 3u
#define MU_CLASS_PIECE 4u

/// A chunk of agents, all with the same controller of the provider. Everything is valid until return.
typedef struct mu_think_batch {
  uint32_t struct_size;
  uint32_t controller;  ///< index into the provider's controllers
  uint32_t count;
  uint32_t blackboard_stride;  ///< bytes
  const uint32_t* slots;       ///< agents, ascending
  const uint64_t* handles;     ///< their entity handles
  const double* home_x;        ///< where each agent was spawned, indexed like `slots`
  const double* home_y;
  const double* home_z;
  uint8_t* blackboards;  ///< agent i at `blackboards + i * blackboard_stride`, 8-byte aligned; read and written
  mu_control* controls;  ///< agent i's command: holds the last one on entry
  uint64_t tick;
  uint64_t seed;       ///< of the world; random decisions are functions of (seed, handle, tick)
  float step_seconds;  ///< time between two thinks of an agent
  uint32_t reserved;
  const mu_world_view* world;
} mu_think_batch;

typedef struct mu_ai_provider mu_ai_provider;

typedef struct mu_ai_controller_v0 {
  uint32_t struct_size;
  uint32_t minor;

  /// [sim] -> active.
  mu_status (*create)(mu_ai_provider** out);
  /// [sim]
  void (*destroy)(mu_ai_provider* self);

  /// [sim] How many controllers, and what each is like. Constant for the life of the instance.
  uint32_t (*controller_count)(const mu_ai_provider* self);
  mu_status (*controller_info)(const mu_ai_provider* self, uint32_t index, mu_controller_info* out);

  /// [worker] Thinks for a chunk. Chunks of one tick run concurrently in any order, so an answer may depend only on the
  /// batch, the world and the services callable from here: the same bytes for any number of workers.
  mu_status (*think)(mu_ai_provider* self, const mu_think_batch* batch);
} mu_ai_controller_v0;
