// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Support/AssertionExpectation.h"

#include <atomic>

namespace muster::test {
namespace {

std::atomic<int> g_failures{0};

[[noreturn]] void CountAndThrow(const AssertionFailure& failure) {
  g_failures.fetch_add(1);
  throw AssertionThrown{failure.message};
}

}  // namespace

RecordingAssertHandler::RecordingAssertHandler() : m_previous(SetAssertHandler(&CountAndThrow)) {
  g_failures.store(0);
}

RecordingAssertHandler::~RecordingAssertHandler() {
  SetAssertHandler(m_previous);
}

int RecordingAssertHandler::Failures() const {
  return g_failures.load();
}

}  // namespace muster::test
