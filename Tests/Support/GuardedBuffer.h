// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace muster::test {

/// Writable memory whose last byte lies directly before a page that may not be touched: reading or writing one byte too
/// far ends the process in every build, with or without sanitizers.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t bytes);
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;
  ~GuardedBuffer();

  [[nodiscard]] std::span<std::uint8_t> Bytes() const { return m_bytes; }
  /// Its last `bytes` bytes, which end at the guard as well.
  [[nodiscard]] std::span<std::uint8_t> Last(std::size_t bytes) const { return m_bytes.last(bytes); }

 private:
  void* m_mapping = nullptr;
  std::size_t m_mappedBytes = 0;
  std::span<std::uint8_t> m_bytes;
};

}  // namespace muster::test
