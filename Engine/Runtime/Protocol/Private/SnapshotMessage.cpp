// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/SnapshotMessage.h"

#include "Core/Assert.h"
#include "Protocol/Wire.h"
#include "Serialization/Quantise.h"
#include "Spans.h"

#include <algorithm>
#include <bit>

namespace muster::protocol {
namespace {

constexpr unsigned kTypeBits = 8;
constexpr unsigned kTickBits = 64;
constexpr unsigned kMarginBits = 8;
constexpr unsigned kIdOrderBits = 4;
constexpr unsigned kKindBits = 2;
constexpr unsigned kArchetypeBits = 16;
constexpr unsigned kGenerationBits = 8;
constexpr unsigned kUpdateGenerationBits = 2;
constexpr unsigned kFormBits = 3;
constexpr unsigned kReasonBits = 2;

}  // namespace

std::uint32_t RecordHeadBits(RecordKind kind) noexcept {
  switch (kind) {
    case RecordKind::Spawn:
      return kKindBits + kArchetypeBits + 1 + kGenerationBits;
    case RecordKind::Update:
      return kKindBits + kUpdateGenerationBits + kFormBits;
    case RecordKind::Leave:
      return kKindBits + kGenerationBits + kReasonBits;
  }
  return 0;
}

std::uint32_t IdDeltaBits(std::uint32_t delta, unsigned idOrder) noexcept {
  return serialization::ExpGolombBits(delta, idOrder);
}

std::uint8_t ChooseIdOrder(std::uint32_t lastNetId, std::size_t count) noexcept {
  const std::uint64_t meanDelta = count == 0 ? lastNetId : lastNetId / count;
  const auto width = static_cast<int>(std::bit_width(meanDelta));
  // Gaps of a random choice are distributed geometrically; an order just below the mean's width is the shortest.
  return static_cast<std::uint8_t>(std::clamp(width - 1, 0, (1 << kIdOrderBits) - 1));
}

SnapshotWriter::SnapshotWriter(std::span<std::byte> message, const SnapshotHeader& header)
    : m_message{message}, m_writer{AsU8(message)}, m_idOrder{header.idOrder} {
  MUSTER_ASSERT(header.idOrder < (1U << kIdOrderBits), "the order of net ids has 4 bits");
  MUSTER_ASSERT(header.tick.Value() != 0, "a snapshot is of a tick");
  m_writer.WriteBits(static_cast<std::uint64_t>(MessageType::Snapshot), kTypeBits);
  m_writer.WriteBits(header.tick.Value(), kTickBits);
  m_writer.WriteBits(header.inputTick.Value(), kTickBits);
  m_writer.WriteBits(static_cast<std::uint8_t>(header.inputMargin), kMarginBits);
  m_writer.WriteBits(header.idOrder, kIdOrderBits);
  MUSTER_ASSERT(!m_writer.Overflowed() && m_writer.BitsLeft() >= IdDeltaBits(0, m_idOrder),
                "no room for a snapshot's header");
}

bool SnapshotWriter::Add(const RecordHead& head, const std::uint8_t* body, std::uint32_t bitCount) {
  MUSTER_ASSERT(head.netId.Value() > m_lastNetId && head.netId.Value() <= kMaxNetId, "net ids rise within a message");
  const std::uint32_t delta = head.netId.Value() - m_lastNetId;
  const std::size_t needed =
      std::size_t{IdDeltaBits(delta, m_idOrder)} + RecordHeadBits(head.kind) + bitCount + IdDeltaBits(0, m_idOrder);
  if (needed > m_writer.BitsLeft()) {
    return false;
  }
  serialization::WriteExpGolomb(m_writer, delta, m_idOrder);
  m_writer.WriteBits(static_cast<std::uint64_t>(head.kind), kKindBits);
  switch (head.kind) {
    case RecordKind::Spawn:
      m_writer.WriteBits(head.archetype.Value(), kArchetypeBits);
      m_writer.WriteBool(head.isOwn);
      m_writer.WriteBits(head.generation, kGenerationBits);
      break;
    case RecordKind::Update:
      m_writer.WriteBits(head.generation & kUpdateGenerationMask, kUpdateGenerationBits);
      m_writer.WriteBits(static_cast<std::uint64_t>(head.form), kFormBits);
      break;
    case RecordKind::Leave:
      m_writer.WriteBits(head.generation, kGenerationBits);
      m_writer.WriteBits(static_cast<std::uint64_t>(head.reason), kReasonBits);
      break;
  }
  m_writer.AppendBits(body, bitCount);
  m_lastNetId = head.netId.Value();
  return true;
}

std::span<const std::byte> SnapshotWriter::Finish() {
  serialization::WriteExpGolomb(m_writer, 0, m_idOrder);
  return m_message.first(m_writer.Finish());
}

SnapshotReader::SnapshotReader(std::span<const std::byte> message) noexcept : m_reader{AsU8(message)} {}

bool SnapshotReader::Fail(DecodeStatus status) noexcept {
  m_status = status;
  return false;
}

DecodeStatus SnapshotReader::ReadHeader(SnapshotHeader& header) noexcept {
  const std::uint64_t type = m_reader.ReadBits(kTypeBits);
  header.tick = Tick{m_reader.ReadBits(kTickBits)};
  header.inputTick = Tick{m_reader.ReadBits(kTickBits)};
  header.inputMargin = static_cast<std::int8_t>(m_reader.ReadBits(kMarginBits));
  header.idOrder = static_cast<std::uint8_t>(m_reader.ReadBits(kIdOrderBits));
  m_idOrder = header.idOrder;
  if (m_reader.Failed()) {
    m_status = DecodeStatus::Truncated;
  } else if (type != static_cast<std::uint64_t>(MessageType::Snapshot)) {
    m_status = DecodeStatus::UnknownType;
  } else if (header.tick.Value() == 0) {
    m_status = DecodeStatus::BadValue;
  }
  return m_status;
}

bool SnapshotReader::ReadEnd() noexcept {
  const std::size_t left = m_reader.BitsLeft();
  if (left >= 8) {
    return Fail(DecodeStatus::TrailingBytes);
  }
  if (m_reader.ReadBits(static_cast<unsigned>(left)) != 0) {
    return Fail(DecodeStatus::BadPadding);
  }
  return false;
}

bool SnapshotReader::ReadRecord(RecordHead& head) noexcept {
  if (m_status != DecodeStatus::Ok) {
    return false;
  }
  // A longer code than the largest net id's is no short message: the reader fails for both, and what is left tells.
  constexpr std::size_t longestId = 2 * 32 + 1;
  const std::size_t left = m_reader.BitsLeft();
  const std::uint32_t delta = serialization::ReadExpGolomb(m_reader, m_idOrder, kMaxNetId);
  if (m_reader.Failed()) {
    return Fail(left < longestId ? DecodeStatus::Truncated : DecodeStatus::BadValue);
  }
  if (delta == 0) {
    return ReadEnd();
  }
  if (delta > kMaxNetId - m_lastNetId) {
    return Fail(DecodeStatus::BadValue);
  }
  m_lastNetId += delta;
  head = RecordHead{};
  head.netId = NetId{m_lastNetId};
  return ReadFields(head);
}

bool SnapshotReader::ReadFields(RecordHead& head) noexcept {
  const std::uint64_t kind = m_reader.ReadBits(kKindBits);
  head.kind = static_cast<RecordKind>(kind);
  std::uint64_t reason = 0;
  switch (head.kind) {
    case RecordKind::Spawn:
      head.archetype = ArchetypeId{static_cast<std::uint16_t>(m_reader.ReadBits(kArchetypeBits))};
      head.isOwn = m_reader.ReadBool();
      head.generation = static_cast<std::uint8_t>(m_reader.ReadBits(kGenerationBits));
      break;
    case RecordKind::Update:
      head.generation = static_cast<std::uint8_t>(m_reader.ReadBits(kUpdateGenerationBits));
      head.form = static_cast<RecordForm>(m_reader.ReadBits(kFormBits));
      break;
    case RecordKind::Leave:
      head.generation = static_cast<std::uint8_t>(m_reader.ReadBits(kGenerationBits));
      reason = m_reader.ReadBits(kReasonBits);
      head.reason = static_cast<LeaveReason>(reason);
      break;
  }
  if (m_reader.Failed()) {
    return Fail(DecodeStatus::Truncated);
  }
  return kind != 0 && reason <= static_cast<std::uint64_t>(LeaveReason::Destroyed) ? true
                                                                                   : Fail(DecodeStatus::BadValue);
}

void SnapshotReader::SkipBody(std::uint32_t bits) noexcept {
  m_reader.Skip(bits);
  if (m_reader.Failed()) {
    m_status = DecodeStatus::Truncated;
  }
}

}  // namespace muster::protocol
