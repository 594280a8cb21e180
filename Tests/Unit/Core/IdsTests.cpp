// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Ids.h"
#include "Core/Tick.h"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>
#include <unordered_set>

namespace muster {
namespace {

TEST(StrongId, IsNullAtZero) {
  EXPECT_TRUE(PeerId{}.IsNull());
  EXPECT_FALSE(PeerId{1}.IsNull());
  EXPECT_EQ(PeerId{7}.Value(), 7u);
}

TEST(StrongId, CannotBeMixedUp) {
  static_assert(!std::is_convertible_v<PeerId, SessionId>);
  static_assert(!std::is_convertible_v<std::uint32_t, PeerId>);
  static_assert(!std::is_convertible_v<PeerId, std::uint32_t>);
  static_assert(sizeof(ArchetypeId) == 2 && sizeof(NetId) == 4);
  static_assert(std::is_trivially_copyable_v<NetId>);
}

TEST(StrongId, OrdersAndHashesByValue) {
  EXPECT_LT(NetId{1}, NetId{2});
  EXPECT_EQ(NetId{3}, NetId{3});
  const std::unordered_set<NetId> ids{NetId{1}, NetId{2}, NetId{1}};
  EXPECT_EQ(ids.size(), 2u);
}

TEST(Tick, CountsForwardAndBackward) {
  constexpr Tick start{100};
  EXPECT_EQ(start + 5, Tick{105});
  EXPECT_EQ(start - 5, Tick{95});
  EXPECT_EQ(start.Next() - start, 1);
  EXPECT_EQ(start - Tick{130}, -30);
  EXPECT_LT(start, start + 1);
  Tick tick = start;
  EXPECT_EQ(++tick, Tick{101});
  tick += 10;
  tick -= 1;
  EXPECT_EQ(tick, Tick{110});
  EXPECT_EQ(Tick{}.Value(), 0u);
}

TEST(TickOffset, FollowsTheTrueRateWithoutDrift) {
  using namespace std::chrono_literals;
  EXPECT_EQ(TickOffset(0), 0ns);
  EXPECT_EQ(TickOffset(60), 1s);
  EXPECT_EQ(TickOffset(60u * 3600u * 24u * 365u), 24h * 365);
  for (std::uint64_t step = 1; step < 1000; ++step) {
    const auto length = TickOffset(step) - TickOffset(step - 1);
    EXPECT_TRUE(length == kTickDuration || length == kTickDuration - 1ns) << step;
  }
}

}  // namespace
}  // namespace muster
