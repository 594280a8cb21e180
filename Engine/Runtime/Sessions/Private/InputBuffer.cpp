// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/InputBuffer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muster::sessions {

namespace {

constexpr std::int64_t kMostMarginTicks = 1'000;

}  // namespace

InputBuffer::InputBuffer(const InputBufferConfig& config) : m_config(config) {
  m_config.windowTicks = std::clamp<std::uint32_t>(m_config.windowTicks, 8, kMaxWindow);
  m_config.maxDepthTicks = std::clamp<std::uint32_t>(m_config.maxDepthTicks, 1, 30);
}

void InputBuffer::Receive(const protocol::InputMessage& message, std::uint32_t sequence, Tick serverTick) {
  // Every message repeats the controls of its predecessors, so only what is newer than all before tells about timing.
  const bool isNewest = sequence > m_newestSequence;
  if (isNewest) {
    m_newestSequence = sequence;
    NoteMargin(message.newestTick - serverTick);
  }

  const auto controls = message.Controls();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const auto age = static_cast<TickCount>(controls.size() - 1 - i);
    if (message.newestTick.Value() <= static_cast<std::uint64_t>(age)) {
      continue;  // before the first tick
    }
    const Tick tick = message.newestTick - age;
    const TickCount ahead = tick - serverTick;
    Entry& entry = m_entries[tick.Value() % kLength];
    if (ahead <= 0) {
      // Repeats of what was applied are expected; only a control that never made it is late.
      m_stats.late += isNewest && age == 0 ? 1U : 0U;
    } else if (ahead >= static_cast<TickCount>(kLength)) {
      m_stats.tooEarly += isNewest && age == 0 ? 1U : 0U;
    } else if (entry.tick != tick) {
      entry = {tick, controls[i]};
      ++m_stats.received;
    }
  }
}

InputBuffer::Taken InputBuffer::Take(Tick tick) {
  const Entry& entry = m_entries[tick.Value() % kLength];
  if (entry.tick == tick && tick.Value() != 0) {
    m_last = entry.sample;
    m_hasControl = true;
    m_heldTicks = 0;
    m_newestApplied = tick;
    return {protocol::Dequantise(m_last), true};
  }
  if (!m_hasControl) {
    return {};
  }
  ++m_stats.repeated;
  if (++m_heldTicks > m_config.maxHeldTicks) {
    m_last = {};
  }
  return {protocol::Dequantise(m_last), false};
}

std::int8_t InputBuffer::MarginOverTarget() const {
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(m_newestMargin - static_cast<std::int64_t>(m_fillTarget),
                                                           std::numeric_limits<std::int8_t>::min(),
                                                           std::numeric_limits<std::int8_t>::max()));
}

void InputBuffer::NoteMargin(std::int64_t marginTicks) {
  // A client may claim any tick: what is beyond every sane margin is told apart from nothing.
  m_newestMargin = std::clamp<std::int64_t>(marginTicks, -kMostMarginTicks, kMostMarginTicks);
  m_margins[m_marginNext] = static_cast<std::int16_t>(m_newestMargin);
  m_marginNext = (m_marginNext + 1) % m_config.windowTicks;
  m_marginCount = std::min(m_marginCount + 1, m_config.windowTicks);
  if (m_marginNext == 0 || m_marginCount == 8) {
    AdaptTarget();
  }
}

void InputBuffer::AdaptTarget() {
  double sum = 0;
  for (std::uint32_t i = 0; i < m_marginCount; ++i) {
    sum += m_margins[i];
  }
  const double mean = sum / m_marginCount;
  double deviation = 0;
  for (std::uint32_t i = 0; i < m_marginCount; ++i) {
    deviation += std::abs(m_margins[i] - mean);
  }
  deviation /= m_marginCount;

  const double wish = 1.0 + std::ceil(static_cast<double>(m_config.jitterMultiplier) * deviation - 0.25);
  const auto target = static_cast<std::uint32_t>(std::clamp(wish, 1.0, static_cast<double>(m_config.maxDepthTicks)));
  if (target > m_fillTarget || target + m_config.hysteresisTicks <= m_fillTarget) {
    m_fillTarget = target;
  }
}

}  // namespace muster::sessions
