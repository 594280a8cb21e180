// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ReplicationHarness.h"

#include "Interest.h"
#include "PluginApi/Entry.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace muster::replication::testing {

const mu_snapshot_codec_v0& QuantizedCodec() {
  static const mu_snapshot_codec_v0* const table = [] {
    const std::string path = std::string{MUSTER_TEST_BINARY_DIR} + "/Plugins/QuantizedCodec/libQuantizedCodec.so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto* entry =
        library == nullptr ? nullptr : static_cast<const mu_plugin_entry*>(dlsym(library, MU_ENTRY_SYMBOL));
    if (entry == nullptr) {
      std::abort();
    }
    return static_cast<const mu_snapshot_codec_v0*>(entry->get_interface(MU_SNAPSHOT_CODEC_V0));
  }();
  return *table;
}

Harness::Harness(const Options& options, std::uint64_t seed)
    : random{seed},
      m_options{options},
      m_columns{simulation::EntityColumns::Register(m_registry)},
      m_store{std::make_unique<world::EntityStore>(m_registry, world::EntityStoreConfig{options.capacity})},
      m_pool{jobs::WorkerPoolConfig{options.workers}},
      m_stage{
          std::make_unique<ReplicationStage>(*m_store, m_columns, *options.codec, *this, *this, options.replication)},
      m_history(kHistoryTicks),
      m_throttle(options.capacity) {}

Harness::~Harness() = default;

world::EntityHandle Harness::Spawn(const std::array<double, 3>& position) {
  const world::EntityHandle handle = m_store->Create();
  if (handle.IsNull()) {
    return handle;
  }
  const std::uint32_t slot = handle.Slot();
  m_store->Column(m_columns.orientationW)[slot] = 1.0F;
  m_store->Column(m_columns.health)[slot] = 1.0F;
  m_store->Column(m_columns.archetype)[slot] = static_cast<std::uint16_t>(handle.Slot() % 7);
  Move(handle, position);
  return handle;
}

void Harness::Kill(world::EntityHandle handle, bool isDestroyed) {
  if (isDestroyed) {
    m_store->Column(m_columns.health)[handle.Slot()] = 0.0F;
    Step();
  }
  m_store->Destroy(handle);
}

void Harness::Move(world::EntityHandle handle, const std::array<double, 3>& position) {
  m_store->Column(m_columns.positionX)[handle.Slot()] = position[0];
  m_store->Column(m_columns.positionY)[handle.Slot()] = position[1];
  m_store->Column(m_columns.positionZ)[handle.Slot()] = position[2];
}

void Harness::SetVelocity(world::EntityHandle handle, const std::array<float, 3>& velocity) {
  m_store->Column(m_columns.velocityX)[handle.Slot()] = velocity[0];
  m_store->Column(m_columns.velocityY)[handle.Slot()] = velocity[1];
  m_store->Column(m_columns.velocityZ)[handle.Slot()] = velocity[2];
}

std::array<double, 3> Harness::PositionOf(world::EntityHandle handle) const {
  const world::EntityStore& store = *m_store;
  return {store.Column(m_columns.positionX)[handle.Slot()], store.Column(m_columns.positionY)[handle.Slot()],
          store.Column(m_columns.positionZ)[handle.Slot()]};
}

std::vector<world::EntityHandle> Harness::Living() const {
  std::vector<world::EntityHandle> living;
  for (const std::uint32_t slot : m_store->LiveSlots()) {
    living.push_back(m_store->HandleAt(slot));
  }
  return living;
}

void Harness::FlyAll() {
  for (const std::uint32_t slot : m_store->LiveSlots()) {
    m_store->Column(m_columns.positionX)[slot] +=
        static_cast<double>(m_store->Column(m_columns.velocityX)[slot]) / 60.0;
    m_store->Column(m_columns.positionY)[slot] +=
        static_cast<double>(m_store->Column(m_columns.velocityY)[slot]) / 60.0;
    m_store->Column(m_columns.positionZ)[slot] +=
        static_cast<double>(m_store->Column(m_columns.velocityZ)[slot]) / 60.0;
  }
}

TestClient& Harness::Join(world::EntityHandle own) {
  m_clients.push_back(std::make_unique<TestClient>(SessionId{m_nextSession++}, *m_options.codec));
  m_clients.back()->own = own;
  return *m_clients.back();
}

