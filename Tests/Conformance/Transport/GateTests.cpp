// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What Transport.h promises of the host's gate, kept by every transport.
#include <algorithm>
#include <cstring>

#include "TransportBench.h"

namespace muster::conformance {
namespace {

struct GateRecord {
  std::uint32_t verdict = MU_GATE_PASS;
  std::uint32_t replySize = 0;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint16_t lastPort = 0;

  static std::uint32_t Ask(void* context, const mu_address* from, mu_bytes datagram, std::uint8_t* reply,
                           std::uint32_t replyCapacity, std::uint32_t* replySize) {
    auto& self = *static_cast<GateRecord*>(context);
    ++self.calls;
    self.bytes += datagram.size;
    self.lastPort = from->port;
    *replySize = std::min(self.replySize, replyCapacity);
    std::memset(reply, 'r', *replySize);
    return self.verdict;
  }
};

mu_transport_params GatedParams(GateRecord& record) {
  mu_transport_params params = DefaultParams();
  params.gate = mu_raw_gate{&record, &GateRecord::Ask};
  return params;
}

TEST_P(TransportTest, OffersEveryDatagramToTheGateFirst) {
  GateRecord gate;
  End server{Table(), GatedParams(gate)};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "x"), MU_OK);
    client.Flush();
    server.Service();
  }
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_UNRELIABLE).size(), 10u);
  EXPECT_EQ(gate.calls, server.Stats().datagrams_in);
  EXPECT_EQ(gate.bytes, server.Stats().bytes_in);
  EXPECT_EQ(gate.lastPort, server.First(MU_TRANSPORT_EVENT_CONNECTED).address.port);
}

TEST_P(TransportTest, LosesWhatTheGateDropsAndResendsWhatIsReliable) {
  GateRecord gate;
  End server{Table(), GatedParams(gate)};
  End client{Table()};
  const mu_connection connection = Join(server, client, server.Listen());
  PumpFor({&client, &server}, 100);
  gate.verdict = MU_GATE_DROP;
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_UNRELIABLE, "lost"), MU_OK);
  EXPECT_EQ(client.Send(connection, MU_CHANNEL_RELIABLE, "kept"), MU_OK);
  client.Flush();
  PumpFor({&server, &client}, 50);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_MESSAGE), 0u);
  EXPECT_GT(server.Stats().gate_dropped, 0u);
  gate.verdict = MU_GATE_PASS;
  PumpFor({&server, &client}, 1'500);
  EXPECT_EQ(server.MessagesOn(MU_CHANNEL_RELIABLE), std::vector<std::string>{"kept"});
  EXPECT_TRUE(server.MessagesOn(MU_CHANNEL_UNRELIABLE).empty());
}

TEST_P(TransportTest, SendsTheGatesReplyAndKeepsNothing) {
  GateRecord gate;
  gate.verdict = MU_GATE_REPLY;
  gate.replySize = 1;
  End server{Table(), GatedParams(gate)};
  GateRecord clientGate;
  End client{Table(), GatedParams(clientGate)};
  client.Connect(server.Listen());
  PumpFor({&client, &server}, 200);
  EXPECT_EQ(server.CountOf(MU_TRANSPORT_EVENT_CONNECTED), 0u);
  EXPECT_EQ(server.Stats().connections, 0u);
  EXPECT_GT(server.Stats().gate_replied, 0u);
  client.Service();
  EXPECT_EQ(clientGate.calls, server.Stats().gate_replied);
}

TEST_P(TransportTest, NeverSendsAReplyLargerThanTheRequest) {
  GateRecord gate;
  gate.verdict = MU_GATE_REPLY;
  gate.replySize = 1'000;
  End server{Table(), GatedParams(gate)};
  End client{Table()};
  client.Connect(server.Listen());
  PumpFor({&client, &server}, 200);
  EXPECT_GT(gate.calls, 0u);
  EXPECT_EQ(server.Stats().gate_replied, 0u);
  EXPECT_EQ(server.Stats().bytes_out, 0u);
}

}  // namespace
}  // namespace muster::conformance
