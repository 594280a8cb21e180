// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace muster::test {

/// A test that runs once per seed, with its own random numbers:
///
///     class AckWindowSeeded : public test::SeededTest {};
///     TEST_P(AckWindowSeeded, ...) { const auto loss = random.NextUnit(); ... }
///     INSTANTIATE_TEST_SUITE_P(Seeds, AckWindowSeeded, test::Seeds(20), test::SeedName);
class SeededTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Random random{GetParam()};
};

/// Seeds 1 to `count`.
inline auto Seeds(std::uint64_t count) {
  return ::testing::Range(std::uint64_t{1}, count + 1);
}

inline std::string SeedName(const ::testing::TestParamInfo<std::uint64_t>& info) {
  return "Seed" + std::to_string(info.param);
}

}  // namespace muster::test
