// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One client as the server knows it, from its keys to its goodbye. Owned by SessionDirectory; [sim].
#pragma once

#include "Core/Clock.h"
#include "Core/Ids.h"
#include "PluginApi/Transport.h"
#include "Protocol/Acks.h"
#include "Sessions/InputBuffer.h"
#include "World/EntityHandle.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muster::sessions {

enum class SessionState : std::uint8_t {
  Joining,  ///< has keys, has not said who it is
  Active,   ///< plays
  Closing   ///< was told goodbye; gone when the link says so
};

struct Session {
  explicit Session(const InputBufferConfig& inputConfig) : input(inputConfig) {}

  SessionId id{};
  PeerId peer{};
  SessionState state = SessionState::Joining;
  bool hasPlace = true;  ///< counted by Admission
  std::string name;
  mu_address address{};
  MonotonicTime since{};
  MonotonicTime lastHeard{};

  /// What the player steers; null while there is nothing. Set by whoever spawns.
  world::EntityHandle entity{};
  /// The net id last told to the client with OwnEntity.
  NetId toldEntity{};

  InputBuffer input;
  std::chrono::microseconds roundTrip{0};  ///< smoothed, from packet acks; 0 until the first

  // For Replication: the sequence of the next packet, and what came with the last Pump.
  std::uint32_t nextSequence = 1;
  std::vector<protocol::AckReport> acks;
  std::vector<NetId> needAbsolute;
};

}  // namespace muster::sessions
