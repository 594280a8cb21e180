// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A world, its ReplicationStage and any number of clients in one thread, joined by pipes that lose, repeat and delay.
// The clients are real receivers; packets are acknowledged with Protocol's own windows. What the clients show is
// checked against a history that the harness quantises for itself.
#pragma once

#include "Core/Hash.h"
#include "Core/Random.h"
#include "Jobs/WorkerPool.h"
#include "NetClient/SnapshotReceiver.h"
#include "PluginApi/SnapshotCodec.h"
#include "Protocol/Acks.h"
#include "Replication/ReplicationStage.h"
#include "Simulation/EntityColumns.h"
#include "World/EntityStore.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muster::replication::testing {

/// The codec library as it was built.
const mu_snapshot_codec_v0& QuantizedCodec();

/// How a pipe treats packets. Delays are in ticks.
struct PipeQuality {
  double loss = 0.0;
  double duplication = 0.0;
  std::uint32_t minDelay = 1;
  std::uint32_t maxDelay = 1;
};

/// What one end has sent and the other not yet received.
template <class Packet>
class LossyPipe {
 public:
  void Send(const Packet& packet, std::uint64_t now, const PipeQuality& quality, Random& random) {
    if (random.NextChance(quality.loss)) {
      return;
    }
    const int copies = random.NextChance(quality.duplication) ? 2 : 1;
    for (int i = 0; i < copies; ++i) {
      const std::uint64_t spread = quality.maxDelay - quality.minDelay + 1;
      m_flight.emplace(now + quality.minDelay + random.NextBelow(spread), packet);
    }
  }

  /// Everything that is due; packets of one tick in the order they were sent, later ones may have come earlier.
  std::vector<Packet> Receive(std::uint64_t now) {
    std::vector<Packet> due;
    while (!m_flight.empty() && m_flight.begin()->first <= now) {
      due.push_back(std::move(m_flight.begin()->second));
      m_flight.erase(m_flight.begin());
    }
    return due;
  }

 private:
  std::multimap<std::uint64_t, Packet> m_flight;
};

struct DownPacket {
  std::uint32_t sequence = 0;
  std::vector<std::byte> message;
};
struct UpPacket {
  std::uint32_t ack = 0;
  std::uint64_t mask = 0;
  std::vector<NetId> needAbsolute;
};

/// One client and the server's side of its connection.
struct TestClient {
  TestClient(SessionId session_, const mu_snapshot_codec_v0& codec) : session{session_}, receiver{codec} {}

  SessionId session;
  world::EntityHandle own{};
  NetId ownNetId{};
  std::uint32_t budgetBytes = 0;
  netclient::SnapshotReceiver receiver;
  protocol::ReceiveWindow received;
  protocol::SendWindow sent;
  LossyPipe<DownPacket> down;
  LossyPipe<UpPacket> up;
  std::uint32_t nextSequence = 1;
  std::vector<protocol::AckReport> acks;
  std::vector<NetId> needAbsolute;
  std::size_t largestMessage = 0;
};

class Harness final : public IReplicationClients, public IPacketSink {
 public:
  struct Options {
    std::uint32_t capacity = 64;
    unsigned workers = 1;
    ReplicationConfig replication{};
    const mu_snapshot_codec_v0* codec = &QuantizedCodec();
  };

  explicit Harness(const Options& options, std::uint64_t seed = 1);
  ~Harness() override;

  // The world.
  world::EntityHandle Spawn(const std::array<double, 3>& position);
  void Kill(world::EntityHandle handle, bool isDestroyed = false);
  void Move(world::EntityHandle handle, const std::array<double, 3>& position);
  void SetVelocity(world::EntityHandle handle, const std::array<float, 3>& velocity);
  std::array<double, 3> PositionOf(world::EntityHandle handle) const;
  std::vector<world::EntityHandle> Living() const;
  /// Every entity flies on for a tick.
  void FlyAll();

  // Clients.
  TestClient& Join(world::EntityHandle own = {});
  void Disconnect(SessionId session);
  std::vector<std::unique_ptr<TestClient>>& ClientList() { return m_clients; }

  /// One tick: the stage runs, packets travel, clients receive, answers travel back. Checks every value a client shows.
  void Step();
  void Steps(std::uint32_t count);

  /// Empty when the client shows exactly what it should: every entity within its draw distance (and, between that and
  /// the border of leaving, as it may be), with its current value. Otherwise what is wrong.
  std::string Difference(const TestClient& client) const;
  /// Ticks until every client shows what it should; nothing when it takes longer than `limit`.
  std::optional<std::uint32_t> StepsUntilEqual(std::uint32_t limit);

  ReplicationStage& Stage() { return *m_stage; }
  world::EntityStore& Store() { return *m_store; }
  const simulation::EntityColumns& Columns() const { return m_columns; }
  Tick Now() const { return m_tick; }
  /// Of every message since the start: session, sequence and bytes.
  std::uint64_t MessageDigest() const { return m_digest.Value(); }

  /// Off for large worlds: the check is in entities x messages.
  bool checksEveryMessage = true;
  PipeQuality downQuality{};
  PipeQuality upQuality{};
  Random random;

  // IReplicationClients, IPacketSink
  std::span<const ClientInput> Clients(Tick tick) override;
  void OnOwnNetId(SessionId session, NetId netId) override;
  void Send(SessionId session, std::uint32_t sequence, std::span<const std::byte> message) override;

 private:
  static constexpr std::size_t kHistoryTicks = 512;

  /// What was true of a net id in a tick.
  struct Truth {
    bool isLive = false;
    std::uint8_t generation = 0;
    mu_canonical_record record{};
  };

  void RememberTruth();
  void Deliver(TestClient& client);
  void CheckValues(const TestClient& client) const;
  const Truth* TruthAt(Tick tick, NetId netId) const;
  mu_canonical_record Quantise(std::uint32_t slot) const;

  Options m_options;
  world::ColumnRegistry m_registry;
  simulation::EntityColumns m_columns;
  std::unique_ptr<world::EntityStore> m_store;
  jobs::WorkerPool m_pool;
  std::unique_ptr<ReplicationStage> m_stage;
  Tick m_tick{};
  std::uint32_t m_nextSession = 1;
  std::vector<std::unique_ptr<TestClient>> m_clients;
  std::vector<ClientInput> m_inputs;
  std::vector<std::vector<Truth>> m_history;  ///< by tick modulo, then net id
  std::vector<world::EntityHandle> m_bearer;  ///< by net id
  std::vector<std::uint8_t> m_lives;          ///< by net id
  std::vector<float> m_throttle;
  Digest64 m_digest;
};

}  // namespace muster::replication::testing
