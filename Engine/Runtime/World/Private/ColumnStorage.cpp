// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ColumnStorage.h"

#include "Core/Bytes.h"

#include <cstring>
#include <new>
#include <utility>

namespace muster::world {

namespace {

constexpr std::size_t kPageBytes = 4096;

// A new offset for each of 32 neighbours, then again from the start.
constexpr std::size_t StaggerBytes(ColumnIndex index) {
  return (2 * (index % 32) + 1) * kCacheLineBytes;
}

}  // namespace

ColumnStorage::ColumnStorage(const ColumnDescriptor& descriptor, ColumnIndex index, std::size_t slots)
    : m_stride{descriptor.elementBytes} {
  const std::size_t dataBytes = (slots + 63) / 64 * 64 * m_stride;
  const std::size_t offset = StaggerBytes(index);
  m_block = ::operator new (dataBytes + offset, std::align_val_t{kPageBytes});
  m_data = static_cast<std::byte*>(m_block) + offset;
  std::memset(m_data, 0, dataBytes);
}

ColumnStorage::ColumnStorage(ColumnStorage&& other) noexcept
    : m_block{std::exchange(other.m_block, nullptr)},
      m_data{std::exchange(other.m_data, nullptr)},
      m_stride{std::exchange(other.m_stride, 0)} {}

ColumnStorage& ColumnStorage::operator=(ColumnStorage&& other) noexcept {
  std::swap(m_block, other.m_block);
  std::swap(m_data, other.m_data);
  std::swap(m_stride, other.m_stride);
  return *this;
}

ColumnStorage::~ColumnStorage() {
  Drop();
}

void ColumnStorage::Drop() {
  ::operator delete (m_block, std::align_val_t{kPageBytes});
  m_block = nullptr;
  m_data = nullptr;
}

void ColumnStorage::Zero(std::size_t firstSlot, std::size_t slotCount) {
  std::memset(m_data + firstSlot * m_stride, 0, slotCount * m_stride);
}

}  // namespace muster::world
