// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Replication/ReplicationStage.h"

#include "CanonicalStore.h"
#include "ClientView.h"
#include "Core/Assert.h"
#include "Interest.h"
#include "Jobs/WorkerPool.h"
#include "NetIdTable.h"
#include "RankScheduler.h"
#include "SnapshotBuilder.h"

#include <algorithm>
#include <array>
#include <vector>

namespace muster::replication {
namespace {

/// Clients a chunk: each chunk has a scratch of its own.
constexpr std::size_t kClientGrain = 2;
/// More is planned than is thought to fit, so that what is left over can be filled.
constexpr std::size_t kPlanSpare = 8;
/// Means are kept in 1/16 bit.
constexpr std::uint32_t kMeanUnits = 16;
constexpr std::uint32_t kFirstMeanBits = 96 * kMeanUnits;
/// Ids beyond the live ones, for the dead that somebody still holds.
constexpr std::uint32_t kIdsPerSlot = 2;

struct Client {
  SessionId session{};
  ClientView view;
  Viewpoint viewpoint;
  NetId own{};
  bool hasToldOwn = false;
  std::uint32_t meanRecordBits = kFirstMeanBits;
  std::array<std::byte, kMaxBudgetBytes> buffer{};
  std::span<const std::byte> message{};
  ReplicationStats stats{};
};

struct Scratch {
  explicit Scratch(const mu_snapshot_codec_v0& codec) : builder{codec} {}
  RankScheduler scheduler;
  SnapshotBuilder builder;
  std::vector<PlannedRecord> planned;
};

}  // namespace

struct ReplicationStage::Implementation {
  Implementation(const world::EntityStore& store_, const simulation::EntityColumns& columns_,
                 const mu_snapshot_codec_v0& codec_, IReplicationClients& clients_, IPacketSink& sink_,
                 const ReplicationConfig& config_)
      : store{store_},
        columns{columns_},
        codec{codec_},
        directory{clients_},
        sink{sink_},
        config{config_},
        interest{config_.drawDistanceMeters},
        ids{store_.Capacity(), store_.Capacity() * kIdsPerSlot},
        canonical{codec_, columns_} {}

  void FollowSessions(std::span<const ClientInput> inputs);
  void Serve(const TickView& world, const ClientInput& input, Client& client, Scratch& scratch) const;
  void HandOver(std::span<const ClientInput> inputs);
  void ReleaseIds();
  std::size_t MessageBytes(const ClientInput& input) const;

