// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Wire.h"

namespace muster::udp {

namespace {

constexpr std::uint8_t kKindMask = 0x0f;
constexpr std::uint16_t kFirstBit = 0x8000;
constexpr std::uint16_t kLastBit = 0x4000;
constexpr std::uint16_t kLengthMask = 0x07ff;

bool AreZeros(std::span<const std::uint8_t> bytes) noexcept {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

bool IsId(std::uint64_t id) noexcept {
  return id != 0 && (id & ~kIdMask) == 0;
}

/// False for a piece that no sender of ours makes.
bool ReadFrame(ByteReader& reader, Frame& frame) noexcept {
  frame.sequence = reader.Take<std::uint32_t>();
  const auto shape = reader.Take<std::uint16_t>();
  frame.isFirst = (shape & kFirstBit) != 0;
  frame.isLast = (shape & kLastBit) != 0;
  frame.bytes = reader.TakeBytes(shape & kLengthMask);
  const bool isWhole = frame.isFirst && frame.isLast;
  return !reader.HasFailed() && (shape & ~(kFirstBit | kLastBit | kLengthMask)) == 0 &&
         (!frame.bytes.empty() || isWhole);
}

}  // namespace

std::optional<Head> ReadHead(ByteReader& reader) noexcept {
  const auto raw = reader.Take<std::uint64_t>();
  const auto first = static_cast<std::uint8_t>(raw & 0xff);
  const auto kind = static_cast<std::uint8_t>(first & kKindMask);
  Head head{static_cast<Kind>(kind), static_cast<std::uint8_t>(first & ~kKindMask), raw >> 8};
  if (reader.HasFailed() || kind < static_cast<std::uint8_t>(Kind::Request) ||
      kind > static_cast<std::uint8_t>(Kind::CloseAck)) {
    return std::nullopt;
  }
  const bool isHello = head.kind == Kind::Request || head.kind == Kind::Response;
  const std::uint8_t allowed = head.kind == Kind::Data ? (kFlagAck | kFlagFrames | kFlagMessage) : std::uint8_t{0};
  if ((head.flags & ~allowed) != 0 || isHello != (head.id == 0)) {
    return std::nullopt;
  }
  return head;
}

void WriteHead(ByteWriter& writer, const Head& head) noexcept {
  writer.Put((head.id << 8) | static_cast<std::uint8_t>(head.kind) | head.flags);
}

std::optional<Hello> ReadHello(ByteReader& reader, Kind kind) noexcept {
  if (reader.Rest().size() != kRequestBytes - kHeadBytes) {
    return std::nullopt;
  }
  const auto magic = reader.Take<std::uint32_t>();
  Hello hello;
  hello.version = reader.Take<std::uint16_t>();
  hello.maxDatagramBytes = reader.Take<std::uint16_t>();
  hello.clientId = reader.Take<std::uint64_t>();
  hello.cookie = reader.Take<std::uint64_t>();
  if (magic != kMagic || !IsId(hello.clientId)) {
    return std::nullopt;
  }
  if (hello.version != kWireVersion) {
    return hello;
  }
  const bool isInRange = hello.maxDatagramBytes >= kMinDatagramBytes && hello.maxDatagramBytes <= kMaxDatagramBytes;
  const bool isCookieInPlace = kind == Kind::Response || hello.cookie == 0;
  if (!isInRange || !isCookieInPlace || !AreZeros(reader.Rest())) {
    return std::nullopt;
  }
  return hello;
}

void WriteHello(ByteWriter& writer, Kind kind, const Hello& hello) noexcept {
  WriteHead(writer, {kind, 0, 0});
  writer.Put(kMagic);
  writer.Put(hello.version);
  writer.Put(hello.maxDatagramBytes);
  writer.Put(hello.clientId);
  writer.Put(hello.cookie);
  writer.PutZeros(kRequestBytes - writer.Size());
}

std::optional<Welcome> ReadWelcome(ByteReader& reader) noexcept {
  Welcome welcome;
  welcome.serverId = reader.Take<std::uint64_t>();
  welcome.maxDatagramBytes = reader.Take<std::uint16_t>();
  const std::span<const std::uint8_t> zeros = reader.TakeBytes(6);
  if (reader.HasFailed() || !reader.Rest().empty() || !AreZeros(zeros) || !IsId(welcome.serverId) ||
      welcome.maxDatagramBytes < kMinDatagramBytes || welcome.maxDatagramBytes > kMaxDatagramBytes) {
    return std::nullopt;
  }
  return welcome;
}

void WriteWelcome(ByteWriter& writer, std::uint64_t clientId, const Welcome& welcome) noexcept {
  WriteHead(writer, {Kind::Accept, 0, clientId});
  writer.Put(welcome.serverId);
  writer.Put(welcome.maxDatagramBytes);
  writer.PutZeros(6);
}

std::optional<std::uint64_t> ReadChallenge(ByteReader& reader) noexcept {
  const auto cookie = reader.Take<std::uint64_t>();
  return reader.HasFailed() || !reader.Rest().empty() ? std::nullopt : std::optional{cookie};
}

void WriteChallenge(ByteWriter& writer, std::uint64_t clientId, std::uint64_t cookie) noexcept {
  WriteHead(writer, {Kind::Challenge, 0, clientId});
  writer.Put(cookie);
}

std::optional<std::uint32_t> ReadCode(ByteReader& reader) noexcept {
  const auto code = reader.Take<std::uint32_t>();
  const auto zero = reader.Take<std::uint32_t>();
  return reader.HasFailed() || !reader.Rest().empty() || zero != 0 ? std::nullopt : std::optional{code};
}

void WriteCode(ByteWriter& writer, Kind kind, std::uint64_t id, std::uint32_t code) noexcept {
  WriteHead(writer, {kind, 0, id});
  writer.Put(code);
  writer.Put(std::uint32_t{0});
}

void WriteAck(ByteWriter& writer, const Ack& ack) noexcept {
  writer.Put(ack.next);
  writer.Put(ack.wordCount);
  for (std::size_t i = 0; i < ack.wordCount; ++i) {
    writer.Put(ack.words[i]);
  }
}

void WriteFrame(ByteWriter& writer, const Frame& frame) noexcept {
  writer.Put(frame.sequence);
  writer.Put(static_cast<std::uint16_t>(frame.bytes.size() | (frame.isFirst ? kFirstBit : 0U) |
                                        (frame.isLast ? kLastBit : 0U)));
  writer.PutBytes(frame.bytes);
}

std::optional<Data> ReadData(ByteReader& reader, std::uint8_t flags) noexcept {
  Data data;
  data.number = reader.Take<std::uint32_t>();
  if ((flags & kFlagAck) != 0) {
    Ack& ack = data.ack.emplace();
    ack.next = reader.Take<std::uint32_t>();
    ack.wordCount = reader.Take<std::uint8_t>();
    if (ack.wordCount > kMaxAckWords) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < ack.wordCount; ++i) {
      ack.words[i] = reader.Take<std::uint64_t>();
    }
  }
  if ((flags & kFlagFrames) != 0) {
    data.frameCount = reader.Take<std::uint8_t>();
    const std::span<const std::uint8_t> begin = reader.Rest();
    if (data.frameCount == 0) {
      return std::nullopt;
    }
    for (std::uint32_t i = 0; i < data.frameCount; ++i) {
      Frame frame;
      if (!ReadFrame(reader, frame)) {
        return std::nullopt;
      }
    }
    data.frames = begin.first(begin.size() - reader.Rest().size());
  }
  data.hasMessage = (flags & kFlagMessage) != 0;
  if (reader.HasFailed() || (!data.hasMessage && !reader.Rest().empty())) {
    return std::nullopt;
  }
  data.message = reader.Rest();
  return data;
}

Frame NextFrame(std::span<const std::uint8_t>& frames) noexcept {
  ByteReader reader{frames};
  Frame frame;
  static_cast<void>(ReadFrame(reader, frame));
  frames = reader.Rest();
  return frame;
}

}  // namespace muster::udp
