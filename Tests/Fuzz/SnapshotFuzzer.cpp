// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A client's end of replication over a run of snapshot messages, of any bytes or well-formed ones that say anything,
// some of them lost, late or twice. Whatever arrives, the entities shown are as many as came and did not leave, each with a
// record that can be; nothing older replaces what is newer; what is asked for stays bounded.
#include "FuzzInput.h"
#include "FuzzSeeds.h"

#include "NetClient/SnapshotReceiver.h"
#include "Protocol/BuiltInCodec.h"

#include <array>
#include <map>
#include <vector>

namespace muster::fuzz {
namespace {

using netclient::EntityEvent;
using netclient::SnapshotReceiver;
using protocol::DecodeStatus;
using protocol::RecordKind;

constexpr std::uint32_t kMaxId = 255;

class Watched {
 public:
  void Receive(std::span<const std::byte> message, bool isWellFormed) {
    const auto before = m_receiver.Stats();
    const DecodeStatus status = m_receiver.Receive(message);
    Require(!isWellFormed || status == DecodeStatus::Ok || status == DecodeStatus::BadValue,
            "the layout of a well-formed message is never in doubt");
    const auto& after = m_receiver.Stats();
    Require(after.messages == before.messages + 1 && after.messageBytes == before.messageBytes + message.size(),
            "every message is counted");
    Require(after.statuses[static_cast<std::size_t>(status)] == before.statuses[static_cast<std::size_t>(status)] + 1,
            "every message has one status");
    Check();
  }

 private:
  void Check() {
    std::map<std::uint32_t, Tick> ticks;
    m_receiver.ForEachEntity([&](const netclient::ReplicatedEntity& entity) {
      Require(!entity.netId.IsNull() && entity.netId.Value() <= kMaxId, "an id is within its bounds");
      Require(entity.recordTick.Value() != 0, "a record has a time");
      Require(m_receiver.Find(entity.netId) == &entity, "what is listed is found");
      mu_record_values values{};
      Require(protocol::BuiltInCodec().dequantise(&entity.record, &values) == MU_OK, "a record can be shown");
      Require(values.health >= 0.0F && values.health <= 1.0F, "health is a share");
      ticks[entity.netId.Value()] = entity.recordTick;
    });
    Require(ticks.size() == m_receiver.EntityCount(), "as many are shown as are counted");
    for (const EntityEvent& event : m_receiver.Events()) {
      const bool isShown = m_shown[event.netId.Value()];
      Require(isShown == (event.kind == EntityEvent::Kind::Left), "who comes was away, who leaves was here");
      m_shown[event.netId.Value()] = !isShown;
      m_ticks.erase(event.netId.Value());
    }
    m_receiver.ClearEvents();
    for (const auto& [netId, tick] : ticks) {
      Require(m_shown[netId], "what is shown has come and not left");
      Require(!m_ticks.contains(netId) || tick >= m_ticks[netId], "nothing older replaces what is newer");
    }
    m_ticks = std::move(ticks);
    Require(m_receiver.NeedAbsolute().size() <= SnapshotReceiver::kMaxNeeds, "what is asked for is bounded");
  }

