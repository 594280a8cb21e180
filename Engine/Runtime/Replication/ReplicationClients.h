// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What Replication asks of whoever knows the sessions, and where its packets go. Plain data and two interfaces, so that
// replication runs in a test without sessions, link or network.
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "Protocol/Acks.h"
#include "World/EntityHandle.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::replication {

/// One client in one tick. What the spans point at lives until ReplicationStage::Run returns.
struct ClientInput {
  SessionId session{};
  /// The client's own craft; null while it has none. It sees from there; without one, from where it saw last.
  world::EntityHandle own{};
  /// What the client has acknowledged since the last tick, in the order of arrival.
  std::span<const protocol::AckReport> acks{};
  /// What the client could not decode. Ids that are unknown here are passed over: the list comes from outside.
  std::span<const NetId> needAbsolute{};
  /// Echoed in the snapshot's header.
  Tick inputTick{};
  std::int8_t inputMargin = 0;
  /// Sequence of the packet this tick makes for the client; above all earlier ones of the session. 0: none this tick.
  std::uint32_t sequence = 0;
  /// Bytes of the packet on the wire, everything included; 0: as configured.
  std::uint32_t budgetBytes = 0;
};

class IReplicationClients {
 public:
  virtual ~IReplicationClients() = default;

  /// [sim] The clients of this tick, ascending by session. A session that is missing has ended and is forgotten.
  virtual std::span<const ClientInput> Clients(Tick tick) = 0;

  /// [sim] The net id of a session's own craft changed; null: it has none. Called from within Run, before Send.
  virtual void OnOwnNetId(SessionId session, NetId netId) = 0;
};

class IPacketSink {
 public:
  virtual ~IPacketSink() = default;

  /// [sim] One snapshot message, ascending by session within a tick. `message` is read until return.
  virtual void Send(SessionId session, std::uint32_t sequence, std::span<const std::byte> message) = 0;
};

}  // namespace muster::replication
