// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "DatagramMaker.h"

#include <algorithm>
#include <utility>

namespace muster::gate {

namespace {

constexpr std::size_t kMostNoiseBytes = 1'400;
/// A join takes about eight datagrams.
constexpr std::size_t kOpeningDatagrams = 8;
/// Behind so many bytes at most the sealed part of a packet begins.
constexpr std::size_t kMostHeadBytes = 24;
constexpr std::uint64_t kMostFlips = 8;

// ENet's wire: a 16-bit peer with flags, a 16-bit time when the flag says so, then commands of a fixed size by kind, some
// with a length of payload behind. Network byte order.
constexpr std::uint16_t kEnetSentTime = 0x8000;
constexpr std::uint16_t kEnetSessions = 0x3000;
constexpr std::uint64_t kEnetPeers = 96;
constexpr std::array<std::size_t, 13> kEnetFixedBytes{4, 8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24};
constexpr std::uint64_t kMostCommands = 4;

// Our UDP transport's wire: kind and flags in one byte, the receiver's 56-bit id, then what the kind says. What opens a
// connection is padded with zeroes to a fixed size.
constexpr std::uint64_t kFrameKinds = 8;
constexpr std::size_t kFrameHeadBytes = 8;
constexpr std::size_t kFrameOpeningBytes = 64;
constexpr std::uint64_t kMostFrameNoise = 200;

void Append16(std::vector<std::byte>& out, std::uint64_t value) {
  out.push_back(static_cast<std::byte>((value >> 8U) & 0xffU));
  out.push_back(static_cast<std::byte>(value & 0xffU));
}

}  // namespace

std::string_view ToString(DatagramFamily family) {
  constexpr std::array<std::string_view, kDatagramFamilyCount> kNames{
      "noise", "empty", "replayed", "cut", "flipped", "spliced", "opening", "sealed", "command", "frame"};
  return kNames[static_cast<std::size_t>(family)];
}

DatagramMaker::DatagramMaker(std::uint64_t seed, std::vector<Datagram> captures)
    : m_random(seed), m_captures(std::move(captures)) {
  std::erase_if(m_captures, [](const Datagram& datagram) { return datagram.empty(); });
  m_openings = std::min(m_captures.size(), kOpeningDatagrams);
}

std::span<const std::byte> DatagramMaker::Next() {
  auto family = static_cast<DatagramFamily>(m_made++ % kDatagramFamilyCount);
  const bool isMadeOfNothing =
      family == DatagramFamily::Empty || family == DatagramFamily::Command || family == DatagramFamily::Frame;
  if (m_captures.empty() && !isMadeOfNothing) {
    family = DatagramFamily::Noise;
  }
  m_family = family;
  ++m_counts[static_cast<std::size_t>(family)];
  m_datagram.clear();
  Make(family);
  return m_datagram;
}

std::span<const std::byte> DatagramMaker::NextOversize() {
  m_datagram.clear();
  if (!m_captures.empty()) {
    m_datagram = AnyCapture();
  }
  const std::size_t size = kOversizeBytes[m_oversize++ % kOversizeBytes.size()];
  // Zeroes: noise of that length would be the generator's whole time.
  m_datagram.resize(size);
  return m_datagram;
}

void DatagramMaker::Make(DatagramFamily family) {
  switch (family) {
    case DatagramFamily::Noise:
      AppendNoise(1 + m_random.NextBelow(kMostNoiseBytes));
      break;
    case DatagramFamily::Empty:
      break;
    case DatagramFamily::Replayed:
      m_datagram = AnyCapture();
      break;
    case DatagramFamily::Cut:
      m_datagram = AnyCapture();
      m_datagram.resize(m_random.NextBelow(m_datagram.size()));
      break;
    case DatagramFamily::Flipped:
      m_datagram = AnyCapture();
      FlipBits(kMostFlips);
      break;
    case DatagramFamily::Spliced: {
      m_datagram = AnyCapture();
      m_datagram.resize(m_random.NextBelow(m_datagram.size() + 1));
      const Datagram& rear = AnyCapture();
      const auto from = static_cast<std::ptrdiff_t>(m_random.NextBelow(rear.size()));
      m_datagram.insert(m_datagram.end(), rear.begin() + from, rear.end());
      break;
    }
    case DatagramFamily::Opening:
      m_datagram = m_captures[m_random.NextBelow(m_openings)];
      if (m_random.NextChance(0.4)) {
        m_datagram.resize(m_random.NextBelow(m_datagram.size()));
      } else if (m_random.NextChance(0.7)) {
        FlipBits(kMostFlips);
      }
      break;
    case DatagramFamily::Sealed: {
      m_datagram = AnyCapture();
      const std::size_t size = m_datagram.size();
      m_datagram.resize(std::min<std::size_t>(size, 1 + m_random.NextBelow(kMostHeadBytes)));
      AppendNoise(size - m_datagram.size());
      break;
    }
    case DatagramFamily::Command:
      MakeCommands();
      break;
    case DatagramFamily::Frame:
      MakeFrame();
      break;
  }
}

const Datagram& DatagramMaker::AnyCapture() {
  return m_captures[m_random.NextBelow(m_captures.size())];
}

void DatagramMaker::AppendNoise(std::size_t bytes) {
  for (std::size_t left = bytes; left > 0;) {
    std::uint64_t word = m_random.Next();
    for (std::size_t i = 0; i < sizeof word && left > 0; ++i, --left) {
      m_datagram.push_back(static_cast<std::byte>(word & 0xffU));
      word >>= 8U;
    }
  }
}

void DatagramMaker::FlipBits(std::uint64_t most) {
  for (std::uint64_t flips = 1 + m_random.NextBelow(most); flips > 0; --flips) {
    m_datagram[m_random.NextBelow(m_datagram.size())] ^= static_cast<std::byte>(1U << m_random.NextBelow(8));
  }
}

void DatagramMaker::MakeCommands() {
  const bool isTimed = m_random.NextChance(0.7);
  Append16(m_datagram,
           m_random.NextBelow(kEnetPeers) | (m_random.Next() & kEnetSessions) | (isTimed ? kEnetSentTime : 0U));
  if (isTimed) {
    Append16(m_datagram, m_random.Next());
  }
  for (std::uint64_t commands = 1 + m_random.NextBelow(kMostCommands); commands > 0; --commands) {
    const std::uint64_t command = m_random.NextBelow(kEnetFixedBytes.size());
    const std::size_t begin = m_datagram.size();
    AppendNoise(kEnetFixedBytes[command]);
    m_datagram[begin] = static_cast<std::byte>(command | (m_random.Next() & 0xc0U));
    // Whatever length the numbers claim, so much follows.
    AppendNoise(m_random.NextBelow(64));
  }
}

void DatagramMaker::MakeFrame() {
  // The true id of the captured client's connection, a made-up one, or none.
  if (!m_captures.empty() && m_random.NextChance(0.5)) {
    m_datagram = AnyCapture();
    m_datagram.resize(kFrameHeadBytes);
  } else if (m_random.NextChance(0.5)) {
    AppendNoise(kFrameHeadBytes);
  } else {
    m_datagram.resize(kFrameHeadBytes);
  }
  m_datagram[0] = static_cast<std::byte>((1 + m_random.NextBelow(kFrameKinds)) | (m_random.Next() & 0xf0U));
  AppendNoise(m_random.NextBelow(kMostFrameNoise));
  if (m_datagram.size() < kFrameOpeningBytes && m_random.NextChance(0.5)) {
    m_datagram.resize(kFrameOpeningBytes);
  }
}

}  // namespace muster::gate