  SnapshotReceiver m_receiver{protocol::BuiltInCodec(), {.maxNetId = kMaxId}};
  std::array<bool, kMaxId + 1> m_shown{};
  std::map<std::uint32_t, Tick> m_ticks;
};

mu_canonical_record RecordOf(FuzzInput& input) {
  mu_canonical_record record{};
  record.cell_x = static_cast<std::int8_t>(input.U8());
  record.orientation = 3U | 511U << 2U | 511U << 12U | 511U << 22U;
  return record;
}

/// A message whose layout is right; ids, kinds, forms, generations and times are the input's.
std::vector<std::byte> Message(FuzzInput& input, std::uint64_t tick) {
  std::vector<std::byte> buffer(1'400);
  protocol::SnapshotWriter writer{buffer, {.tick = Tick{tick}, .idOrder = static_cast<std::uint8_t>(input.U8() % 16U)}};
  std::uint32_t netId = 0;
  for (std::uint32_t records = input.U8() % 12U; records > 0; --records) {
    netId += 1U + input.U8() % 40U;
    const std::uint8_t shape = input.U8();
    protocol::RecordHead head;
    head.netId = NetId{netId};
    head.kind = static_cast<RecordKind>(1U + shape % 3U);
    head.generation = static_cast<std::uint8_t>((shape >> 2U) & protocol::kUpdateGenerationMask);
    head.form = head.kind == RecordKind::Update ? static_cast<protocol::RecordForm>(shape >> 5U)
                                                : protocol::RecordForm::Absolute;
    const mu_canonical_record record = RecordOf(input);
    const mu_canonical_record anchor{};
    const protocol::RecordTicks ticks = protocol::TicksOf(head.netId, head.form, Tick{tick});
    const bool isAnchored = head.kind == RecordKind::Update && ticks.isAnchored;
    std::array<std::uint8_t, 128> body{};
    mu_encode_item item{&record, isAnchored ? &anchor : nullptr, isAnchored ? ticks.AnchorAge() % 65U : 0U, 0};
    if (head.kind != RecordKind::Leave &&
        protocol::BuiltInCodec().encode(&item, 1, body.data(), body.size()) != MU_OK) {
      continue;
    }
    if (!writer.Add(head, body.data(), item.bit_count)) {
      break;
    }
  }
  const auto message = writer.Finish();
  return {message.begin(), message.end()};
}

void Run(FuzzInput& input) {
  Watched watched;
  std::uint64_t tick = 100;
  std::vector<std::vector<std::byte>> held;
  while (!input.IsEmpty()) {
    const std::uint8_t operation = input.U8();
    if (operation % 4 == 0) {  // any bytes
      const auto bytes = std::as_bytes(input.Sized16());
      watched.Receive(bytes, false);
      continue;
    }
    tick = operation >= 0xF0 ? input.U64() : tick + operation / 4 % 20;
    tick = std::max<std::uint64_t>(tick, 1);
    std::vector<std::byte> message = Message(input, tick);
    if (operation % 4 == 2) {  // late, or lost when it is never asked for
      held.push_back(std::move(message));
    } else {
      watched.Receive(message, true);
    }
    if (operation % 4 == 3 && !held.empty()) {
      watched.Receive(held[input.U8() % held.size()], true);
    }
  }
}

}  // namespace

Seeds MakeSeeds() {
  Seeds seeds;
  const auto record = [](std::size_t delta, RecordKind kind, std::size_t generation, std::size_t form) {
    const std::size_t low = (static_cast<std::size_t>(kind) - 1) % 3;
    std::size_t shape = generation << 2U | form << 5U;
    while (shape % 3 != low) {
      ++shape;  // the low two bits are free
    }
    return Script{}.U8(delta - 1).U8(shape).U8(7);
  };
  const auto message = [](std::size_t operation, std::initializer_list<Script> records) {
    Script script;
    script.U8(operation).U8(3).U8(records.size());
    for (const Script& one : records) {
      script.Append(one);
    }
    return script;
  };
  const Script come = message(5, {record(9, RecordKind::Spawn, 1, 0), record(4, RecordKind::Spawn, 1, 0)});
  const Script move = message(5, {record(9, RecordKind::Update, 1, 0)});
  const Script go = message(5, {record(9, RecordKind::Leave, 1, 0)});
  Script anchored;
  for (std::size_t form = 0; form < 8; ++form) {
    anchored.Append(message(17, {record(9, RecordKind::Update, 1, form)}));
  }
  seeds["comes_moves_leaves"] = Script{}.Append(come).Append(move).Append(go).Result();
  seeds["every_form"] = Script{}.Append(come).Repeat(5, move).Append(anchored).Append(anchored).Result();
  seeds["late_leave"] = Script{}
                            .Append(message(6, {record(9, RecordKind::Leave, 1, 0)}))
                            .Append(come)
                            .Append(message(7, {}))
                            .U8(0)
                            .Result();
  seeds["update_before_spawn"] = Script{}.Append(move).Append(come).Append(move).Result();
  seeds["generation_changes"] =
      Script{}.Append(come).Append(message(5, {record(9, RecordKind::Spawn, 2, 0)})).Append(go).Result();
  seeds["time_at_its_end"] = Script{}
                                 .U8(0xF1)
                                 .U64(~std::uint64_t{0})
                                 .U8(3)
                                 .U8(1)
                                 .Append(record(9, RecordKind::Spawn, 1, 0))
                                 .Append(move)
                                 .Result();
  return seeds;
}

}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::fuzz::FuzzInput input(data, size);
  muster::fuzz::Run(input);
  return 0;
}
