// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace muster {

/// 32 bytes, most significant first, as FIPS 180-4 writes them.
using Sha256Digest = std::array<std::byte, 32>;

/// SHA-256 after FIPS 180-4, for contents whose identity must be trusted: libraries, descriptors, levels.
/// One object hashes one message. [any]
class Sha256 {
 public:
  Sha256() noexcept;

  void Update(std::span<const std::byte> bytes) noexcept;

  /// Ends the message. The object is spent after it.
  [[nodiscard]] Sha256Digest Finish() noexcept;

 private:
  void ProcessBlock(const std::byte* block) noexcept;

  std::array<std::uint32_t, 8> m_state;
  std::array<std::byte, 64> m_pending{};
  std::size_t m_pendingBytes = 0;
  std::uint64_t m_totalBytes = 0;
};

[[nodiscard]] Sha256Digest Sha256Of(std::span<const std::byte> bytes) noexcept;

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string ToHex(const Sha256Digest& digest);

/// The reverse; nothing unless the text is exactly 64 hexadecimal digits of either case.
[[nodiscard]] std::optional<Sha256Digest> Sha256FromHex(std::string_view text) noexcept;

}  // namespace muster
