// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Support/GuardedBuffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <system_error>

namespace muster::test {

GuardedBuffer::GuardedBuffer(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t usableBytes = (bytes + page - 1) / page * page;
  m_mappedBytes = usableBytes + page;
  m_mapping = ::mmap(nullptr, m_mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* start = static_cast<std::uint8_t*>(m_mapping);
  if (m_mapping == MAP_FAILED || ::mprotect(start + usableBytes, page, PROT_NONE) != 0) {
    throw std::system_error(errno, std::generic_category(), "guard page");
  }
  m_bytes = {start + (usableBytes - bytes), bytes};
}

GuardedBuffer::~GuardedBuffer() {
  ::munmap(m_mapping, m_mappedBytes);
}

}  // namespace muster::test
