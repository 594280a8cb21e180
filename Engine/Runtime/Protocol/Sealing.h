// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Keys, sealing and the replay window (libsodium: X25519 through crypto_kx, ChaCha20-Poly1305-IETF, BLAKE2b).
//
//   KeyExchange exchange;                                   // fresh keys; one per connection, never kept longer
//   ... both public keys travel in the hellos ...
//   std::optional<SessionKeys> keys = exchange.ServerKeys(clientPublic, Transcript(clientHello, serverHello));
//   Sealer sealer(keys->send, Direction::ToClient, Channel::Unreliable);
//   Opener opener(keys->receive, Direction::ToServer, Channel::Unreliable);
//
// Nonces: channel, direction and a 64-bit counter that only rises, under keys that live as long as one connection. So
// no nonce is used twice, also not after a restart. The transcript of both hellos is mixed into the keys: a hello that
// was changed under way gives keys that do not fit. Who the other side *is* stays unproven here.
#pragma once

#include "Core/Result.h"
#include "Protocol/HandshakeMessages.h"
#include "Protocol/Wire.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace muster::protocol {

enum class Direction : std::uint8_t { ToServer = 0, ToClient = 1 };

inline constexpr std::size_t kKeyBytes = 32;

/// A secret; wiped when it goes.
class SecretKey {
 public:
  SecretKey() noexcept = default;
  SecretKey(const SecretKey&) noexcept = default;
  SecretKey& operator=(const SecretKey&) noexcept = default;
  ~SecretKey();

  [[nodiscard]] unsigned char* Data() noexcept { return m_bytes.data(); }
  [[nodiscard]] const unsigned char* Data() const noexcept { return m_bytes.data(); }

 private:
  std::array<unsigned char, kKeyBytes> m_bytes{};
};

struct SessionKeys {
  SecretKey send{};
  SecretKey receive{};
};

using TranscriptHash = std::array<std::byte, 32>;

/// Call once before anything else of this header; false when the machine gives no randomness. Cheap when repeated.
/// [any]
[[nodiscard]] bool InitialiseSealing() noexcept;

/// Random bytes an opponent cannot guess. [any]
void FillRandom(std::span<std::byte> out) noexcept;

/// Over the bytes of both hellos' envelopes. [any]
TranscriptHash Transcript(std::span<const std::byte> clientHello, std::span<const std::byte> serverHello) noexcept;

/// An ephemeral key pair. About 0.1 ms to make and 0.1 ms to use. [net]
class KeyExchange {
 public:
  KeyExchange() noexcept;

  [[nodiscard]] const PublicKey& Public() const noexcept { return m_public; }
  /// Nothing when the other side's key is one that gives everybody the same secret.
  [[nodiscard]] std::optional<SessionKeys> ClientKeys(const PublicKey& server,
                                                      const TranscriptHash& transcript) const noexcept;
  [[nodiscard]] std::optional<SessionKeys> ServerKeys(const PublicKey& client,
                                                      const TranscriptHash& transcript) const noexcept;

 private:
  PublicKey m_public{};
  SecretKey m_secret{};
};

/// Which counters were seen: the newest and the 255 before it.
class ReplayWindow {
 public:
  static constexpr std::uint64_t kWidth = 256;

  enum class Verdict : std::uint8_t { Fresh, Replayed, TooOld };

  [[nodiscard]] Verdict Check(std::uint64_t counter) const noexcept;
  /// Remembers a counter that was Fresh and whose message proved genuine.
  void Accept(std::uint64_t counter) noexcept;
  /// Largest accepted, 0 when none was.
  [[nodiscard]] std::uint64_t Newest() const noexcept { return m_newest; }

 private:
  static constexpr std::size_t kWords = kWidth / 64;

  bool m_any = false;
  std::uint64_t m_newest = 0;
  std::array<std::uint64_t, kWords> m_seen{};  ///< bit (counter % kWidth)
};

/// The 64-bit counter with these low 32 bits that is nearest to `newest`. Correct also near 0 and 2^64. [any]
std::uint64_t ReconstructCounter(std::uint32_t low, std::uint64_t newest) noexcept;

/// Seals what one side sends on one channel. [net]
class Sealer {
 public:
  Sealer(const SecretKey& key, Direction direction, Channel channel) noexcept;

  /// Writes an envelope of `message.size() + kSealOverheadBytes` bytes to `out` and returns its size. `counter` is
  /// larger than the last one; anything else would use a nonce twice and is the caller's mistake, as is a small `out`.
  std::size_t Seal(std::uint64_t counter, std::span<const std::byte> message, std::span<std::byte> out) noexcept;

  [[nodiscard]] std::uint64_t LastCounter() const noexcept { return m_lastCounter; }

 private:
  SecretKey m_key;
  Direction m_direction;
  Channel m_channel;
  std::uint64_t m_lastCounter = 0;
};

enum class OpenStatus : std::uint8_t {
  Ok,
  Truncated,  ///< shorter than a sealed envelope
  NotSealed,  ///< another kind of envelope
  Replayed,
  TooOld,
  Forged  ///< the tag does not fit: changed, of another connection, or made up
};

/// Opens what the other side sealed on one channel. [net]
class Opener {
 public:
  Opener(const SecretKey& key, Direction direction, Channel channel) noexcept;

  struct Opened {
    std::span<std::byte> message{};  ///< within the `out` that was passed
    std::uint64_t counter = 0;
  };

  /// Writes the message to `out` (at least `envelope.size()` bytes) and remembers its counter. A message that is not Ok
  /// changes nothing.
  OpenStatus Open(std::span<const std::byte> envelope, std::span<std::byte> out, Opened& opened) noexcept;

  [[nodiscard]] const ReplayWindow& Replay() const noexcept { return m_replay; }

 private:
  SecretKey m_key;
  Direction m_direction;
  Channel m_channel;
  ReplayWindow m_replay;
};

}  // namespace muster::protocol
