// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Telemetry/ServerTickReport.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <type_traits>

namespace muster::telemetry {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json StatsToJson(const std::optional<DurationStats>& stats) {
  if (!stats) {
    return nullptr;
  }
  return {{"min", stats->min}, {"mean", stats->mean}, {"max", stats->max},
          {"p50", stats->p50}, {"p95", stats->p95},   {"p99", stats->p99}};
}

/// The number, where there is one that the field can hold: a count is a whole number from 0, a figure is finite.
template <class T>
std::optional<T> NumberIn(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) {
    return std::nullopt;
  }
  if constexpr (std::is_floating_point_v<T>) {
    const bool isFinite = found->is_number() && std::isfinite(found->template get<T>());
    return isFinite ? std::optional{found->template get<T>()} : std::nullopt;
  } else {
    // Whole and not negative; what does not fit 64 bits was parsed as a fraction.
    return found->is_number_unsigned() ? std::optional{found->template get<T>()} : std::nullopt;
  }
}

template <class T>
void Read(const Json& json, const char* name, T& value) {
  value = NumberIn<T>(json, name).value_or(value);
}

template <class T>
void Read(const Json& json, const char* name, std::optional<T>& value) {
  if (const std::optional<T> number = NumberIn<T>(json, name)) {
    value = number;
  }
}

std::optional<DurationStats> StatsFromJson(const Json& json, const std::string& name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_object()) {
    return std::nullopt;
  }
  DurationStats stats;
  Read(*found, "min", stats.min);
  Read(*found, "mean", stats.mean);
  Read(*found, "max", stats.max);
  Read(*found, "p50", stats.p50);
  Read(*found, "p95", stats.p95);
  Read(*found, "p99", stats.p99);
  return stats;
}

std::string PhaseField(Phase phase) {
  return std::string{PhaseName(phase)} + "_ms";
}

}  // namespace

std::optional<double> ServerTickReport::WireOutKbsPerClient() const {
  if (!wireOutKbs || !wirePeers || *wirePeers == 0) {
    return std::nullopt;
  }
  return *wireOutKbs / static_cast<double>(*wirePeers);
}

std::string ToJson(const ServerTickReport& report) {
  Json json;
  json["schema_version"] = kServerTickSchemaVersion;
  json["tick_hz"] = report.summary.tickHz;
  json["ticks_sampled"] = report.summary.ticksSampled;
  json["ticks_total"] = report.summary.ticksTotal;
  json["window_s"] = report.summary.windowSeconds;
  json["peers"] = report.peers;
  json["entities"] = report.entities;
  json["load_factor"] = OrNull(report.loadFactor);
  json["interest_scale"] = OrNull(report.interestScale);
  json["dropped_ticks"] = report.droppedTicks;
  json["rss_kb"] = report.rssKib;
  json["rss_startup_kb"] = report.rssStartupKib;
  json["congestion_min_send_hz"] = OrNull(report.congestionMinSendHz);
  json["congestion_recovered_send_hz"] = OrNull(report.congestionRecoveredSendHz);
  json["congestion_max_loss"] = OrNull(report.congestionMaxLoss);
  json["wire_out_kbs"] = OrNull(report.wireOutKbs);
  json["wire_in_kbs"] = OrNull(report.wireInKbs);
  json["wire_out_pps"] = OrNull(report.wireOutPps);
  json["wire_peers"] = OrNull(report.wirePeers);
  json["wire_out_kbs_per_client"] = OrNull(report.WireOutKbsPerClient());
  json["tick_ms"] = StatsToJson(report.summary.ticksSampled > 0 ? std::optional{report.summary.tick} : std::nullopt);
  for (const Phase phase : kPhases) {
    json[PhaseField(phase)] = StatsToJson(report.summary.phases[static_cast<std::size_t>(phase)]);
  }
  json["other_ms"] = StatsToJson(report.summary.other);
  json["late_ticks"] = report.lateTicks;
  json["late_ticks_waiting"] = report.lateTicksWaiting;
  json["run_queue_wait_ms"] = report.runQueueWaitMs;
  json["uptime_ms"] = report.uptimeMs;
  return json.dump(2) + "\n";
}

Result<ServerTickReport> ServerTickReportFromJson(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return Error{kMetricsMalformed, "The metrics file is not a JSON object.",
                 "It was not written by muster-server, or it is incomplete.",
                 "Point at the file given to muster-server --metrics-json."};
  }
  ServerTickReport report;
  Read(json, "tick_hz", report.summary.tickHz);
  Read(json, "ticks_sampled", report.summary.ticksSampled);
  Read(json, "ticks_total", report.summary.ticksTotal);
  Read(json, "window_s", report.summary.windowSeconds);
  Read(json, "peers", report.peers);
  Read(json, "entities", report.entities);
  Read(json, "load_factor", report.loadFactor);
  Read(json, "interest_scale", report.interestScale);
  Read(json, "dropped_ticks", report.droppedTicks);
  Read(json, "rss_kb", report.rssKib);
  Read(json, "rss_startup_kb", report.rssStartupKib);
  Read(json, "congestion_min_send_hz", report.congestionMinSendHz);
  Read(json, "congestion_recovered_send_hz", report.congestionRecoveredSendHz);
  Read(json, "congestion_max_loss", report.congestionMaxLoss);
  Read(json, "wire_out_kbs", report.wireOutKbs);
  Read(json, "wire_in_kbs", report.wireInKbs);
  Read(json, "wire_out_pps", report.wireOutPps);
  Read(json, "wire_peers", report.wirePeers);
  if (const auto tick = StatsFromJson(json, "tick_ms")) {
    report.summary.tick = *tick;
  }
  for (const Phase phase : kPhases) {
    report.summary.phases[static_cast<std::size_t>(phase)] = StatsFromJson(json, PhaseField(phase));
  }
  report.summary.other = StatsFromJson(json, "other_ms");
  Read(json, "late_ticks", report.lateTicks);
  Read(json, "late_ticks_waiting", report.lateTicksWaiting);
  Read(json, "run_queue_wait_ms", report.runQueueWaitMs);
  Read(json, "uptime_ms", report.uptimeMs);
  return report;
}

}  // namespace muster::telemetry
