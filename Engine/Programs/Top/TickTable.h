// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The tick of a server as a small table for terminals: phases in milliseconds, rate, players, wire. Pure functions from
// a report to lines; muster-top and muster-gate show the same table.
#pragma once

#include "Telemetry/ServerTickReport.h"

#include <string>
#include <string_view>
#include <vector>

namespace muster::top {

struct TableStyle {
  bool hasColor = false;  ///< ANSI colours: green, yellow from 60 % of the step, red from all of it
};

/// One line each, without line ends, at most 78 columns. [any]
std::vector<std::string> TickTableLines(const telemetry::ServerTickReport& report, const TableStyle& style);

/// The same in one line, for logs. [any]
std::string TickSummaryLine(const telemetry::ServerTickReport& report);

/// The line cut to so many columns; escape sequences take none and are kept. [any]
std::string FitToColumns(std::string_view line, std::size_t columns);

}  // namespace muster::top
