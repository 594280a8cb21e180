// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/Sealing.h"

#include "Core/Assert.h"
#include "Spans.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>

namespace muster::protocol {

static_assert(crypto_kx_PUBLICKEYBYTES == kPublicKeyBytes && crypto_kx_SECRETKEYBYTES == kKeyBytes &&
              crypto_kx_SESSIONKEYBYTES == kKeyBytes);
static_assert(crypto_aead_chacha20poly1305_ietf_KEYBYTES == kKeyBytes &&
              crypto_aead_chacha20poly1305_ietf_ABYTES == kSealTagBytes);

namespace {

using Nonce = std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES>;

Nonce MakeNonce(Channel channel, Direction direction, std::uint64_t counter) noexcept {
  Nonce nonce{};
  nonce[0] = static_cast<unsigned char>(channel);
  nonce[1] = static_cast<unsigned char>(direction);
  std::memcpy(nonce.data() + 4, &counter, sizeof counter);
  return nonce;
}

unsigned char* Raw(std::byte* bytes) noexcept {
  return reinterpret_cast<unsigned char*>(bytes);
}
const unsigned char* Raw(const std::byte* bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes);
}

/// Binds a key of the exchange to what was said in clear.
SecretKey BindToTranscript(const SecretKey& exchanged, const TranscriptHash& transcript) noexcept {
  SecretKey bound;
  crypto_generichash(bound.Data(), kKeyBytes, Raw(transcript.data()), transcript.size(), exchanged.Data(), kKeyBytes);
  return bound;
}

}  // namespace

SecretKey::~SecretKey() {
  sodium_memzero(m_bytes.data(), m_bytes.size());
}

bool InitialiseSealing() noexcept {
  return sodium_init() >= 0;
}

void FillRandom(std::span<std::byte> out) noexcept {
  randombytes_buf(out.data(), out.size());
}

TranscriptHash Transcript(std::span<const std::byte> clientHello, std::span<const std::byte> serverHello) noexcept {
  // The length in front keeps two different pairs from giving the same bytes.
  const std::uint64_t clientBytes = clientHello.size();
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, sizeof(TranscriptHash));
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&clientBytes), sizeof clientBytes);
  crypto_generichash_update(&state, Raw(clientHello.data()), clientHello.size());
  crypto_generichash_update(&state, Raw(serverHello.data()), serverHello.size());
  TranscriptHash hash;
  crypto_generichash_final(&state, Raw(hash.data()), hash.size());
  return hash;
}

KeyExchange::KeyExchange() noexcept {
  crypto_kx_keypair(Raw(m_public.data()), m_secret.Data());
}

std::optional<SessionKeys> KeyExchange::ClientKeys(const PublicKey& server,
                                                   const TranscriptHash& transcript) const noexcept {
  SessionKeys raw;
  if (crypto_kx_client_session_keys(raw.receive.Data(), raw.send.Data(), Raw(m_public.data()), m_secret.Data(),
                                    Raw(server.data())) != 0) {
    return std::nullopt;
  }
  return SessionKeys{BindToTranscript(raw.send, transcript), BindToTranscript(raw.receive, transcript)};
}

std::optional<SessionKeys> KeyExchange::ServerKeys(const PublicKey& client,
                                                   const TranscriptHash& transcript) const noexcept {
  SessionKeys raw;
  if (crypto_kx_server_session_keys(raw.receive.Data(), raw.send.Data(), Raw(m_public.data()), m_secret.Data(),
                                    Raw(client.data())) != 0) {
    return std::nullopt;
  }
  return SessionKeys{BindToTranscript(raw.send, transcript), BindToTranscript(raw.receive, transcript)};
}

ReplayWindow::Verdict ReplayWindow::Check(std::uint64_t counter) const noexcept {
  if (!m_any || counter > m_newest) {
    return Verdict::Fresh;
  }
  // A difference, never a sum: near 2^64 a sum would wrap and let everything pass.
  if (m_newest - counter >= kWidth) {
    return Verdict::TooOld;
  }
  const std::uint64_t bit = counter % kWidth;
  return (m_seen[bit / 64] >> (bit % 64) & 1u) != 0 ? Verdict::Replayed : Verdict::Fresh;
}

