// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A steady tick allocates nothing, on the tick thread or on a worker. This binary counts every allocation.

#include "SteppedWorld.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> g_allocations{0};

void* Allocate(std::size_t size, std::size_t alignment) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  void* block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (block == nullptr) {
    throw std::bad_alloc{};
  }
  return block;
}

}  // namespace

void* operator new(std::size_t size) {
  return Allocate(size == 0 ? 1 : size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size == 0 ? 1 : size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete[](void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}

namespace muster::simulation {
namespace {

TEST(SteadyTick, TheCounterCounts) {
  const std::uint64_t before = g_allocations.load();
  const auto block = std::make_unique<int>(3);
  EXPECT_EQ(g_allocations.load(), before + 1);
}

TEST(SteadyTick, AllocatesNothing) {
  test::SteppedWorld world{{.workers = 3}};
  world.SpawnLoad({.count = 1'000, .spreadKm = 30.0, .mix = "loiter:60,pursuit:25,hold:15"});
  world.Run(120);
  const std::uint64_t before = g_allocations.load();
  world.Run(120);
  EXPECT_EQ(g_allocations.load(), before);
}

}  // namespace
}  // namespace muster::simulation
