// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PeerChannel.h"

#include "Core/Assert.h"
#include "Serialization/ByteReader.h"
#include "Serialization/ByteWriter.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace muster::link {

using protocol::Channel;
using protocol::Direction;
using protocol::OpenStatus;
using protocol::ReceiveWindow;

namespace {

constexpr std::uint16_t kHoldTooLong = 0xFFFF;
constexpr std::int64_t kHoldStepMicros = 32;

Direction Opposite(Direction direction) noexcept {
  return direction == Direction::ToServer ? Direction::ToClient : Direction::ToServer;
}

DropReason ReasonOf(OpenStatus status) noexcept {
  switch (status) {
    case OpenStatus::Ok:
      return DropReason::None;
    case OpenStatus::Truncated:
    case OpenStatus::NotSealed:
      return DropReason::EnvelopeMalformed;
    case OpenStatus::Replayed:
      return DropReason::Replayed;
    case OpenStatus::TooOld:
      return DropReason::TooOld;
    case OpenStatus::Forged:
      break;
  }
  return DropReason::Forged;
}

}  // namespace

PeerChannel::PeerChannel(const protocol::SessionKeys& keys, Direction own) noexcept
    : m_packetSealer(keys.send, own, Channel::Unreliable),
      m_reliableSealer(keys.send, own, Channel::Reliable),
      m_packetOpener(keys.receive, Opposite(own), Channel::Unreliable),
      m_reliableOpener(keys.receive, Opposite(own), Channel::Reliable) {}

std::size_t PeerChannel::SealPacket(std::uint32_t sequence, std::span<const std::byte> message, MonotonicTime now,
                                    std::span<std::byte> out) noexcept {
  std::array<std::byte, kMaxDatagramBytes> plain;
  if (sequence <= m_packetSealer.LastCounter() || message.size() + kPacketOverheadBytes > kMaxDatagramBytes) {
    return 0;
  }
  protocol::PacketHeader header;
  header.sequence = sequence;
  header.ack = m_received.Ack();
  header.ackMask = m_received.Mask();
  if (header.ack != 0) {
    const auto held = std::chrono::duration_cast<std::chrono::microseconds>(now - m_newestReceivedAt).count();
    header.holdMicrosDiv32 =
        static_cast<std::uint16_t>(std::clamp<std::int64_t>(held / kHoldStepMicros, 0, kHoldTooLong));
  }
  serialization::ByteWriter writer({reinterpret_cast<std::uint8_t*>(plain.data()), plain.size()});
  protocol::WritePacketHeader(writer, header);
  writer.WriteBytes({reinterpret_cast<const std::uint8_t*>(message.data()), message.size()});
  return m_packetSealer.Seal(sequence, std::span(plain).first(writer.Position()), out);
}

std::size_t PeerChannel::SealReliable(std::span<const std::byte> message, std::span<std::byte> out) noexcept {
  return m_reliableSealer.Seal(m_reliableSealer.LastCounter() + 1, message, out);
}

DropReason PeerChannel::OpenPacket(std::span<const std::byte> envelope, std::span<std::byte> scratch,
                                   Packet& packet) noexcept {
  protocol::Opener::Opened opened;
  const DropReason failure = ReasonOf(m_packetOpener.Open(envelope, scratch, opened));
  if (failure != DropReason::None) {
    return failure;
  }
  serialization::ByteReader reader(
      {reinterpret_cast<const std::uint8_t*>(opened.message.data()), opened.message.size()});
  if (!protocol::ReadPacketHeader(reader, packet.header) || reader.BytesLeft() == 0 || opened.counter > UINT32_MAX) {
    return DropReason::PacketMalformed;
  }
  packet.header.sequence = static_cast<std::uint32_t>(opened.counter);
  packet.message = opened.message.subspan(reader.Position());
  switch (m_received.Check(packet.header.sequence)) {
    case ReceiveWindow::Verdict::New:
      return DropReason::None;
    case ReceiveWindow::Verdict::Duplicate:
      return DropReason::Replayed;
    case ReceiveWindow::Verdict::TooOld:
      break;
  }
  return DropReason::PacketTooOld;
}

std::optional<protocol::AckReport> PeerChannel::TakeAcks(const protocol::PacketHeader& header,
                                                         MonotonicTime now) noexcept {
  return m_sent.OnAck(header.ack, header.ackMask, HoldOf(header), now);
}

void PeerChannel::Accept(std::uint32_t sequence, MonotonicTime now) noexcept {
  const std::uint32_t before = m_received.Ack();
  m_received.Receive(sequence);
  if (m_received.Ack() != before) {
    m_newestReceivedAt = now;
  }
}

DropReason PeerChannel::OpenReliable(std::span<const std::byte> envelope, std::span<std::byte> scratch,
                                     Reliable& reliable) noexcept {
  protocol::Opener::Opened opened;
  const DropReason failure = ReasonOf(m_reliableOpener.Open(envelope, scratch, opened));
  if (failure != DropReason::None) {
    return failure;
  }
  // The transport keeps order, so a genuine message that is not the next one means that one was swallowed on the way.
  reliable.gap = opened.counter != m_nextReliable;
  m_nextReliable = opened.counter + 1;
  reliable.message = opened.message;
  return opened.message.empty() ? DropReason::MessageEmpty : DropReason::None;
}

std::optional<std::chrono::microseconds> PeerChannel::HoldOf(const protocol::PacketHeader& header) noexcept {
  if (header.holdMicrosDiv32 == kHoldTooLong) {
    return std::nullopt;
  }
  return std::chrono::microseconds{header.holdMicrosDiv32 * kHoldStepMicros};
}

}  // namespace muster::link