  const world::EntityStore& store;
  const simulation::EntityColumns columns;
  const mu_snapshot_codec_v0& codec;
  IReplicationClients& directory;
  IPacketSink& sink;
  const ReplicationConfig config;
  Interest interest;
  NetIdTable ids;
  CanonicalStore canonical;
  std::vector<std::unique_ptr<Client>> clients;  ///< ascending by session, one for each input
  std::vector<std::unique_ptr<Client>> arriving;
  std::vector<std::unique_ptr<Scratch>> scratches;  ///< one a chunk
  std::vector<std::uint32_t> holder;                ///< by net id: who held it when last asked
  ReplicationStats stats{};
};

ReplicationStage::ReplicationStage(const world::EntityStore& store, const simulation::EntityColumns& columns,
                                   const mu_snapshot_codec_v0& codec, IReplicationClients& clients, IPacketSink& sink,
                                   const ReplicationConfig& config)
    : m_implementation{std::make_unique<Implementation>(store, columns, codec, clients, sink, config)} {
  MUSTER_ASSERT_ALWAYS(config.snapshotBudgetBytes >= kMinBudgetBytes && config.snapshotBudgetBytes <= kMaxBudgetBytes,
                       "snapshot budget out of range");
  MUSTER_ASSERT_ALWAYS(config.packetOverheadBytes < kMinBudgetBytes / 2, "packet overhead out of range");
  MUSTER_ASSERT_ALWAYS(store.Capacity() <= protocol::kMaxNetId / kIdsPerSlot, "more slots than net ids");
}

ReplicationStage::~ReplicationStage() = default;

const ReplicationStats& ReplicationStage::Stats() const {
  return m_implementation->stats;
}

NetId ReplicationStage::NetIdOf(world::EntityHandle handle) const {
  return m_implementation->ids.Of(handle);
}

world::EntityHandle ReplicationStage::HandleOf(NetId netId) const {
  return m_implementation->ids.HandleOf(netId);
}

void ReplicationStage::Run(simulation::TickContext& context) {
  Implementation& self = *m_implementation;
  const std::span<const ClientInput> inputs = self.directory.Clients(context.tick);
  self.ids.Update(self.store, self.store.Column(self.columns.health));
  self.stats.entitiesWithoutId = self.ids.Waiting();
  const bool isCanonical = self.canonical.Update(self.store, self.ids, context.tick, context.workers);
  self.FollowSessions(inputs);
  if (isCanonical) {
    const TickView world{context.tick,
                         self.ids,
                         self.canonical,
                         self.interest,
                         self.store.Column(self.columns.archetype),
                         self.store.Column(self.columns.owner)};
    context.workers.ParallelFor(inputs.size(), kClientGrain,
                                [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                                  for (std::size_t i = begin; i < end; ++i) {
                                    self.Serve(world, inputs[i], *self.clients[i], *self.scratches[chunk]);
                                  }
                                });
  } else {
    ++self.stats.codecFailures;
  }
  self.HandOver(inputs);
  self.ReleaseIds();
}

/// Brings `clients` in line with the inputs, both ascending by session. Allocates only for who is new.
void ReplicationStage::Implementation::FollowSessions(std::span<const ClientInput> inputs) {
  const bool isSame = clients.size() == inputs.size() && std::equal(inputs.begin(), inputs.end(), clients.begin(),
                                                                    [](const ClientInput& input, const auto& client) {
                                                                      return input.session == client->session;
                                                                    });
  if (!isSame) {
    arriving.clear();
    std::size_t known = 0;
    for (const ClientInput& input : inputs) {
      MUSTER_ASSERT(arriving.empty() || arriving.back()->session < input.session, "sessions ascend");
      while (known < clients.size() && clients[known]->session < input.session) {
        ++known;
      }
      if (known < clients.size() && clients[known]->session == input.session) {
        arriving.push_back(std::move(clients[known++]));
      } else {
        arriving.push_back(std::make_unique<Client>());
        arriving.back()->session = input.session;
      }
    }
    clients.swap(arriving);
    arriving.clear();
  }
  while (scratches.size() < jobs::ChunkCount(clients.size(), kClientGrain)) {
    scratches.push_back(std::make_unique<Scratch>(codec));
  }
  for (const auto& client : clients) {
    client->message = {};
    client->view.Resize(ids.IdLimit());
  }
}

std::size_t ReplicationStage::Implementation::MessageBytes(const ClientInput& input) const {
  const std::uint32_t wanted = input.budgetBytes == 0 ? config.snapshotBudgetBytes : input.budgetBytes;
  return std::clamp(wanted, kMinBudgetBytes, kMaxBudgetBytes) - config.packetOverheadBytes;
}

void ReplicationStage::Implementation::Serve(const TickView& world, const ClientInput& input, Client& client,
                                             Scratch& scratch) const {
  for (const protocol::AckReport& report : input.acks) {
    client.view.OnAcks(report);
  }
  for (const NetId netId : input.needAbsolute) {
    client.view.OnNeedAbsolute(netId);
  }
  const NetId own = ids.Of(input.own);
  client.hasToldOwn = client.hasToldOwn && client.own == own;
  client.own = own;
  if (!own.IsNull()) {
    const std::uint32_t id = own.Value();
    client.viewpoint = {canonical.X()[id], canonical.Y()[id], canonical.Z()[id]};
  }
  if (input.sequence == 0) {
    return;
  }
  const std::size_t bytes = MessageBytes(input);
  const std::size_t limit = bytes * 8 * kMeanUnits / client.meanRecordBits * 5 / 4 + kPlanSpare;
  client.stats.candidates += scratch.scheduler.Plan(world, client.view, client.viewpoint, own, limit, scratch.planned);
  client.message = scratch.builder.Build({world.tick, input.inputTick, input.inputMargin}, scratch.planned,
                                         std::span{client.buffer}.first(bytes), client.stats);
  const std::span<const std::uint32_t> taken = scratch.builder.Taken();
  client.view.BeginPacket(input.sequence, world.tick);
  for (const std::uint32_t index : taken) {
    const PlannedRecord& record = scratch.planned[index];
    client.view.OnSent({record.head.netId.Value(), record.head.kind, record.isLate});
  }
  if (!taken.empty()) {
    const std::size_t mean = client.message.size() * 8 * kMeanUnits / taken.size();
    client.meanRecordBits = static_cast<std::uint32_t>((client.meanRecordBits * std::size_t{7} + mean) / 8);
  }
}

void ReplicationStage::Implementation::HandOver(std::span<const ClientInput> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Client& client = *clients[i];
    if (!client.hasToldOwn) {
      directory.OnOwnNetId(client.session, client.own);
      client.hasToldOwn = true;
    }
    if (!client.message.empty()) {
      sink.Send(client.session, inputs[i].sequence, client.message);
    }
    stats.Add(client.stats);
    client.stats = {};
  }
}

void ReplicationStage::Implementation::ReleaseIds() {
  holder.resize(ids.IdLimit());
  for (const std::uint32_t id : ids.Held()) {
    const NetId netId{id};
    // Who held it the last time most likely still does, so the others are asked only when he lets go.
    std::uint32_t& last = holder[id];
    if (last < clients.size() && clients[last]->view.IsHeld(netId)) {
      continue;
    }
    const auto found =
        std::find_if(clients.begin(), clients.end(), [&](const auto& client) { return client->view.IsHeld(netId); });
    if (found == clients.end()) {
      ids.Release(netId);
    } else {
      last = static_cast<std::uint32_t>(found - clients.begin());
    }
  }
}

}  // namespace muster::replication
