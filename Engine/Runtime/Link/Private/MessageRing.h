// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Records with bytes behind them, from one thread to another, in order. Both live in one block of memory that is
// allocated once: a steady stream allocates nothing, whatever the sizes.
#pragma once

#include "Core/Assert.h"
#include "Core/Bytes.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace muster::link {

/// A bounded ring between one producer and one consumer. Never blocks.
template <class Record>
class MessageRing {
  static_assert(std::is_trivially_copyable_v<Record>, "records are copied as bytes");

 public:
  explicit MessageRing(std::size_t bytes)
      : m_capacity(std::bit_ceil(bytes)), m_memory(std::make_unique<std::byte[]>(m_capacity)) {}

  /// False when there is no room. [producer]
  bool TryPush(const Record& record, std::span<const std::byte> payload) noexcept {
    const std::size_t needed = EntryBytes(payload.size());
    const std::size_t at = m_pushed.load(std::memory_order_relaxed);
    const std::size_t toEnd = m_capacity - at % m_capacity;
    const std::size_t skipped = toEnd < needed ? toEnd : 0;
    if (needed + skipped > m_capacity - (at - m_popped.load(std::memory_order_acquire))) {
      return false;
    }
    if (skipped != 0) {
      Put(at, Head{skipped, kSkip});
    }
    std::byte* entry = m_memory.get() + (at + skipped) % m_capacity;
    Put(at + skipped, Head{needed, payload.size()});
    std::memcpy(entry + sizeof(Head), &record, sizeof record);
    if (!payload.empty()) {
      std::memcpy(entry + kFrontBytes, payload.data(), payload.size());
    }
    m_pushed.store(at + skipped + needed, std::memory_order_release);
    return true;
  }

  /// True when pushes with these payloads would succeed, whatever the wrap costs. [producer]
  [[nodiscard]] bool HasRoom(std::size_t payloadA, std::size_t payloadB) const noexcept {
    const std::size_t largest = EntryBytes(payloadA > payloadB ? payloadA : payloadB);
    const std::size_t needed = EntryBytes(payloadA) + EntryBytes(payloadB) + largest;
    return needed <= m_capacity - (m_pushed.load(std::memory_order_relaxed) - m_popped.load(std::memory_order_acquire));
  }

  /// The oldest entry, which stays until Pop; false when there is none. [consumer]
  bool Peek(Record& record, std::span<const std::byte>& payload) noexcept {
    for (;;) {
      const std::size_t at = m_popped.load(std::memory_order_relaxed);
      if (at == m_pushed.load(std::memory_order_acquire)) {
        return false;
      }
      const std::byte* entry = m_memory.get() + at % m_capacity;
      Head head;
      std::memcpy(&head, entry, sizeof head);
      if (head.payloadBytes == kSkip) {
        m_popped.store(at + head.entryBytes, std::memory_order_release);
        continue;
      }
      std::memcpy(&record, entry + sizeof head, sizeof record);
      payload = {entry + kFrontBytes, head.payloadBytes};
      return true;
    }
  }

  /// Gives up what Peek showed. [consumer]
  void Pop() noexcept {
    const std::size_t at = m_popped.load(std::memory_order_relaxed);
    Head head;
    std::memcpy(&head, m_memory.get() + at % m_capacity, sizeof head);
    m_popped.store(at + head.entryBytes, std::memory_order_release);
  }

  /// Largest payload that fits an empty ring wherever its ends are.
  [[nodiscard]] std::size_t MaxPayloadBytes() const noexcept { return m_capacity / 2 - kFrontBytes - kAlign; }

 private:
  struct Head {
    std::size_t entryBytes;
    std::size_t payloadBytes;
  };
  static constexpr std::size_t kSkip = ~std::size_t{0};
  static constexpr std::size_t kAlign = 16;
  static constexpr std::size_t kFrontBytes = (sizeof(Head) + sizeof(Record) + kAlign - 1) / kAlign * kAlign;
  static_assert(sizeof(Head) <= kAlign, "a head always fits before the end");

  static std::size_t EntryBytes(std::size_t payloadBytes) noexcept {
    return kFrontBytes + (payloadBytes + kAlign - 1) / kAlign * kAlign;
  }
  void Put(std::size_t at, Head head) noexcept { std::memcpy(m_memory.get() + at % m_capacity, &head, sizeof head); }

  const std::size_t m_capacity;
  std::unique_ptr<std::byte[]> m_memory;
  alignas(kCacheLineBytes) std::atomic<std::size_t> m_pushed{0};
  alignas(kCacheLineBytes) std::atomic<std::size_t> m_popped{0};
};

/// A ring whose producer may keep back what must not be lost. While something is kept back, what may be lost is lost,
/// so that nothing overtakes.
template <class Record>
class MessageQueue {
 public:
  MessageQueue(std::size_t ringBytes, std::size_t overflowBytes) : m_ring(ringBytes), m_overflowLimit(overflowBytes) {}

  /// For what may be lost. [producer]
  bool TryPush(const Record& record, std::span<const std::byte> payload) noexcept {
    return m_overflow.empty() && m_ring.TryPush(record, payload);
  }
  [[nodiscard]] bool HasRoom(std::size_t payloadA, std::size_t payloadB) const noexcept {
    return m_overflow.empty() && m_ring.HasRoom(payloadA, payloadB);
  }

  /// For what must arrive; false only when the bytes kept back reach their limit. [producer]
  bool Push(const Record& record, std::span<const std::byte> payload) {
    if (TryPush(record, payload)) {
      return true;
    }
    if (m_overflowBytes + payload.size() + sizeof(Record) > m_overflowLimit) {
      return false;
    }
    m_overflowBytes += payload.size() + sizeof(Record);
    m_overflow.push_back({record, {payload.begin(), payload.end()}});
    return true;
  }

  /// For the few that must arrive even then; they carry nothing. [producer]
  void PushOverLimit(const Record& record) {
    if (!TryPush(record, {})) {
      m_overflowBytes += sizeof(Record);
      m_overflow.push_back({record, {}});
    }
  }

  /// Moves what was kept back into the ring, as far as it fits. [producer]
  void Flush() {
    while (!m_overflow.empty() && m_ring.TryPush(m_overflow.front().record, m_overflow.front().payload)) {
      m_overflowBytes -= m_overflow.front().payload.size() + sizeof(Record);
      m_overflow.pop_front();
    }
  }

  /// [consumer]
  bool Peek(Record& record, std::span<const std::byte>& payload) noexcept { return m_ring.Peek(record, payload); }
  void Pop() noexcept { m_ring.Pop(); }

 private:
  struct Kept {
    Record record;
    std::vector<std::byte> payload;
  };

  MessageRing<Record> m_ring;
  const std::size_t m_overflowLimit;
  std::deque<Kept> m_overflow;      // [producer]
  std::size_t m_overflowBytes = 0;  // [producer]
};

}  // namespace muster::link
