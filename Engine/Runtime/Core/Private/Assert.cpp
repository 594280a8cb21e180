// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Assert.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace muster {
namespace {

void ReportToStandardError(const AssertionFailure& failure) {
  std::fprintf(stderr, "assertion failed: %s (%s) at %s:%d\n", failure.message, failure.condition, failure.file,
               failure.line);
  std::fflush(stderr);
}

// The documented exception to "no mutable globals".
std::atomic<AssertHandler> g_handler{&ReportToStandardError};

}  // namespace

AssertHandler SetAssertHandler(AssertHandler handler) noexcept {
  return g_handler.exchange(handler != nullptr ? handler : &ReportToStandardError, std::memory_order_acq_rel);
}

void FailAssertion(const AssertionFailure& failure) {
  g_handler.load(std::memory_order_acquire)(failure);
  std::abort();
}

}  // namespace muster
