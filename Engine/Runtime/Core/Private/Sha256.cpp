// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace muster {
namespace {

// FIPS 180-4, 4.2.2 and 5.3.3: fractional bits of the cube roots of the first 64 primes, and of the square roots of the
// first eight.
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::array<std::uint32_t, 8> kInitial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::size_t kSha256BlockBytes = 64;
constexpr std::size_t kLengthBytes = 8;

std::uint32_t LoadBigEndian(const std::byte* from) noexcept {
  return (std::to_integer<std::uint32_t>(from[0]) << 24) | (std::to_integer<std::uint32_t>(from[1]) << 16) |
         (std::to_integer<std::uint32_t>(from[2]) << 8) | std::to_integer<std::uint32_t>(from[3]);
}

int HexDigit(char letter) noexcept {
  if (letter >= '0' && letter <= '9') {
    return letter - '0';
  }
  if (letter >= 'a' && letter <= 'f') {
    return letter - 'a' + 10;
  }
  return letter >= 'A' && letter <= 'F' ? letter - 'A' + 10 : -1;
}

}  // namespace

Sha256::Sha256() noexcept : m_state(kInitial) {}

void Sha256::ProcessBlock(const std::byte* block) noexcept {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) {
    w[t] = LoadBigEndian(block + 4 * t);
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t near = w[t - 2];
    const std::uint32_t far = w[t - 15];
    const std::uint32_t sigma1 = std::rotr(near, 17) ^ std::rotr(near, 19) ^ (near >> 10);
    const std::uint32_t sigma0 = std::rotr(far, 7) ^ std::rotr(far, 18) ^ (far >> 3);
    w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = m_state;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t t1 = h + sum1 + choice + kRound[t] + w[t];
    const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t t2 = sum0 + majority;
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> worked{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < m_state.size(); ++i) {
    m_state[i] += worked[i];
  }
}

void Sha256::Update(std::span<const std::byte> bytes) noexcept {
  m_totalBytes += bytes.size();
  if (m_pendingBytes > 0) {
    const std::size_t taken = std::min(bytes.size(), kSha256BlockBytes - m_pendingBytes);
    std::copy_n(bytes.data(), taken, m_pending.data() + m_pendingBytes);
    m_pendingBytes += taken;
    bytes = bytes.subspan(taken);
    if (m_pendingBytes < kSha256BlockBytes) {
      return;
    }
    ProcessBlock(m_pending.data());
    m_pendingBytes = 0;
  }
  for (; bytes.size() >= kSha256BlockBytes; bytes = bytes.subspan(kSha256BlockBytes)) {
    ProcessBlock(bytes.data());
  }
  std::copy_n(bytes.data(), bytes.size(), m_pending.data());
  m_pendingBytes = bytes.size();
}

Sha256Digest Sha256::Finish() noexcept {
  const std::uint64_t totalBits = m_totalBytes * 8;
  m_pending[m_pendingBytes++] = std::byte{0x80};
  if (m_pendingBytes > kSha256BlockBytes - kLengthBytes) {
    std::fill(m_pending.data() + m_pendingBytes, m_pending.data() + kSha256BlockBytes, std::byte{0});
    ProcessBlock(m_pending.data());
    m_pendingBytes = 0;
  }
  std::fill(m_pending.data() + m_pendingBytes, m_pending.data() + kSha256BlockBytes - kLengthBytes, std::byte{0});
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    m_pending[kSha256BlockBytes - 1 - i] = static_cast<std::byte>(totalBits >> (8 * i));
  }
  ProcessBlock(m_pending.data());

  Sha256Digest digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::byte>(m_state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return digest;
}

Sha256Digest Sha256Of(std::span<const std::byte> bytes) noexcept {
  Sha256 hash;
  hash.Update(bytes);
  return hash.Finish();
}

std::string ToHex(const Sha256Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(digest.size() * 2);
  for (const std::byte value : digest) {
    text += digits[std::to_integer<std::size_t>(value >> 4)];
    text += digits[std::to_integer<std::size_t>(value & std::byte{0x0F})];
  }
  return text;
}

std::optional<Sha256Digest> Sha256FromHex(std::string_view text) noexcept {
  Sha256Digest digest{};
  if (text.size() != digest.size() * 2) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = HexDigit(text[2 * i]);
    const int low = HexDigit(text[2 * i + 1]);
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    digest[i] = static_cast<std::byte>(high * 16 + low);
  }
  return digest;
}

}  // namespace muster
