// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SnapshotBuilder.h"

#include "Core/Assert.h"

#include <algorithm>

namespace muster::replication {
namespace {

using protocol::RecordKind;

/// The terminator at the highest order of net ids.
constexpr std::size_t kTerminatorBits = 16;

void Count(const PlannedRecord& planned, std::uint64_t bits, ReplicationStats& stats) {
  RecordCount* count = &stats.spawns;
  if (planned.head.kind == RecordKind::Leave) {
    count = &stats.leaves;
  } else if (planned.head.kind == RecordKind::Update) {
    count = planned.anchor == nullptr ? &stats.absoluteUpdates : &stats.anchoredUpdates;
    stats.lateUpdates += planned.isLate ? 1 : 0;
  }
  ++count->records;
  count->bits += bits;
}

}  // namespace

SnapshotBuilder::SnapshotBuilder(const mu_snapshot_codec_v0& codec) : m_codec{codec} {
  mu_codec_info info{};
  codec.info(&info);
  m_stride = info.max_bits / 8;
}

bool SnapshotBuilder::Encode(std::span<const PlannedRecord> planned) {
  m_batch.clear();
  m_bodies.clear();
  for (const PlannedRecord& record : planned) {
    m_bodies.push_back(static_cast<std::uint32_t>(m_batch.size()));
    if (record.record != nullptr) {
      m_batch.push_back({record.record, record.anchor, record.anchorAge, 0});
    }
  }
  m_bits.resize(std::max(m_bits.size(), m_batch.size() * m_stride));
  return m_codec.encode(m_batch.data(), static_cast<std::uint32_t>(m_batch.size()), m_bits.data(), m_stride) == MU_OK;
}

/// Bits of the taken records, net ids included; also decides the order of net ids.
std::size_t SnapshotBuilder::MeasureTaken(std::span<const PlannedRecord> planned) {
  const std::uint32_t lastId = m_taken.empty() ? 0 : planned[m_taken.back()].head.netId.Value();
  m_idOrder = protocol::ChooseIdOrder(lastId, m_taken.size());
  std::size_t bits = 0;
  std::uint32_t previous = 0;
  for (const std::uint32_t index : m_taken) {
    const protocol::RecordHead& head = planned[index].head;
    bits += protocol::IdDeltaBits(head.netId.Value() - previous, m_idOrder);
    bits += protocol::RecordHeadBits(head.kind) + BodyBits(index);
    previous = head.netId.Value();
  }
  return bits;
}

void SnapshotBuilder::Choose(std::span<const PlannedRecord> planned, std::size_t budgetBits) {
  std::uint32_t lastId = 0;
  for (const PlannedRecord& record : planned) {
    lastId = std::max(lastId, record.head.netId.Value());
  }
  // What a net id takes is known only once all are chosen: estimated from the mean gap, then measured.
  const std::uint8_t order = protocol::ChooseIdOrder(lastId, planned.size());
  const std::size_t idBits =
      planned.empty() ? 0 : protocol::IdDeltaBits(lastId / static_cast<std::uint32_t>(planned.size()), order);
  m_order.clear();
  std::size_t bits = 0;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const bool isEncoded = planned[i].record == nullptr || m_hasBodies;
    const std::size_t needed = idBits + protocol::RecordHeadBits(planned[i].head.kind) + BodyBits(i);
    if (isEncoded && bits + needed <= budgetBits) {
      bits += needed;
      m_order.push_back(std::uint64_t{planned[i].head.netId.Value()} << 32U | i);
    }
  }
  std::sort(m_order.begin(), m_order.end());
  m_taken.clear();
  for (const std::uint64_t key : m_order) {
    m_taken.push_back(static_cast<std::uint32_t>(key));
  }
  while (MeasureTaken(planned) > budgetBits) {
    m_taken.erase(std::max_element(m_taken.begin(), m_taken.end()));  // the highest index is the least due
  }
}

std::span<const std::byte> SnapshotBuilder::Build(protocol::SnapshotHeader header,
                                                  std::span<const PlannedRecord> planned, std::span<std::byte> buffer,
                                                  ReplicationStats& stats) {
  m_hasBodies = Encode(planned);
  stats.codecFailures += m_hasBodies ? 0 : 1;
  m_items.assign(planned.size(), mu_encode_item{});
  for (std::size_t i = 0; i < planned.size(); ++i) {
    if (planned[i].record != nullptr && m_hasBodies) {
      m_items[i] = m_batch[m_bodies[i]];
    }
  }
  const std::size_t overheadBits = protocol::kSnapshotHeaderBits + kTerminatorBits;
  MUSTER_ASSERT(buffer.size() * 8 > overheadBits, "no room for a snapshot");
  Choose(planned, buffer.size() * 8 - overheadBits);

  header.idOrder = m_idOrder;
  protocol::SnapshotWriter writer{buffer, header};
  for (const std::uint32_t index : m_taken) {
    const std::size_t before = writer.BitPosition();
    const bool isWritten =
        writer.Add(planned[index].head, m_bits.data() + std::size_t{m_bodies[index]} * m_stride, BodyBits(index));
    MUSTER_ASSERT(isWritten, "the records were measured to fit");
    Count(planned[index], writer.BitPosition() - before, stats);
  }
  const std::span<const std::byte> message = writer.Finish();
  ++stats.messages;
  stats.messageBytes += message.size();
  return message;
}

}  // namespace muster::replication
