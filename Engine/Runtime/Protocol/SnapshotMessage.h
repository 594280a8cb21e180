// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Writer and reader of the snapshot message; the layout is SnapshotLayout.h's. Bodies pass through as bits.
//
//   SnapshotWriter writer{buffer, {.tick = tick, .idOrder = ChooseIdOrder(lastNetId, count)}};
//   for (...) { if (!writer.Add(head, bits, bitCount)) { break; } }        // ascending net ids
//   const std::span<const std::byte> message = writer.Finish();
//
//   SnapshotReader reader{bytes};                                          // hostile
//   SnapshotHeader header;
//   if (reader.ReadHeader(header) != DecodeStatus::Ok) { count; return; }
//   RecordHead head;
//   while (reader.ReadRecord(head)) {
//     ... decode the body at reader.BodyBit() ...
//     reader.SkipBody(bitsRead);
//   }
//   if (reader.Status() != DecodeStatus::Ok) { count; }
//
// Values; one thread at a time. [any]
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "Protocol/DecodeStatus.h"
#include "Protocol/SnapshotLayout.h"
#include "Serialization/BitReader.h"
#include "Serialization/BitWriter.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::protocol {

/// No net id is larger.
inline constexpr std::uint32_t kMaxNetId = (1U << 26) - 1;

struct SnapshotHeader {
  Tick tick{};
  Tick inputTick{};
  std::int8_t inputMargin = 0;
  std::uint8_t idOrder = 3;  ///< 0..15
};

/// What stands in front of a body. Only the fields of its kind travel; the others are left at their defaults.
struct RecordHead {
  NetId netId{};
  RecordKind kind = RecordKind::Update;
  RecordForm form = RecordForm::Absolute;  ///< Update; a Spawn is always absolute
  std::uint8_t generation = 0;             ///< Spawn and Leave whole, Update its low 2 bits
  ArchetypeId archetype{};                 ///< Spawn
  bool isOwn = false;                      ///< Spawn
  LeaveReason reason = LeaveReason::OutOfInterest;

  friend bool operator==(const RecordHead&, const RecordHead&) = default;
};

inline constexpr std::uint8_t kUpdateGenerationMask = 3;
inline constexpr std::size_t kSnapshotHeaderBits = 8 + 64 + 64 + 8 + 4;

/// Bits of a head without its net id.
std::uint32_t RecordHeadBits(RecordKind kind) noexcept;

/// Bits of the net id `delta` above the previous record's.
std::uint32_t IdDeltaBits(std::uint32_t delta, unsigned idOrder) noexcept;

/// The order that suits `count` records spread evenly up to `lastNetId`.
std::uint8_t ChooseIdOrder(std::uint32_t lastNetId, std::size_t count) noexcept;

class SnapshotWriter {
 public:
  /// `message` holds at least the header and the terminator (asserted): 20 bytes.
  SnapshotWriter(std::span<std::byte> message, const SnapshotHeader& header);

  /// Appends one record; its net id is above the previous one's (asserted). False, with nothing written, when it and
  /// the terminator do not fit. `body` is read up to `bitCount` bits, LSB first; none for a Leave.
  bool Add(const RecordHead& head, const std::uint8_t* body, std::uint32_t bitCount);

  [[nodiscard]] std::size_t BitPosition() const noexcept { return m_writer.BitPosition(); }

  /// Writes the terminator; the message, within the buffer. Called once, last.
  std::span<const std::byte> Finish();

 private:
  std::span<std::byte> m_message;
  serialization::BitWriter m_writer;
  std::uint32_t m_lastNetId = 0;
  unsigned m_idOrder;
};

class SnapshotReader {
 public:
  explicit SnapshotReader(std::span<const std::byte> message) noexcept;

  /// First. Truncated, UnknownType or BadValue end the reading.
  DecodeStatus ReadHeader(SnapshotHeader& header) noexcept;

  /// The next record's head; false at the end of the list or at a failure: see Status(). After a head with a body, the
  /// caller moves behind the body with SkipBody.
  bool ReadRecord(RecordHead& head) noexcept;

  /// Where the body of the record just read begins, in bits from the message's first.
  [[nodiscard]] std::size_t BodyBit() const noexcept { return m_reader.Position(); }
  void SkipBody(std::uint32_t bits) noexcept;

  /// Ok as long as nothing was wrong; after ReadRecord returned false it is the verdict on the whole message.
  [[nodiscard]] DecodeStatus Status() const noexcept { return m_status; }

 private:
  bool Fail(DecodeStatus status) noexcept;
  bool ReadEnd() noexcept;
  bool ReadFields(RecordHead& head) noexcept;

  serialization::BitReader m_reader;
  DecodeStatus m_status = DecodeStatus::Ok;
  std::uint32_t m_lastNetId = 0;
  unsigned m_idOrder = 0;
};

}  // namespace muster::protocol
