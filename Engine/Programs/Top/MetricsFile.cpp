// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "MetricsFile.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <system_error>

namespace muster::top {

namespace {

constexpr std::size_t kMaxMetricsBytes = 1 << 20;

}  // namespace

Result<telemetry::ServerTickReport> ReadMetricsFile(const std::filesystem::path& path,
                                                    std::chrono::seconds staleAfter) {
  auto text = ReadTextFile(path, kMaxMetricsBytes);
  if (!text) {
    return std::move(text).Failure();
  }
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  const auto age = std::filesystem::file_time_type::clock::now() - written;
  if (!error && age > staleAfter) {
    return Error{
        kMetricsStale, fmt::format("The metrics file {} is not kept up.", path.string()),
        fmt::format("It was last written {} s ago.", std::chrono::duration_cast<std::chrono::seconds>(age).count()),
        "Start muster-server with --metrics-json and this path, or name the file of one that runs."};
  }
  return telemetry::ServerTickReportFromJson(*text);
}

}  // namespace muster::top