void Harness::Disconnect(SessionId session) {
  std::erase_if(m_clients, [session](const auto& client) { return client->session == session; });
}

std::span<const ClientInput> Harness::Clients(Tick) {
  m_inputs.clear();
  for (const auto& client : m_clients) {
    ClientInput input;
    input.session = client->session;
    input.own = client->own;
    input.acks = client->acks;
    input.needAbsolute = client->needAbsolute;
    input.sequence = client->nextSequence;
    input.budgetBytes = client->budgetBytes;
    m_inputs.push_back(input);
  }
  return m_inputs;
}

void Harness::OnOwnNetId(SessionId session, NetId netId) {
  for (const auto& client : m_clients) {
    if (client->session == session) {
      client->ownNetId = netId;
    }
  }
}

void Harness::Send(SessionId session, std::uint32_t sequence, std::span<const std::byte> message) {
  m_digest.Update(session.Value());
  m_digest.Update(sequence);
  m_digest.Update(message);
  const auto client = std::find_if(m_clients.begin(), m_clients.end(),
                                   [session](const auto& candidate) { return candidate->session == session; });
  ASSERT_NE(client, m_clients.end());
  TestClient& to = **client;
  EXPECT_EQ(sequence, to.nextSequence);
  ++to.nextSequence;
  const std::uint32_t budget = to.budgetBytes == 0 ? m_options.replication.snapshotBudgetBytes : to.budgetBytes;
  EXPECT_LE(message.size() + m_options.replication.packetOverheadBytes, budget) << "over the byte budget";
  to.largestMessage = std::max(to.largestMessage, message.size());
  to.sent.OnSent(sequence, MonotonicTime{});
  to.down.Send({sequence, {message.begin(), message.end()}}, m_tick.Value(), downQuality, random);
}

mu_canonical_record Harness::Quantise(std::uint32_t slot) const {
  const world::EntityStore& store = *m_store;
  const mu_codec_columns view{sizeof(mu_codec_columns),
                              store.Capacity(),
                              store.Column(m_columns.positionX).data(),
                              store.Column(m_columns.positionY).data(),
                              store.Column(m_columns.positionZ).data(),
                              store.Column(m_columns.velocityX).data(),
                              store.Column(m_columns.velocityY).data(),
                              store.Column(m_columns.velocityZ).data(),
                              store.Column(m_columns.orientationX).data(),
                              store.Column(m_columns.orientationY).data(),
                              store.Column(m_columns.orientationZ).data(),
                              store.Column(m_columns.orientationW).data(),
                              store.Column(m_columns.health).data(),
                              m_throttle.data(),
                              store.Column(m_columns.status).data()};
  mu_canonical_record record{};
  EXPECT_EQ(m_options.codec->quantise(&view, &slot, 1, &record), MU_OK);
  return record;
}

void Harness::RememberTruth() {
  std::vector<Truth>& truths = m_history[m_tick.Value() % kHistoryTicks];
  truths.assign(truths.size(), Truth{});
  for (const std::uint32_t slot : m_store->LiveSlots()) {
    m_throttle[slot] = m_store->Column(m_columns.control)[slot].throttle;
  }
  for (const world::EntityHandle handle : Living()) {
    const NetId netId = m_stage->NetIdOf(handle);
    if (netId.IsNull()) {
      continue;
    }
    const std::size_t id = netId.Value();
    if (id >= m_bearer.size()) {
      m_bearer.resize(id + 1);
      m_lives.resize(id + 1);
    }
    if (m_bearer[id] != handle) {
      m_bearer[id] = handle;
      ++m_lives[id];
    }
    truths.resize(std::max(truths.size(), id + 1));
    truths[id] = {true, m_lives[id], Quantise(handle.Slot())};
  }
}

const Harness::Truth* Harness::TruthAt(Tick tick, NetId netId) const {
  const std::vector<Truth>& truths = m_history[tick.Value() % kHistoryTicks];
  const bool isKept = tick.Value() != 0 && tick <= m_tick && m_tick - tick < static_cast<TickCount>(kHistoryTicks);
  return isKept && netId.Value() < truths.size() && truths[netId.Value()].isLive ? &truths[netId.Value()] : nullptr;
}

