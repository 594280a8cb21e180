// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Frames of one size in a circle, for one thread that fills and one that empties. Neither ever waits.
#pragma once

#include "Recording/RecordingWriter.h"

#include "Core/Assert.h"
#include "Core/Bytes.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace muster::recording {

class RecordingWriter::FrameRing {
 public:
  /// Memory is not touched until a frame is filled.
  FrameRing(std::size_t count, std::size_t bytesEach)
      : m_bytesEach{bytesEach}, m_used(count, 0), m_memory{new std::uint8_t[count * bytesEach]} {}

  [[nodiscard]] std::size_t BytesEach() const { return m_bytesEach; }

  /// The next frame to fill; empty when all are full.
  std::span<std::uint8_t> Free() {
    const std::uint64_t filled = m_filled.load(std::memory_order_relaxed);
    if (filled - m_emptied.load(std::memory_order_acquire) == m_used.size()) {
      return {};
    }
    return Frame(filled);
  }
  /// Hands over the frame that Free gave, of which `bytes` count.
  void Publish(std::size_t bytes) {
    MUSTER_ASSERT(bytes <= m_bytesEach, "more than the frame holds");
    const std::uint64_t filled = m_filled.load(std::memory_order_relaxed);
    m_used[filled % m_used.size()] = bytes;
    m_filled.store(filled + 1, std::memory_order_release);
  }

  /// The oldest full frame; empty when there is none.
  std::span<std::uint8_t> Oldest() {
    const std::uint64_t emptied = m_emptied.load(std::memory_order_relaxed);
    if (emptied == m_filled.load(std::memory_order_acquire)) {
      return {};
    }
    return Frame(emptied).first(m_used[emptied % m_used.size()]);
  }
  void Pop() { m_emptied.store(m_emptied.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  std::span<std::uint8_t> Frame(std::uint64_t number) {
    return {m_memory.get() + number % m_used.size() * m_bytesEach, m_bytesEach};
  }

  std::size_t m_bytesEach;
  std::vector<std::size_t> m_used;
  std::unique_ptr<std::uint8_t[]> m_memory;
  alignas(kCacheLineBytes) std::atomic<std::uint64_t> m_filled{0};
  alignas(kCacheLineBytes) std::atomic<std::uint64_t> m_emptied{0};
};

}  // namespace muster::recording
