// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The messages in clear that come before the first sealed one, on the reliable channel:
//
//   client  ClientHello   version, codec, plugin digest, ephemeral public key, nonce; padded to kClientHelloBytes
//   server  ServerHello   ephemeral public key, nonce; or Refusal: code, text
//
// The first byte is the HandshakeType, the next two the sender's protocol version (little-endian). These three
// bytes mean the same in every version, so that two versions that share nothing else can still tell each other so.
// A reply is never larger than the padded hello it answers.
#pragma once

#include "Protocol/DecodeStatus.h"
#include "Protocol/RefusalCodes.h"
#include "Protocol/Wire.h"
#include "Protocol/WireIdentity.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster::protocol {

enum class HandshakeType : std::uint8_t { ClientHello = 1, ServerHello = 2, Refusal = 3 };

inline constexpr std::size_t kPublicKeyBytes = 32;
inline constexpr std::size_t kHandshakeNonceBytes = 16;
/// Size of every ClientHello without its envelope byte.
inline constexpr std::size_t kClientHelloBytes = 960;

using PublicKey = std::array<std::byte, kPublicKeyBytes>;
using HandshakeNonce = std::array<std::byte, kHandshakeNonceBytes>;

struct ClientHello {
  std::uint16_t protocolVersion = kProtocolVersion;
  WireIdentity identity{};
  PublicKey publicKey{};
  HandshakeNonce nonce{};
};

struct ServerHello {
  std::uint16_t protocolVersion = kProtocolVersion;
  PublicKey publicKey{};
  HandshakeNonce nonce{};
};

/// Each writes a whole envelope (EnvelopeKind::Handshake first) into `out`, which it replaces. Texts and lists of
/// the identity beyond their limits are the caller's mistake. [any]
void Encode(const ClientHello& hello, std::vector<std::byte>& out);
void Encode(const ServerHello& hello, std::vector<std::byte>& out);
/// A longer text is cut at a character.
void Encode(const Refusal& refusal, std::vector<std::byte>& out);

/// The type of a handshake envelope, without a look at the rest; Truncated or UnknownType otherwise. [any]
DecodeStatus PeekHandshake(std::span<const std::byte> envelope, HandshakeType& type) noexcept;

/// Each reads a whole envelope. With OtherVersion only `protocolVersion` was written. [any]
DecodeStatus Decode(std::span<const std::byte> envelope, ClientHello& hello);
DecodeStatus Decode(std::span<const std::byte> envelope, ServerHello& hello);
/// Refusals are read whatever the sender's version is.
DecodeStatus Decode(std::span<const std::byte> envelope, Refusal& refusal);

}  // namespace muster::protocol
