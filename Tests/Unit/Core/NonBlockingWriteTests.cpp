// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/NonBlockingWrite.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <string>

namespace muster {
namespace {

TEST(NonBlockingWrite, GivesUpOnAPipeThatNobodyReadsAndGoesOnWhenSomebodyDoes) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string line(1'000, 'x');
  int written = 0;
  while (WriteWithoutWaiting(ends[1], line)) {
    ++written;
    ASSERT_LT(written, 10'000) << "a pipe without a reader has to fill";
  }
  EXPECT_GT(written, 10);
  EXPECT_FALSE(WriteWithoutWaiting(ends[1], line));

  std::string sink(1 << 20, '\0');
  EXPECT_GT(::read(ends[0], sink.data(), sink.size()), 0);
  EXPECT_TRUE(WriteWithoutWaiting(ends[1], line));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(NonBlockingWrite, FailsOnADescriptorThatIsClosed) {
  EXPECT_FALSE(WriteWithoutWaiting(-1, "text"));
  EXPECT_TRUE(WriteWithoutWaiting(-1, ""));
}

}  // namespace
}  // namespace muster
