// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a datagram looks like. All numbers are little-endian; README.md has the table.
//
// The first eight bytes are the same for all: kind and flags in the first one, then the 56-bit id by which the
// *receiver* knows the connection (zero while there is none). A proxy in front of a server can route by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "Bytes.h"

namespace muster::udp {

inline constexpr std::uint32_t kMagic = 0x5044'554d;  // "MUDP"
inline constexpr std::uint16_t kWireVersion = 1;

inline constexpr std::size_t kHeadBytes = 8;
inline constexpr std::size_t kDataHeadBytes = kHeadBytes + 4;  ///< head and number: all that one message costs
inline constexpr std::size_t kFrameHeadBytes = 6;
inline constexpr std::size_t kFrameCountBytes = 1;
inline constexpr std::size_t kMaxFrames = 255;
/// What a stranger has to send before he is answered; no answer of the handshake is longer.
inline constexpr std::size_t kRequestBytes = 64;
inline constexpr std::size_t kMaxDatagramBytes = 1400;
inline constexpr std::size_t kMinDatagramBytes = 576;

/// Pieces of reliable messages that may be under way at once, and that a receiver keeps when they overtake.
inline constexpr std::uint32_t kReliableWindow = 256;
inline constexpr std::size_t kMaxAckWords = kReliableWindow / 64;
inline constexpr std::size_t kMaxAckBytes = 5 + 8 * kMaxAckWords;

inline constexpr std::uint64_t kIdMask = (std::uint64_t{1} << 56) - 1;

enum class Kind : std::uint8_t {
  Request = 1,    ///< client: may I?
  Challenge = 2,  ///< server: are you there? Keeps nothing.
  Response = 3,   ///< client: I am
  Accept = 4,
  Refuse = 5,
  Data = 6,
  Close = 7,
  CloseAck = 8
};

enum class RefuseReason : std::uint32_t { Full = 1, TooManyOfAddress = 2, OtherVersion = 3 };

struct Head {
  Kind kind{};
  std::uint8_t flags = 0;  ///< of data
  std::uint64_t id = 0;    ///< of the receiver
};

/// Empty when it is none of ours. What follows is read by the function of its kind.
[[nodiscard]] std::optional<Head> ReadHead(ByteReader& reader) noexcept;
void WriteHead(ByteWriter& writer, const Head& head) noexcept;

/// Request and Response. A Request has no cookie.
struct Hello {
  std::uint16_t version = kWireVersion;
  std::uint16_t maxDatagramBytes = 0;
  std::uint64_t clientId = 0;  ///< chosen by the client, not zero
  std::uint64_t cookie = 0;
};
/// Empty when a field is out of its range, or a byte is left over or not zero. Of another version only version and
/// clientId are meant.
[[nodiscard]] std::optional<Hello> ReadHello(ByteReader& reader, Kind kind) noexcept;
/// A whole datagram of kRequestBytes.
void WriteHello(ByteWriter& writer, Kind kind, const Hello& hello) noexcept;

struct Welcome {
  std::uint64_t serverId = 0;
  std::uint16_t maxDatagramBytes = 0;
};
[[nodiscard]] std::optional<Welcome> ReadWelcome(ByteReader& reader) noexcept;
void WriteWelcome(ByteWriter& writer, std::uint64_t clientId, const Welcome& welcome) noexcept;

/// Challenge: one number; Refuse and Close: one number and zeros.
[[nodiscard]] std::optional<std::uint64_t> ReadChallenge(ByteReader& reader) noexcept;
void WriteChallenge(ByteWriter& writer, std::uint64_t clientId, std::uint64_t cookie) noexcept;
[[nodiscard]] std::optional<std::uint32_t> ReadCode(ByteReader& reader) noexcept;
void WriteCode(ByteWriter& writer, Kind kind, std::uint64_t id, std::uint32_t code) noexcept;

/// Data: acknowledgement, pieces of reliable messages, one unreliable message; each may be absent.
inline constexpr std::uint8_t kFlagAck = 0x10;
inline constexpr std::uint8_t kFlagFrames = 0x20;
inline constexpr std::uint8_t kFlagMessage = 0x40;

/// Which pieces arrived: all before `next`, and next + 1 + i for every set bit i of `words`.
struct Ack {
  std::uint32_t next = 0;
  std::uint8_t wordCount = 0;
  std::uint64_t words[kMaxAckWords] = {};

  [[nodiscard]] bool Has(std::uint32_t bit) const noexcept {
    return bit / 64 < wordCount && ((words[bit / 64] >> (bit % 64)) & 1) != 0;
  }
};
void WriteAck(ByteWriter& writer, const Ack& ack) noexcept;

/// A piece of a reliable message.
struct Frame {
  std::uint32_t sequence = 0;
  bool isFirst = false;  ///< of its message
  bool isLast = false;
  std::span<const std::uint8_t> bytes;
};
/// The caller has seen that there is room for kFrameHeadBytes and the piece.
void WriteFrame(ByteWriter& writer, const Frame& frame) noexcept;

/// A data datagram, checked to its last byte before anything of it is used.
struct Data {
  std::uint32_t number = 0;
  std::optional<Ack> ack;
  std::uint32_t frameCount = 0;
  std::span<const std::uint8_t> frames;  ///< for NextFrame
  bool hasMessage = false;
  std::span<const std::uint8_t> message;
};
[[nodiscard]] std::optional<Data> ReadData(ByteReader& reader, std::uint8_t flags) noexcept;
/// Of the frames that ReadData has checked; `frames` moves on.
[[nodiscard]] Frame NextFrame(std::span<const std::uint8_t>& frames) noexcept;

}  // namespace muster::udp
