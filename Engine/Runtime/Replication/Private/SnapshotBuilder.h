// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Turns planned records into one message: encodes them in one batch, takes the best that fit, and writes those in the
// order of net ids. A record that does not fit is passed over and the next one tried. [worker]
#pragma once

#include "PluginApi/SnapshotCodec.h"
#include "Protocol/SnapshotMessage.h"
#include "RankScheduler.h"
#include "Replication/ReplicationStats.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::replication {

class SnapshotBuilder {
 public:
  explicit SnapshotBuilder(const mu_snapshot_codec_v0& codec);

  /// Writes the message into `buffer`, which it may fill, and what it took to `stats`. `planned` is best first. When
  /// the codec fails, only records without a body go out.
  std::span<const std::byte> Build(protocol::SnapshotHeader header, std::span<const PlannedRecord> planned,
                                   std::span<std::byte> buffer, ReplicationStats& stats);

  /// Indices into `planned` of the records that went into the last message, ascending by net id.
  std::span<const std::uint32_t> Taken() const { return m_taken; }

 private:
  bool Encode(std::span<const PlannedRecord> planned);
  void Choose(std::span<const PlannedRecord> planned, std::size_t budgetBits);
  std::size_t MeasureTaken(std::span<const PlannedRecord> planned);
  std::uint32_t BodyBits(std::size_t index) const { return m_items[index].bit_count; }

  const mu_snapshot_codec_v0& m_codec;
  std::uint32_t m_stride;
  bool m_hasBodies = true;
  std::uint8_t m_idOrder = 0;
  std::vector<mu_encode_item> m_items;  ///< one for each planned record; a Leave's has no bits
  std::vector<std::uint32_t> m_bodies;  ///< index of the body in m_bits, for each planned record
  std::vector<mu_encode_item> m_batch;
  std::vector<std::uint8_t> m_bits;
  std::vector<std::uint64_t> m_order;  ///< net id above index, to sort by
  std::vector<std::uint32_t> m_taken;  ///< by net id
};

}  // namespace muster::replication
