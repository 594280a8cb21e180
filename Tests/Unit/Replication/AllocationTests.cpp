// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Steady ticks allocate nothing, on no thread.
#include "ReplicationHarness.h"
#include "Support/AllocationCount.h"

#include <gtest/gtest.h>

namespace muster::replication::testing {
namespace {

/// Clients whose every packet arrives and is acknowledged in the next tick.
class PerfectClients final : public IReplicationClients, public IPacketSink {
 public:
  PerfectClients(std::uint32_t count, const std::vector<world::EntityHandle>& craft) : m_inputs(count), m_acks(count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      m_inputs[i].session = SessionId{i + 1};
      m_inputs[i].own = craft[i];
    }
  }

  std::span<const ClientInput> Clients(Tick) override {
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
      ClientInput& input = m_inputs[i];
      m_acks[i] = {input.sequence, 1, input.sequence > 63 ? input.sequence - 63 : 1, 0, {}};
      input.acks = {&m_acks[i], input.sequence == 0 ? 0U : 1U};
      ++input.sequence;
    }
    return m_inputs;
  }
  void OnOwnNetId(SessionId, NetId) override {}
  void Send(SessionId, std::uint32_t, std::span<const std::byte> message) override { bytes += message.size(); }

  std::uint64_t bytes = 0;

 private:
  std::vector<ClientInput> m_inputs;
  std::vector<protocol::AckReport> m_acks;
};

TEST(ReplicationStage, AllocatesNothingInSteadyTicks) {
  world::ColumnRegistry registry;
  const simulation::EntityColumns columns = simulation::EntityColumns::Register(registry);
  world::EntityStore store{registry, {.capacity = 400}};
  std::vector<world::EntityHandle> craft(400);
  store.CreateMany(craft);
  for (const world::EntityHandle handle : craft) {
    store.Column(columns.positionX)[handle.Slot()] = 40.0 * handle.Slot();
    store.Column(columns.orientationW)[handle.Slot()] = 1.0F;
    store.Column(columns.health)[handle.Slot()] = 1.0F;
    store.Column(columns.velocityX)[handle.Slot()] = 100.0F;
  }
  PerfectClients clients{6, craft};
  ReplicationStage stage{store, columns, QuantizedCodec(), clients, clients, {}};
  jobs::WorkerPool pool{jobs::WorkerPoolConfig{2}};
  const auto runTicks = [&](std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t tick = first; tick < first + count; ++tick) {
      for (const world::EntityHandle handle : craft) {
        store.Column(columns.positionX)[handle.Slot()] += 100.0 / 60.0;
      }
      simulation::TickContext context{Tick{tick}, 1.0F / 60.0F, pool};
      stage.Run(context);
    }
  };
  runTicks(1, 600);
  const std::uint64_t bytesBefore = clients.bytes;
  const std::uint64_t before = test::AllocationCount();
  runTicks(601, 200);
  EXPECT_EQ(test::AllocationCount(), before);
  EXPECT_GT(clients.bytes - bytesBefore, 200U * 6U * 300U)
      << "the ticks that were counted sent too little to mean anything";
}

}  // namespace
}  // namespace muster::replication::testing
