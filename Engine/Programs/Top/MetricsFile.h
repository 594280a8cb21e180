// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Reads the file that muster-server --metrics-json keeps writing.
#pragma once

#include "Core/Result.h"
#include "Telemetry/ServerTickReport.h"

#include <chrono>
#include <filesystem>

namespace muster::top {

inline constexpr ErrorCode kMetricsStale{3320, "MetricsStale"};

/// A file that nobody has written for so long belongs to a server that is gone.
inline constexpr std::chrono::seconds kStaleAfter{5};

/// The newest figures. Fails with what reading fails with (Core/Files.h), kMetricsMalformed, or kMetricsStale when the
/// file is older than `staleAfter`. [any]
Result<telemetry::ServerTickReport> ReadMetricsFile(const std::filesystem::path& path,
                                                    std::chrono::seconds staleAfter = kStaleAfter);

}  // namespace muster::top
