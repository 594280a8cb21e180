// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// muster-top: the table of a running server until q is pressed.
#pragma once

#include <chrono>
#include <filesystem>

namespace muster::top {

struct TopOptions {
  std::filesystem::path metrics;
  std::chrono::milliseconds interval{500};
  bool isOnce = false;
};

/// Exit status: 0 after q, an interrupt or --once; 1 when there are no figures to show. [main]
int RunTop(const TopOptions& options);

}  // namespace muster::top
