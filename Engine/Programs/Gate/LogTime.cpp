// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LogTime.h"

#include <cstdio>
#include <ctime>
#include <string>

namespace muster::gate {

namespace {

constexpr std::size_t kTimeLength = 24;  // 2026-05-01T12:00:00.000Z

}  // namespace

std::optional<std::chrono::system_clock::time_point> LogTimeOf(std::string_view line) {
  if (line.size() < kTimeLength || line[kTimeLength - 1] != 'Z') {
    return std::nullopt;
  }
  std::tm utc{};
  int milliseconds = 0;
  const std::string text{line.substr(0, kTimeLength)};
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ", &utc.tm_year, &utc.tm_mon, &utc.tm_mday, &utc.tm_hour,
                  &utc.tm_min, &utc.tm_sec, &milliseconds) != 7) {
    return std::nullopt;
  }
  utc.tm_year -= 1900;
  utc.tm_mon -= 1;
  return std::chrono::system_clock::from_time_t(::timegm(&utc)) + std::chrono::milliseconds{milliseconds};
}

}  // namespace muster::gate
