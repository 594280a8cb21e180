// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How often this program has allocated. A test that calls it gets operators new and delete that count; no other does.
//
//   const std::uint64_t before = test::AllocationCount();
//   ...
//   EXPECT_EQ(test::AllocationCount(), before);
#pragma once

#include <cstdint>

namespace muster::test {

/// Calls of operator new since the program began, on all threads. [any]
std::uint64_t AllocationCount() noexcept;

}  // namespace muster::test
