// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The header of every packet on the unreliable channel, behind the seal.
//
//   ack        the newest sequence received from the other side (0: none yet)
//   ackMask    bit i: sequence `ack - 1 - i` was received too
//   holdMicros how long the newest has been held before this packet was sealed; saturates
//
// Only an explicit ack means "received". A sequence that leaves the 64-wide window unacknowledged is lost, never
// assumed.
#pragma once

#include "Serialization/ByteReader.h"
#include "Serialization/ByteWriter.h"

#include <cstdint>

namespace muster::protocol {

struct PacketHeader {
  std::uint32_t sequence = 0;  ///< 1, 2, 3, ...; repeated from the envelope, not on the wire
  std::uint32_t ack = 0;
  std::uint64_t ackMask = 0;
  std::uint16_t holdMicrosDiv32 = 0;  ///< units of 32 us
};

/// Bytes of the header on the wire: ack 4, mask 8, hold 2.
inline constexpr std::size_t kPacketHeaderBytes = 14;

void WritePacketHeader(serialization::ByteWriter& writer, const PacketHeader& header);

/// False when the bytes end too early.
bool ReadPacketHeader(serialization::ByteReader& reader, PacketHeader& header);

}  // namespace muster::protocol
