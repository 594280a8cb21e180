// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

/// Assertions catch the programmer's mistakes: a broken precondition of a function that our own code called.
/// They never judge bytes from the wire or from a file; those get a `Result` or a counted status.
///
///     MUSTER_ASSERT(index < m_size, "slot outside the table");          // gone when MUSTER_ASSERTS is 0
///     MUSTER_ASSERT_ALWAYS(m_owner == nullptr, "still owned");          // stays in release builds
///
/// The message is a string literal. The condition is not evaluated when the assertion is compiled out.

#ifndef MUSTER_ASSERTS
#define MUSTER_ASSERTS 1
#endif

namespace muster {

struct AssertionFailure {
  const char* condition;
  const char* message;
  const char* file;
  int line;
};

/// Called on the thread that failed. It may throw (tests do) or end the process; if it returns, the process aborts.
using AssertHandler = void (*)(const AssertionFailure&);

/// Replaces the process's handler and returns the one before it; null brings back the default, which writes one line to
/// standard error. This pointer is the only mutable state that Core keeps for the process: an assertion may fail
/// where no object could be handed in. Install it before starting threads that should see it. [any]
AssertHandler SetAssertHandler(AssertHandler handler) noexcept;

/// Reports through the handler and never returns. Use the macros. [any]
[[noreturn]] void FailAssertion(const AssertionFailure& failure);

}  // namespace muster

#define MUSTER_ASSERT_ALWAYS(condition, message)     \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::muster::FailAssertion(::muster::AssertionFailure{#condition, message, __FILE__, __LINE__}))

#if MUSTER_ASSERTS
#define MUSTER_ASSERT(condition, message) MUSTER_ASSERT_ALWAYS(condition, message)
#else
#define MUSTER_ASSERT(condition, message) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif
