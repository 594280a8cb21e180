// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdio>
#include <exception>

#include "Candidates.h"

int main(int argc, char** argv) {
  try {
    if (muster::conformance::TakeArguments(argc, argv)) {
      // What is known of our own plugins alone says nothing about a stranger's.
      GTEST_FLAG_SET(filter, "Transports/*");
    }
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 2;
  }
}