void ReplayWindow::Accept(std::uint64_t counter) noexcept {
  if (!m_any) {
    m_any = true;
    m_newest = counter;
  } else if (counter > m_newest) {
    const std::uint64_t ahead = counter - m_newest;
    if (ahead >= kWidth) {
      m_seen = {};
    } else {
      for (std::uint64_t i = 1; i <= ahead; ++i) {
        const std::uint64_t stale = (m_newest + i) % kWidth;
        m_seen[stale / 64] &= ~(std::uint64_t{1} << (stale % 64));
      }
    }
    m_newest = counter;
  }
  const std::uint64_t bit = counter % kWidth;
  m_seen[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

std::uint64_t ReconstructCounter(std::uint32_t low, std::uint64_t newest) noexcept {
  constexpr std::uint64_t kSpan = std::uint64_t{1} << 32;
  constexpr std::uint64_t kHalf = kSpan / 2;
  const std::uint64_t same = (newest & ~(kSpan - 1)) | low;
  if (same < newest && newest - same > kHalf && same <= UINT64_MAX - kSpan) {
    return same + kSpan;
  }
  if (same > newest && same - newest > kHalf && same >= kSpan) {
    return same - kSpan;
  }
  return same;
}

Sealer::Sealer(const SecretKey& key, Direction direction, Channel channel) noexcept
    : m_key(key), m_direction(direction), m_channel(channel) {}

std::size_t Sealer::Seal(std::uint64_t counter, std::span<const std::byte> message, std::span<std::byte> out) noexcept {
  MUSTER_ASSERT_ALWAYS(counter > m_lastCounter, "a counter is never used twice");
  MUSTER_ASSERT(out.size() >= message.size() + kSealOverheadBytes, "room for the message and its seal");
  m_lastCounter = counter;
  serialization::ByteWriter writer(AsU8(out));
  writer.WriteU8(static_cast<std::uint8_t>(EnvelopeKind::Sealed));
  writer.WriteU32(static_cast<std::uint32_t>(counter));
  const Nonce nonce = MakeNonce(m_channel, m_direction, counter);
  unsigned long long sealedBytes = 0;
  crypto_aead_chacha20poly1305_ietf_encrypt(Raw(out.data()) + kEnvelopeClearBytes, &sealedBytes, Raw(message.data()),
                                            message.size(), Raw(out.data()), kEnvelopeClearBytes, nullptr, nonce.data(),
                                            m_key.Data());
  return kEnvelopeClearBytes + static_cast<std::size_t>(sealedBytes);
}

Opener::Opener(const SecretKey& key, Direction direction, Channel channel) noexcept
    : m_key(key), m_direction(direction), m_channel(channel) {}

OpenStatus Opener::Open(std::span<const std::byte> envelope, std::span<std::byte> out, Opened& opened) noexcept {
  if (envelope.size() < kSealOverheadBytes) {
    return OpenStatus::Truncated;
  }
  if (envelope[0] != static_cast<std::byte>(EnvelopeKind::Sealed)) {
    return OpenStatus::NotSealed;
  }
  const std::size_t messageBytes = envelope.size() - kSealOverheadBytes;
  MUSTER_ASSERT(out.size() >= messageBytes, "room for the message");
  std::uint32_t low = 0;
  std::memcpy(&low, envelope.data() + 1, sizeof low);
  const std::uint64_t counter = ReconstructCounter(low, m_replay.Newest());
  switch (m_replay.Check(counter)) {
    case ReplayWindow::Verdict::Replayed:
      return OpenStatus::Replayed;
    case ReplayWindow::Verdict::TooOld:
      return OpenStatus::TooOld;
    case ReplayWindow::Verdict::Fresh:
      break;
  }
  const Nonce nonce = MakeNonce(m_channel, m_direction, counter);
  unsigned long long openedBytes = 0;
  if (crypto_aead_chacha20poly1305_ietf_decrypt(Raw(out.data()), &openedBytes, nullptr,
                                                Raw(envelope.data()) + kEnvelopeClearBytes,
                                                envelope.size() - kEnvelopeClearBytes, Raw(envelope.data()),
                                                kEnvelopeClearBytes, nonce.data(), m_key.Data()) != 0) {
    return OpenStatus::Forged;
  }
  m_replay.Accept(counter);
  opened.message = out.first(static_cast<std::size_t>(openedBytes));
  opened.counter = counter;
  return OpenStatus::Ok;
}

}  // namespace muster::protocol
