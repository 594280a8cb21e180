// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Hostile datagrams without end: the same seed and captures give the same ones.
//
//   DatagramMaker maker{1, relay->Captured()};
//   std::span<const std::byte> datagram = maker.Next();        // valid until the next call
//
// Most of them are made of what a real client of the transport in use sent: whole, cut, changed, joined, or with its head
// and noise behind it. So they look like that transport's packets, whichever it is. Beside them: noise, nothing at all,
// and heads of ENet's and of our UDP transport's whose numbers lie.
#pragma once

#include "CaptureRelay.h"

#include "Core/Random.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace muster::gate {

enum class DatagramFamily : std::uint8_t {
  Noise,     ///< 1 to 1,400 random bytes
  Empty,     ///< no byte
  Replayed,  ///< as it was, from another address
  Cut,       ///< the front of one, of any length
  Flipped,   ///< with 1 to 8 bits changed
  Spliced,   ///< the front of one and the rear of another
  Opening,   ///< one of the first of a connection, cut or changed, also whole
  Sealed,    ///< the head of one with noise where the sealed bytes were
  Command,   ///< an ENet header with commands whose numbers lie
  Frame      ///< a head of our own UDP transport, of any kind, with noise behind
};

inline constexpr std::size_t kDatagramFamilyCount = 10;

/// Sizes beyond what a receiver with a 4 KiB buffer can take in, one after the other.
inline constexpr std::array<std::size_t, 3> kOversizeBytes{4'097, 9'000, 65'507};

std::string_view ToString(DatagramFamily family);

class DatagramMaker {
 public:
  /// Without captures those families that are made of them are noise. The captures are in the order they were sent.
  DatagramMaker(std::uint64_t seed, std::vector<Datagram> captures);

  /// At most 1,400 bytes, or as many as the largest capture.
  std::span<const std::byte> Next();
  /// One of kOversizeBytes, its front that of a capture.
  std::span<const std::byte> NextOversize();

  /// Of the newest; how many of each there were.
  [[nodiscard]] DatagramFamily Family() const { return m_family; }
  [[nodiscard]] const std::array<std::uint64_t, kDatagramFamilyCount>& Counts() const { return m_counts; }

 private:
  void Make(DatagramFamily family);
  const Datagram& AnyCapture();
  void AppendNoise(std::size_t bytes);
  void FlipBits(std::uint64_t most);
  void MakeCommands();
  void MakeFrame();

  Random m_random;
  std::vector<Datagram> m_captures;
  std::size_t m_openings;  ///< how many of the captures open a connection
  std::vector<std::byte> m_datagram;
  DatagramFamily m_family = DatagramFamily::Noise;
  std::array<std::uint64_t, kDatagramFamilyCount> m_counts{};
  std::uint64_t m_made = 0;
  std::uint64_t m_oversize = 0;
};

}  // namespace muster::gate
