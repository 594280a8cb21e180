// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchKit/Case.h"

#include <algorithm>

namespace muster::bench {

const char* ToText(Mode mode) noexcept {
  return mode == Mode::Hot ? "hot" : "tick";
}

std::string RatioName(const std::string& groupName, const Ratio& ratio) {
  std::string name = groupName;
  std::replace(name.begin(), name.end(), '/', '.');
  if (ratio.mode == Mode::Hot) {
    name += ".hot";
  }
  return name + "." + ratio.numerator + "_over_" + ratio.denominator;
}

}  // namespace muster::bench
