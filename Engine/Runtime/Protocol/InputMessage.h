// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a client sends 60 times a second: the controls of its last few ticks, so that a lost packet loses none of them,
// and what it is missing. Unreliable channel; fixed capacity, so neither side allocates.
//
//   MessageType::Input    8 bits
//   newestTick            64 bits: the client's estimate of the server tick that the newest control is for
//   newestSnapshotTick    64 bits: tick of the newest snapshot decoded, 0 for none
//   controlCount          8 bits, 1..8
//   controls              oldest first, consecutive ticks: throttle u16, elevator, aileron, rudder i16, buttons u16
//   needAbsoluteCount     8 bits, 0..32
//   needAbsolute          net ids, 32 bits each, none of them 0
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "PluginApi/AiController.h"
#include "Protocol/DecodeStatus.h"
#include "Protocol/Wire.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::protocol {

inline constexpr std::size_t kMaxInputControls = 8;
inline constexpr std::size_t kMaxNeedAbsolute = 32;

/// A control as it travels. Quantising what was dequantised gives the same again.
struct ControlSample {
  std::uint16_t throttle = 0;  ///< 0..65535 is 0..1
  std::int16_t elevator = 0;   ///< -32767..32767 is -1..1; -32768 does not travel
  std::int16_t aileron = 0;
  std::int16_t rudder = 0;
  std::uint16_t buttons = 0;  ///< low 16 of MU_BUTTON_*

  friend bool operator==(const ControlSample&, const ControlSample&) = default;
};

/// Clamps to the ranges of mu_control; what is no finite number becomes 0. [any]
ControlSample Quantise(const mu_control& control) noexcept;
/// Every bit pattern gives values within mu_control's ranges. [any]
mu_control Dequantise(const ControlSample& sample) noexcept;

struct InputMessage {
  Tick newestTick{};
  Tick newestSnapshotTick{};
  std::uint8_t controlCount = 0;  ///< 1..kMaxInputControls when encoded
  std::array<ControlSample, kMaxInputControls> controls{};
  std::uint8_t needAbsoluteCount = 0;
  std::array<NetId, kMaxNeedAbsolute> needAbsolute{};

  /// Control of tick `newestTick - (controlCount - 1) + i`.
  [[nodiscard]] std::span<const ControlSample> Controls() const noexcept { return {controls.data(), controlCount}; }
  [[nodiscard]] std::span<const NetId> NeedAbsolute() const noexcept {
    return {needAbsolute.data(), needAbsoluteCount};
  }
};

inline constexpr std::size_t kMaxInputMessageBytes = 1 + 8 + 8 + 1 + kMaxInputControls * 10 + 1 + kMaxNeedAbsolute * 4;

/// Writes the message into `out` and returns how many bytes it took. Counts beyond their limits, a count of no controls
/// and a buffer smaller than the message are the caller's mistake. [any]
std::size_t Encode(const InputMessage& message, std::span<std::byte> out);

/// [any]
DecodeStatus Decode(std::span<const std::byte> bytes, InputMessage& message);

}  // namespace muster::protocol
