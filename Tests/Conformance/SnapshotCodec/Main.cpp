// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// GoogleTest's main, and who is to be judged.
#include "CodecUnderTest.h"

#include <gtest/gtest.h>

#include <exception>
#include <iostream>
#include <utility>

int main(int argc, char** argv) {
  std::optional<muster::conformance::Request> request = muster::conformance::TakeRequest(argc, argv);
  if (!request) {
    std::cerr << muster::conformance::kRequestUsage << '\n';
    return 2;
  }
  muster::conformance::Judge(*std::move(request));
  try {
    ::testing::InitGoogleTest(&argc, argv);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 2;
  }
  return RUN_ALL_TESTS();
}
