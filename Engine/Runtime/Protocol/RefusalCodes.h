// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Why a server does not let a client in, or sends it away: the codes that travel in Refusal and Goodbye, and the
// sentences that go with them. A client shows the text as it came, so every text says what its reader should do.
//
//   const Refusal refusal = RefuseVersion(server, client);     // what to send
//   const Error error = ToError(refusal);                      // what a client makes of one it received
#pragma once

#include "Core/Error.h"
#include "Protocol/WireIdentity.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace muster::protocol {

// Refused before or at the join.
inline constexpr ErrorCode kProtocolVersionMismatch{3001, "ProtocolVersionMismatch"};
inline constexpr ErrorCode kPluginSetDiffers{3002, "PluginSetDiffers"};
inline constexpr ErrorCode kCodecMissing{3003, "CodecMissing"};
inline constexpr ErrorCode kServerFull{3004, "ServerFull"};
inline constexpr ErrorCode kTooManyFromAddress{3005, "TooManyFromAddress"};
inline constexpr ErrorCode kConnectRateExceeded{3006, "ConnectRateExceeded"};
inline constexpr ErrorCode kBadName{3007, "BadName"};
inline constexpr ErrorCode kServerClosing{3009, "ServerClosing"};
inline constexpr ErrorCode kHandshakeTimeout{3010, "HandshakeTimeout"};
inline constexpr ErrorCode kHandshakeMalformed{3011, "HandshakeMalformed"};
inline constexpr ErrorCode kJoinExpected{3012, "JoinExpected"};

// Sent away after the join.
inline constexpr ErrorCode kServerShutdown{3031, "ServerShutdown"};
inline constexpr ErrorCode kKicked{3032, "Kicked"};
inline constexpr ErrorCode kIdleTimeout{3033, "IdleTimeout"};
inline constexpr ErrorCode kFlood{3034, "Flood"};
inline constexpr ErrorCode kMalformedMessages{3035, "MalformedMessages"};
inline constexpr ErrorCode kBacklogExceeded{3036, "BacklogExceeded"};
inline constexpr ErrorCode kUnknownRefusal{3099, "UnknownRefusal"};

/// Bytes of a refusal's text at most; longer ones are cut at a character.
inline constexpr std::size_t kMaxRefusalTextBytes = 640;

/// A code and what it says. `text` is one line of UTF-8.
struct Refusal {
  std::uint16_t code = 0;
  std::string text{};
};

/// The code with its name; `kUnknownRefusal` for numbers this version does not know. [any]
ErrorCode RefusalCode(std::uint16_t number) noexcept;

/// True for a code by which a server turns a client away. [any]
bool IsRefusal(ErrorCode code) noexcept;

/// An error made of a refusal that came from a server: its code, its text as the sentence. [any]
Error ToError(const Refusal& refusal);

/// A refusal whose text is the standing sentence of its code, followed by `detail` (may be empty) and by what to do.
/// [any]
Refusal MakeRefusal(ErrorCode code, std::string_view detail = {});

/// Names both versions and says which side is the older one. [any]
Refusal RefuseVersion(std::uint16_t serverVersion, std::uint16_t clientVersion);

/// Names the codec the server speaks and the one the client asked for. [any]
Refusal RefuseCodec(const WireIdentity& server, const WireIdentity& client);

/// Lists the plugins that are missing on either side or differ in version, as far as both sides told theirs. [any]
Refusal RefusePluginSet(const WireIdentity& server, const WireIdentity& client);

/// Says how many of how many are on. [any]
Refusal RefuseFull(std::uint32_t maxPeers);

/// Says the limit. [any]
Refusal RefuseAddressLimit(std::uint32_t maxPerAddress);

/// Says how long to wait, in whole seconds rounded up. [any]
Refusal RefuseConnectRate(std::uint32_t retryAfterSeconds);

}  // namespace muster::protocol
