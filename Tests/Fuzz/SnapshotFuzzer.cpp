// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A client's end of replication over every input: a run of snapshot messages, each behind its length in two bytes.
// Whatever arrives, the entities shown are as many as came and did not leave, each with a record that can be.
#include "NetClient/SnapshotReceiver.h"
#include "Protocol/BuiltInCodec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace {

namespace netclient = muster::netclient;

void Require(bool isTrue) {
  if (!isTrue) {
    std::abort();
  }
}

void CheckShown(const netclient::SnapshotReceiver& receiver) {
  std::size_t shown = 0;
  receiver.ForEachEntity([&](const netclient::ReplicatedEntity& entity) {
    ++shown;
    Require(!entity.netId.IsNull() && entity.recordTick.Value() != 0);
    mu_record_values values{};
    Require(muster::protocol::BuiltInCodec().dequantise(&entity.record, &values) == MU_OK);
    Require(values.health >= 0.0F && values.health <= 1.0F);
  });
  Require(shown == receiver.EntityCount());
  std::size_t balance = 0;
  for (const netclient::EntityEvent& event : receiver.Events()) {
    balance += event.kind == netclient::EntityEvent::Kind::Spawned ? std::size_t{1} : ~std::size_t{0};
  }
  Require(balance == shown);
  Require(receiver.NeedAbsolute().size() <= netclient::SnapshotReceiver::kMaxNeeds);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  netclient::SnapshotReceiver receiver{muster::protocol::BuiltInCodec(), {.maxNetId = 4'095}};
  std::span<const std::uint8_t> rest{data, size};
  while (rest.size() >= 2) {
    const std::size_t wanted = rest[0] | static_cast<std::size_t>(rest[1]) << 8U;
    const std::size_t bytes = std::min(wanted, rest.size() - 2);
    (void)receiver.Receive(std::as_bytes(rest.subspan(2, bytes)));
    rest = rest.subspan(2 + bytes);
  }
  CheckShown(receiver);
  return 0;
}
