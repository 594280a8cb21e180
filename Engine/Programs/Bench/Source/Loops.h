// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Loops on two threads: ours, and the plainest that the standard library gives.
#pragma once

#include "Recipes.h"

namespace muster::bench {

inline constexpr unsigned kLoopThreads = 2;

/// One thread; no dispatch at all.
std::unique_ptr<IParallelLoop> MakeSerialLoop();
/// WorkerPool. `isPinned`: threads and caller bound to cores of their own while it lives, where there are as many;
/// binding the caller is undone at the end.
std::unique_ptr<IParallelLoop> MakePoolLoop(bool isPinned);
/// A std::thread for each loop, chunks claimed from a counter.
std::unique_ptr<IParallelLoop> MakeThreadLoop();

}  // namespace muster::bench
