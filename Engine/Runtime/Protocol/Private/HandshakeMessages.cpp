// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/HandshakeMessages.h"

#include "Core/Assert.h"
#include "Core/Bytes.h"
#include "Spans.h"

#include <algorithm>
#include <cstring>

namespace muster::protocol {

using serialization::ByteReader;
using serialization::ByteWriter;

namespace {

constexpr std::size_t kMaxClientHelloContent = 1 + 2 + 1 + kMaxCodecNameBytes + 4 + 32 + kPublicKeyBytes +
                                               kHandshakeNonceBytes + 1 +
                                               kMaxWirePlugins * (2 + kMaxPluginIdBytes + kMaxPluginVersionBytes);
static_assert(kMaxClientHelloContent <= kClientHelloBytes, "the largest hello fits its padding");
static_assert(1 + 2 + 2 + 2 + kMaxRefusalTextBytes <= kClientHelloBytes, "a refusal is no larger than the hello");

void Begin(ByteWriter& writer, HandshakeType type, std::uint16_t version) noexcept {
  writer.WriteU8(static_cast<std::uint8_t>(EnvelopeKind::Handshake));
  writer.WriteU8(static_cast<std::uint8_t>(type));
  writer.WriteU16(version);
}

/// Reads the bytes that mean the same in every version.
DecodeStatus ReadFront(ByteReader& reader, HandshakeType expected, std::uint16_t& version) noexcept {
  const std::uint8_t kind = reader.ReadU8();
  const std::uint8_t type = reader.ReadU8();
  version = reader.ReadU16();
  if (reader.Failed()) {
    return DecodeStatus::Truncated;
  }
  if (kind != static_cast<std::uint8_t>(EnvelopeKind::Handshake) || type != static_cast<std::uint8_t>(expected)) {
    return DecodeStatus::UnknownType;
  }
  return DecodeStatus::Ok;
}

template <std::size_t N>
void ReadArray(ByteReader& reader, std::array<std::byte, N>& out) noexcept {
  const std::span<const std::uint8_t> bytes = reader.ReadBytes(N);
  if (bytes.size() == N) {
    std::memcpy(out.data(), bytes.data(), N);
  }
}

DecodeStatus ReadId(ByteReader& reader, std::size_t maxBytes, std::string& out) {
  std::string_view text;
  const DecodeStatus status = ReadShortText(reader, maxBytes, text);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  if (!IsPlainId(text, maxBytes)) {
    return DecodeStatus::BadText;
  }
  out = text;
  return DecodeStatus::Ok;
}

DecodeStatus ReadPlugins(ByteReader& reader, std::vector<WirePlugin>& plugins) {
  plugins.clear();
  const std::uint8_t count = reader.ReadU8();
  if (count > kMaxWirePlugins) {
    return DecodeStatus::BadLength;
  }
  for (std::uint8_t i = 0; i < count; ++i) {
    WirePlugin plugin;
    DecodeStatus status = ReadId(reader, kMaxPluginIdBytes, plugin.id);
    if (status == DecodeStatus::Ok) {
      status = ReadId(reader, kMaxPluginVersionBytes, plugin.version);
    }
    if (status != DecodeStatus::Ok) {
      return status;
    }
    plugins.push_back(std::move(plugin));
  }
  return DecodeStatus::Ok;
}

}  // namespace

void Encode(const ClientHello& hello, std::vector<std::byte>& out) {
  const WireIdentity& identity = hello.identity;
  MUSTER_ASSERT(IsPlainId(identity.codecName, kMaxCodecNameBytes), "a codec's name is a plain id");
  out.assign(1 + kClientHelloBytes, std::byte{0});
  ByteWriter writer(AsU8(std::span(out)));
  Begin(writer, HandshakeType::ClientHello, hello.protocolVersion);
  writer.WriteText8(identity.codecName);
  writer.WriteU32(identity.codecWireVersion);
  writer.WriteBytes(AsU8(identity.lockDigest));
  writer.WriteBytes(AsU8(hello.publicKey));
  writer.WriteBytes(AsU8(hello.nonce));
  const std::size_t count = std::min(identity.plugins.size(), kMaxWirePlugins);
  writer.WriteU8(static_cast<std::uint8_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const WirePlugin& plugin = identity.plugins[i];
    MUSTER_ASSERT(IsPlainId(plugin.id, kMaxPluginIdBytes) && IsPlainId(plugin.version, kMaxPluginVersionBytes),
                  "a plugin's id and version are plain ids");
    writer.WriteText8(plugin.id);
    writer.WriteText8(plugin.version);
  }
  MUSTER_ASSERT(!writer.Overflowed(), "a hello within its limits fits its padding");
}

void Encode(const ServerHello& hello, std::vector<std::byte>& out) {
  out.resize(1 + 1 + 2 + kPublicKeyBytes + kHandshakeNonceBytes);
  ByteWriter writer(AsU8(std::span(out)));
  Begin(writer, HandshakeType::ServerHello, hello.protocolVersion);
  writer.WriteBytes(AsU8(hello.publicKey));
  writer.WriteBytes(AsU8(hello.nonce));
}

void Encode(const Refusal& refusal, std::vector<std::byte>& out) {
  const std::string text = MakeLine(refusal.text, kMaxRefusalTextBytes);
  out.resize(1 + 1 + 2 + 2 + 2 + text.size());
  ByteWriter writer(AsU8(std::span(out)));
  Begin(writer, HandshakeType::Refusal, kProtocolVersion);
  writer.WriteU16(refusal.code);
  writer.WriteText16(text);
}

DecodeStatus PeekHandshake(std::span<const std::byte> envelope, HandshakeType& type) noexcept {
  if (envelope.size() < 2) {
    return DecodeStatus::Truncated;
  }
  const auto value = static_cast<std::uint8_t>(envelope[1]);
  if (envelope[0] != static_cast<std::byte>(EnvelopeKind::Handshake) ||
      value < static_cast<std::uint8_t>(HandshakeType::ClientHello) ||
      value > static_cast<std::uint8_t>(HandshakeType::Refusal)) {
    return DecodeStatus::UnknownType;
  }
  type = static_cast<HandshakeType>(value);
  return DecodeStatus::Ok;
}

DecodeStatus Decode(std::span<const std::byte> envelope, ClientHello& hello) {
  ByteReader reader(AsU8(envelope));
  DecodeStatus status = ReadFront(reader, HandshakeType::ClientHello, hello.protocolVersion);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  if (hello.protocolVersion != kProtocolVersion) {
    return DecodeStatus::OtherVersion;
  }
  status = ReadId(reader, kMaxCodecNameBytes, hello.identity.codecName);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  hello.identity.codecWireVersion = reader.ReadU32();
  ReadArray(reader, hello.identity.lockDigest);
  ReadArray(reader, hello.publicKey);
  ReadArray(reader, hello.nonce);
  status = ReadPlugins(reader, hello.identity.plugins);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  if (reader.Failed() || envelope.size() < 1 + kClientHelloBytes) {
    return DecodeStatus::Truncated;
  }
  if (envelope.size() > 1 + kClientHelloBytes) {
    return DecodeStatus::TrailingBytes;
  }
  const std::span<const std::uint8_t> padding = reader.ReadRest();
  const bool clean = std::all_of(padding.begin(), padding.end(), [](std::uint8_t byte) { return byte == 0; });
  return clean ? DecodeStatus::Ok : DecodeStatus::BadPadding;
}

DecodeStatus Decode(std::span<const std::byte> envelope, ServerHello& hello) {
  ByteReader reader(AsU8(envelope));
  const DecodeStatus status = ReadFront(reader, HandshakeType::ServerHello, hello.protocolVersion);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  if (hello.protocolVersion != kProtocolVersion) {
    return DecodeStatus::OtherVersion;
  }
  ReadArray(reader, hello.publicKey);
  ReadArray(reader, hello.nonce);
  return Finish(reader);
}

DecodeStatus Decode(std::span<const std::byte> envelope, Refusal& refusal) {
  ByteReader reader(AsU8(envelope));
  std::uint16_t version = 0;
  DecodeStatus status = ReadFront(reader, HandshakeType::Refusal, version);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  refusal.code = reader.ReadU16();
  std::string_view text;
  status = ReadText(reader, kMaxRefusalTextBytes, text);
  if (status == DecodeStatus::Ok) {
    status = Finish(reader);
  }
  if (status == DecodeStatus::Ok) {
    status = CheckLine(text);
  }
  refusal.text = text;
  return status;
}

}  // namespace muster::protocol
