// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The jitter buffer of one client's input. Controls are stamped with the tick they are for, so the buffer never builds
// up a delay of its own: each tick takes the control with its number, and what comes too late for its tick is only
// counted.
//
//   buffer.Receive(message, sequence, serverTick);        // whenever an input message arrived
//   const InputBuffer::Taken taken = buffer.Take(tick);   // once a tick
//   message.inputMargin = buffer.MarginOverTarget();      // tells the client to run earlier or later
//
// The fill target is how many ticks early input should arrive so that jitter does not make it late. It follows the
// spread of the last arrivals (`windowTicks`), between 1 and `maxDepthTicks`, and comes down only when it could by more
// than the hysteresis. The client slews its clock until its margin meets the target.
//
// Threads: [sim].
#pragma once

#include "Core/Tick.h"
#include "PluginApi/AiController.h"
#include "Protocol/InputMessage.h"

#include <array>
#include <cstdint>

namespace muster::sessions {

struct InputBufferConfig {
  std::uint32_t maxDepthTicks = 4;    ///< upper end of the fill target, 1..30
  std::uint32_t windowTicks = 60;     ///< arrivals that the target looks back on, 8..240
  std::uint32_t hysteresisTicks = 2;  ///< 0..8
  float jitterMultiplier = 2.0F;      ///< target = 1 + multiplier * mean deviation of the margin, 0..8
  std::uint32_t maxHeldTicks = 30;    ///< how long the last control is repeated before it becomes neutral
};

/// Counts since the session began.
struct InputStats {
  std::uint64_t received = 0;  ///< controls that were taken in time
  std::uint64_t late = 0;      ///< controls for a tick that was over
  std::uint64_t tooEarly = 0;  ///< controls more than the buffer's length ahead
  std::uint64_t repeated = 0;  ///< ticks that had to repeat the last control
};

class InputBuffer {
 public:
  explicit InputBuffer(const InputBufferConfig& config);

  /// Takes the controls of a message that arrived while `serverTick` was the last tick begun. `sequence` is its
  /// packet's: timing is judged by the newest packet, so that a client that corrects its clock backwards is believed at
  /// once.
  void Receive(const protocol::InputMessage& message, std::uint32_t sequence, Tick serverTick);

  struct Taken {
    mu_control control{};
    bool isFresh = false;  ///< false: repeated, or neutral
  };

  /// The control for `tick`; called once a tick, ticks ascending.
  Taken Take(Tick tick);

  /// The newest tick whose own control was applied; 0 before the first.
  [[nodiscard]] Tick NewestApplied() const { return m_newestApplied; }

  /// Ticks by which the newest message was early, less the fill target: 0 is right, negative is late, positive is delay
  /// that is not needed. Saturates at -128 and 127.
  [[nodiscard]] std::int8_t MarginOverTarget() const;

  [[nodiscard]] std::uint32_t FillTargetTicks() const { return m_fillTarget; }
  [[nodiscard]] const InputStats& Stats() const { return m_stats; }

 private:
  /// One second at 60 Hz and a bit: further ahead is a broken clock, not a lucky line.
  static constexpr std::uint32_t kLength = 64;
  static constexpr std::uint32_t kMaxWindow = 240;

  struct Entry {
    Tick tick{};
    protocol::ControlSample sample{};
  };

  void NoteMargin(std::int64_t marginTicks);
  void AdaptTarget();

  InputBufferConfig m_config;
  std::array<Entry, kLength> m_entries{};
  std::array<std::int16_t, kMaxWindow> m_margins{};
  std::uint32_t m_marginCount = 0;
  std::uint32_t m_marginNext = 0;
  std::int64_t m_newestMargin = 0;
  std::uint32_t m_fillTarget = 1;
  std::uint32_t m_newestSequence = 0;
  Tick m_newestApplied{};
  protocol::ControlSample m_last{};
  std::uint32_t m_heldTicks = 0;
  bool m_hasControl = false;
  InputStats m_stats;
};

}  // namespace muster::sessions