void Harness::CheckValues(const TestClient& client) const {
  client.receiver.ForEachEntity([&](const netclient::ReplicatedEntity& entity) {
    if (m_tick - entity.recordTick >= static_cast<TickCount>(kHistoryTicks)) {
      return;
    }
    const Truth* truth = TruthAt(entity.recordTick, entity.netId);
    ASSERT_NE(truth, nullptr) << "client shows an entity that was not there: id " << entity.netId.Value();
    ASSERT_EQ(truth->generation, entity.generation);
    ASSERT_EQ(std::memcmp(&truth->record, &entity.record, sizeof entity.record), 0)
        << "id " << entity.netId.Value() << " of tick " << entity.recordTick.Value();
  });
}

void Harness::Deliver(TestClient& client) {
  for (const DownPacket& packet : client.down.Receive(m_tick.Value())) {
    // A link takes each sequence once, late ones included as long as they are within its window.
    if (client.received.Receive(packet.sequence) != protocol::ReceiveWindow::Verdict::New) {
      continue;
    }
    EXPECT_EQ(client.receiver.Receive(packet.message), protocol::DecodeStatus::Ok);
    if (checksEveryMessage) {
      CheckValues(client);
    }
  }
  UpPacket answer{client.received.Ack(), client.received.Mask(), {}};
  const std::span<const NetId> needs = client.receiver.NeedAbsolute();
  answer.needAbsolute.assign(needs.begin(),
                             needs.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(needs.size(), 32)));
  client.up.Send(answer, m_tick.Value(), upQuality, random);

  client.acks.clear();
  client.needAbsolute.clear();
  for (const UpPacket& packet : client.up.Receive(m_tick.Value())) {
    if (packet.ack == 0) {
      continue;
    }
    const auto report = client.sent.OnAck(packet.ack, packet.mask, std::nullopt, MonotonicTime{});
    if (report.has_value()) {
      client.acks.push_back(*report);
    }
    client.needAbsolute.insert(client.needAbsolute.end(), packet.needAbsolute.begin(), packet.needAbsolute.end());
  }
}

void Harness::Step() {
  ++m_tick;
  simulation::TickContext context{m_tick, 1.0F / 60.0F, m_pool};
  m_stage->Run(context);
  RememberTruth();
  for (const auto& client : m_clients) {
    Deliver(*client);
  }
}

void Harness::Steps(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    Step();
  }
}

std::string Harness::Difference(const TestClient& client) const {
  const double draw = m_options.replication.drawDistanceMeters;
  const bool hasOwn = m_store->IsAlive(client.own);
  if (!hasOwn) {
    return "the test has no own entity to look from";
  }
  const std::array<double, 3> from = PositionOf(client.own);
  std::size_t matched = 0;
  for (const world::EntityHandle handle : Living()) {
    const std::array<double, 3> at = PositionOf(handle);
    const double distance = std::hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]);
    const NetId netId = m_stage->NetIdOf(handle);
    const netclient::ReplicatedEntity* entity = netId.IsNull() ? nullptr : client.receiver.Find(netId);
    if (entity == nullptr) {
      if (distance <= draw * 0.999) {
        return fmt::format("id {} at {} m is missing", netId.Value(), distance);
      }
      continue;
    }
    if (handle != client.own && distance > draw * Interest::kLeaveFactor * 1.001) {
      return fmt::format("id {} at {} m is still there", netId.Value(), distance);
    }
    const mu_canonical_record record = Quantise(handle.Slot());
    if (std::memcmp(&record, &entity->record, sizeof record) != 0) {
      return fmt::format("id {} has an old value, of tick {}", netId.Value(), entity->recordTick.Value());
    }
    if (entity->generation != m_lives[netId.Value()] || entity->isOwn != (handle == client.own)) {
      return fmt::format("id {} has a wrong generation or owner", netId.Value());
    }
    if (entity->archetype.Value() != handle.Slot() % 7) {
      return fmt::format("id {} has a wrong archetype", netId.Value());
    }
    ++matched;
  }
  return matched == client.receiver.EntityCount()
             ? ""
             : fmt::format("{} entities are shown that are dead", client.receiver.EntityCount() - matched);
}

std::optional<std::uint32_t> Harness::StepsUntilEqual(std::uint32_t limit) {
  for (std::uint32_t steps = 0; steps <= limit; ++steps) {
    const bool isEqual = std::all_of(m_clients.begin(), m_clients.end(),
                                     [&](const auto& client) { return Difference(*client).empty(); });
    if (isEqual) {
      return steps;
    }
    Step();
  }
  return std::nullopt;
}

}  // namespace muster::replication::testing
