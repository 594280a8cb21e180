// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace muster::gate {

/// When a line of a log says it was written ("2026-05-01T12:00:00.000Z info ..."); nothing where it does not. [any]
std::optional<std::chrono::system_clock::time_point> LogTimeOf(std::string_view line);

}  // namespace muster::gate
