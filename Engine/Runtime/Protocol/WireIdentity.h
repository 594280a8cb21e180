// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What must be equal on both sides before a client may join: the codec, and the plugins that change what is on the
// wire.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace muster::protocol {

inline constexpr std::size_t kMaxCodecNameBytes = 64;
inline constexpr std::size_t kMaxPluginIdBytes = 64;
inline constexpr std::size_t kMaxPluginVersionBytes = 24;
inline constexpr std::size_t kMaxWirePlugins = 8;

struct WirePlugin {
  std::string id{};       ///< `muster.codec.quantized`; 1..kMaxPluginIdBytes printable characters
  std::string version{};  ///< `1.2.0`; 1..kMaxPluginVersionBytes printable characters

  friend bool operator==(const WirePlugin&, const WirePlugin&) = default;
};

struct WireIdentity {
  std::string codecName{};  ///< id of the codec plugin; 1..kMaxCodecNameBytes printable characters
  std::uint32_t codecWireVersion = 0;
  /// Digest over the lock entries of all wire-affecting plugins. It decides; the list below only explains.
  std::array<std::byte, 32> lockDigest{};
  /// At most kMaxWirePlugins are told to the other side, so that a refusal can name the difference. May be empty.
  std::vector<WirePlugin> plugins{};

  friend bool operator==(const WireIdentity&, const WireIdentity&) = default;
};

}  // namespace muster::protocol
