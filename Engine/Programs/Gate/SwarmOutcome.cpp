// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SwarmOutcome.h"

#include "GateErrors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace muster::gate {

namespace {

using Json = nlohmann::json;

Error Unreadable(std::string cause) {
  return {kReportUnreadable, "The swarm's report could not be used.", std::move(cause),
          "Build muster-swarm and muster-gate from one revision."};
}

std::optional<double> Statistic(const Json& json, const char* series, const char* name) {
  const auto found = json.find(series);
  if (found == json.end() || !found->is_object() || !found->contains(name) || !(*found)[name].is_number()) {
    return std::nullopt;
  }
  return (*found)[name].get<double>();
}

}  // namespace

Result<SwarmOutcome> ParseSwarmReport(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return Unreadable("It is not a JSON object.");
  }
  for (const char* field : {"clients", "clients_connected", "clients_refused", "clients_disconnected",
                            "malformed_messages", "inputs_sent", "inputs_late", "snapshots_received"}) {
    if (!json.contains(field) || !json[field].is_number_unsigned()) {
      return Unreadable(fmt::format("It has no count \"{}\".", field));
    }
  }
  if (!json.contains("generator_bound") || !json["generator_bound"].is_boolean()) {
    return Unreadable("It does not say whether the generator kept up (\"generator_bound\").");
  }
  SwarmOutcome outcome;
  outcome.clients = json["clients"].get<std::uint32_t>();
  outcome.connected = json["clients_connected"].get<std::uint32_t>();
  outcome.refused = json["clients_refused"].get<std::uint32_t>();
  outcome.disconnected = json["clients_disconnected"].get<std::uint32_t>();
  outcome.malformed = json["malformed_messages"].get<std::uint64_t>();
  outcome.inputsSent = json["inputs_sent"].get<std::uint64_t>();
  outcome.snapshots = json["snapshots_received"].get<std::uint64_t>();
  const auto sent = static_cast<double>(outcome.inputsSent);
  outcome.inputsLateShare = sent > 0 ? json["inputs_late"].get<double>() / sent : 0.0;
  outcome.isGeneratorBound = json["generator_bound"].get<bool>();
  outcome.minObservedHz = Statistic(json, "observed_server_tick_hz", "min");
  outcome.maxSnapshotGapMs = Statistic(json, "max_snapshot_gap_ms", "max");
  outcome.meanUpdatesPerSecond = Statistic(json, "updates_per_client_per_s", "mean");
  outcome.transport = json.value("transport", "");
  outcome.codec = json.value("codec", "");
  if (const auto server = json.find("server_tick"); server != json.end() && server->is_object()) {
    if (auto report = telemetry::ServerTickReportFromJson(server->dump())) {
      outcome.server = std::move(*report);
    }
  }
  std::uint64_t most = 0;
  if (const auto failures = json.find("failures"); failures != json.end() && failures->is_object()) {
    for (const auto& [failure, count] : failures->items()) {
      if (!count.is_number_unsigned()) {
        continue;
      }
      outcome.failures[failure] = count.get<std::uint64_t>();
      if (outcome.failures[failure] > most) {
        most = outcome.failures[failure];
        outcome.firstFailure = failure;
      }
    }
  }
  outcome.json = text;
  return outcome;
}

}  // namespace muster::gate
