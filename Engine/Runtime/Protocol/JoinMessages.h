// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Sealed messages on the reliable channel: the join, the goodbye and what is told rarely. Each begins with its
// MessageType byte; integers are little-endian, texts a 16-bit length and UTF-8.
//
//   std::vector<std::byte> bytes;
//   Encode(JoinRequest{name}, bytes);                 // replaces bytes, keeps their capacity
//   JoinAccept accept;
//   if (Decode(message, accept) != DecodeStatus::Ok) { ++malformed; }
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "Protocol/DecodeStatus.h"
#include "Protocol/RefusalCodes.h"
#include "Protocol/Wire.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muster::protocol {

/// Bytes of a name on the wire. What makes a name acceptable is decided by Sessions.
inline constexpr std::size_t kMaxNameBytes = 128;
inline constexpr std::size_t kMaxNoticeBytes = 1024;
inline constexpr std::size_t kMaxArchetypes = 4096;
inline constexpr std::size_t kMaxArchetypeNameBytes = 64;

/// Client: the first sealed message.
struct JoinRequest {
  std::string name{};  ///< as the player typed it; UTF-8 is not checked here, so that the refusal can say what is wrong
};

/// Server: the client is in.
struct JoinAccept {
  SessionId session{};
  Tick tick{};               ///< of the server when it was written
  std::uint16_t tickHz = 0;  ///< 1..1000
  NetId ownEntity{};         ///< null until there is one
  std::string codecName{};   ///< at most kMaxCodecNameBytes
  std::uint32_t codecWireVersion = 0;
  std::uint32_t snapshotBudgetBytes = 0;  ///< a datagram's, all headers included
  std::uint32_t drawDistanceMeters = 0;
};

/// Server: why it closes a joined connection. `code` is one of 3031.. in RefusalCodes.h.
struct Goodbye {
  std::uint16_t code = 0;
  std::string text{};
};

/// Server: a text for people; one line, at most kMaxNoticeBytes.
struct Notice {
  std::string text{};
};

/// Client: a wanted goodbye.
struct Leave {};

/// Server: what the player steers from now on; null while there is nothing.
struct OwnEntity {
  NetId netId{};
};

/// Server: the names of archetype ids, ascending by id, once after JoinAccept.
struct Archetypes {
  struct Entry {
    ArchetypeId id{};
    std::string name{};  ///< 1..kMaxArchetypeNameBytes
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries{};
};

/// The type of a sealed message, None for an empty one or a number this version does not know. [any]
MessageType PeekMessageType(std::span<const std::byte> message) noexcept;

/// Each replaces `out`. Texts of Refusal, Goodbye and Notice that are too long are cut at a character; other limits are
/// the caller's to keep. [any]
void Encode(const JoinRequest& message, std::vector<std::byte>& out);
void Encode(const JoinAccept& message, std::vector<std::byte>& out);
/// The sealed form, for refusals at the join. (`Encode` of a Refusal in HandshakeMessages.h is the one in clear.)
void EncodeSealedRefusal(const Refusal& message, std::vector<std::byte>& out);
void Encode(const Goodbye& message, std::vector<std::byte>& out);
void Encode(const Notice& message, std::vector<std::byte>& out);
void Encode(const Leave& message, std::vector<std::byte>& out);
void Encode(const OwnEntity& message, std::vector<std::byte>& out);
void Encode(const Archetypes& message, std::vector<std::byte>& out);

/// Each reads one whole message; what it could not read leaves `message` in an unspecified state. [any]
DecodeStatus Decode(std::span<const std::byte> bytes, JoinRequest& message);
DecodeStatus Decode(std::span<const std::byte> bytes, JoinAccept& message);
DecodeStatus DecodeSealedRefusal(std::span<const std::byte> bytes, Refusal& message);
DecodeStatus Decode(std::span<const std::byte> bytes, Goodbye& message);
DecodeStatus Decode(std::span<const std::byte> bytes, Notice& message);
DecodeStatus Decode(std::span<const std::byte> bytes, Leave& message);
DecodeStatus Decode(std::span<const std::byte> bytes, OwnEntity& message);
DecodeStatus Decode(std::span<const std::byte> bytes, Archetypes& message);

}  // namespace muster::protocol
