// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Assert.h"

#include <gtest/gtest.h>

#include <string>

namespace muster::test {

/// What a failed assertion turns into while a `RecordingAssertHandler` is in place.
struct AssertionThrown {
  std::string message;
};

/// For its lifetime a failed assertion is counted and thrown as `AssertionThrown`, instead of ending the process. It
/// must not fail in a noexcept function or on another thread; test those with EXPECT_DEATH. One at a time.
class RecordingAssertHandler {
 public:
  RecordingAssertHandler();
  RecordingAssertHandler(const RecordingAssertHandler&) = delete;
  RecordingAssertHandler& operator=(const RecordingAssertHandler&) = delete;
  ~RecordingAssertHandler();

  /// How many assertions failed since construction.
  [[nodiscard]] int Failures() const;

 private:
  AssertHandler m_previous;
};

/// The message of the assertion that `statement` breaks, or "(none)".
template <class F>
std::string AssertionOf(F&& statement) {
  const RecordingAssertHandler handler;
  try {
    statement();
  } catch (const AssertionThrown& thrown) {
    return thrown.message;
  }
  return "(none)";
}

}  // namespace muster::test

/// The statement must break an assertion whose message contains `part`. Builds without assertions only compile it.
#if MUSTER_ASSERTS
#define EXPECT_ASSERTION(statement, part)                                                  \
  EXPECT_NE(::muster::test::AssertionOf([&] { statement; }).find(part), std::string::npos) \
      << "expected an assertion about: " << (part)
#else
#define EXPECT_ASSERTION(statement, part) static_cast<void>([&] { statement; })
#endif
