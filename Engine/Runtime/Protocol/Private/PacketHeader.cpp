// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/PacketHeader.h"

namespace muster::protocol {

void WritePacketHeader(serialization::ByteWriter& writer, const PacketHeader& header) {
  writer.WriteU32(header.ack);
  writer.WriteU64(header.ackMask);
  writer.WriteU16(header.holdMicrosDiv32);
}

bool ReadPacketHeader(serialization::ByteReader& reader, PacketHeader& header) {
  header.ack = reader.ReadU32();
  header.ackMask = reader.ReadU64();
  header.holdMicrosDiv32 = reader.ReadU16();
  return !reader.Failed();
}

}  // namespace muster::protocol
