// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "Core/Assert.h"
#include "Core/Bytes.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster {

/// A bounded queue between exactly one producer thread and exactly one consumer thread. It never blocks, and allocates
/// only in its constructor. A full ring refuses; the producer decides what that means and counts it.
///
///     SpscRing<Packet> ring(1024);
///     if (!ring.TryPush(packet)) { ++dropped; }          // [producer]
///     while (ring.TryPop(packet)) { Handle(packet); }    // [consumer]
template <class T>
class SpscRing {
  static_assert(std::is_nothrow_default_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
                "elements wait in the ring's own slots and are moved in and out");

 public:
  /// Room for at least `capacity` elements (rounded up to a power of two), which is not zero.
  explicit SpscRing(std::size_t capacity) : m_slots(std::bit_ceil(capacity)), m_mask(m_slots.size() - 1) {
    MUSTER_ASSERT(capacity > 0, "a ring holds at least one element");
  }
  SpscRing(const SpscRing&) = delete;
  SpscRing& operator=(const SpscRing&) = delete;

  /// False, and `value` untouched, when the ring is full. [producer]
  [[nodiscard]] bool TryPush(T&& value) noexcept {
    const std::size_t at = m_pushed.load(std::memory_order_relaxed);
    if (!HasRoom(at)) {
      return false;
    }
    m_slots[at & m_mask] = std::move(value);
    m_pushed.store(at + 1, std::memory_order_release);
    return true;
  }
  [[nodiscard]] bool TryPush(const T& value) noexcept requires std::is_nothrow_copy_assignable_v<T> {
    const std::size_t at = m_pushed.load(std::memory_order_relaxed);
    if (!HasRoom(at)) {
      return false;
    }
    m_slots[at & m_mask] = value;
    m_pushed.store(at + 1, std::memory_order_release);
    return true;
  }

  /// False, and `value` untouched, when the ring is empty. [consumer]
  [[nodiscard]] bool TryPop(T& value) noexcept {
    const std::size_t at = m_popped.load(std::memory_order_relaxed);
    if (at == m_knownPushed) {
      m_knownPushed = m_pushed.load(std::memory_order_acquire);
      if (at == m_knownPushed) {
        return false;
      }
    }
    value = std::move(m_slots[at & m_mask]);
    m_popped.store(at + 1, std::memory_order_release);
    return true;
  }

  /// How many elements wait: exact for a thread that is an end of the ring as to what it did itself, a moment old as to
  /// the other end. [any]
  [[nodiscard]] std::size_t Size() const noexcept {
    // Popped first: it can only grow up to what is read as pushed afterwards.
    const std::size_t popped = m_popped.load(std::memory_order_acquire);
    const std::size_t pushed = m_pushed.load(std::memory_order_acquire);
    const std::size_t size = pushed - popped;
    return size <= Capacity() ? size : Capacity();
  }
  [[nodiscard]] bool IsEmpty() const noexcept { return Size() == 0; }
  [[nodiscard]] std::size_t Capacity() const noexcept { return m_slots.size(); }

 private:
  [[nodiscard]] bool HasRoom(std::size_t at) noexcept {
    if (at - m_knownPopped < m_slots.size()) {
      return true;
    }
    m_knownPopped = m_popped.load(std::memory_order_acquire);
    return at - m_knownPopped < m_slots.size();
  }

  std::vector<T> m_slots;
  std::size_t m_mask;

  // Counts only grow and may wrap. Each end keeps its own copy of the other's count beside its own, and asks for
  // the true one only when the copy says full or empty: most calls touch no line that the other end writes.
  alignas(kCacheLineBytes) std::atomic<std::size_t> m_pushed{0};
  std::size_t m_knownPopped = 0;
  alignas(kCacheLineBytes) std::atomic<std::size_t> m_popped{0};
  std::size_t m_knownPushed = 0;
};

}  // namespace muster
