// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// oneTBB behind the interface that our pool is measured by.
#pragma once

#include "Recipes.h"

namespace muster::bench {

/// parallel_for with the automatic and the static partitioner, in an arena of two.
std::vector<LoopFactory> LoopPeers();

}  // namespace muster::bench
