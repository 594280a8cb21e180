// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The clear and the sealed layout of everything that travels. Every transport carries the same bytes.
//
// A message on either channel is one *envelope*:
//
//   byte 0      kind: EnvelopeKind
//   Handshake   bytes 1..   a handshake message (HandshakeMessages.h) in clear; reliable channel only
//   Sealed      bytes 1..4  counter, little-endian: the low 32 bits of the sender's per-channel counter
//               bytes 5..   ChaCha20-Poly1305-IETF ciphertext and 16-byte tag; bytes 0..4 are authenticated with it
//
// What is sealed on the unreliable channel is a *packet*: PacketHeader, then one message. What is sealed on the
// reliable channel is one message without a header. A message begins with its MessageType byte.
//
// The unreliable counter is the packet's sequence number. It is given by whoever makes the packet (the tick thread), so
// packets are the same bytes before sealing for any timing of the network thread, which adds acks and seals.
#pragma once

#include <cstddef>
#include <cstdint>

namespace muster::protocol {

/// Both sides must have the same; raised by every incompatible change.
inline constexpr std::uint16_t kProtocolVersion = 1;

enum class EnvelopeKind : std::uint8_t { Handshake = 1, Sealed = 2 };

enum class Channel : std::uint8_t { Unreliable = 0, Reliable = 1 };

inline constexpr std::size_t kEnvelopeClearBytes = 5;
inline constexpr std::size_t kSealTagBytes = 16;
inline constexpr std::size_t kSealOverheadBytes = kEnvelopeClearBytes + kSealTagBytes;

/// First byte of a message. Client to server and server to client share the numbering.
enum class MessageType : std::uint8_t {
  None = 0,
  // reliable
  JoinRequest = 1,  ///< client: name; first sealed message
  JoinAccept = 2,   ///< server: session, tick, own entity, settings
  Refusal = 3,      ///< server: RefusalCode and text; the connection closes after it
  Leave = 4,        ///< client: a wanted goodbye
  Notice = 5,       ///< server: text for people
  Goodbye = 6,      ///< server: why it closes (shutdown, kick, idle)
  OwnEntity = 7,    ///< server: the net id the player now steers (respawn); 0 while there is none
  Archetypes = 8,   ///< server: names of archetype ids, once after JoinAccept
  // unreliable
  Input = 32,     ///< client: the last few ticks' controls, view of time, requests for absolute records
  Snapshot = 33,  ///< server: records
};

}  // namespace muster::protocol
