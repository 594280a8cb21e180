// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SwarmReport.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace muster::swarm {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 5;
constexpr double kLateShare = 0.01;

Json ToJson(const SeriesStats& stats) {
  if (stats.count == 0) {
    return nullptr;
  }
  return {{"count", stats.count}, {"min", stats.min}, {"mean", stats.mean}, {"max", stats.max},
          {"p50", stats.p50},     {"p95", stats.p95}, {"p99", stats.p99}};
}

template <class Value>
SeriesStats Collect(const std::vector<ClientResult>& clients, Value&& valueOf) {
  std::vector<double> values;
  for (const ClientResult& client : clients) {
    if (client.isConnected) {
      values.push_back(valueOf(client));
    }
  }
  return StatsOf(std::move(values));
}

class Judge {
 public:
  explicit Judge(std::vector<AssertionResult>& results) : m_results(results) {}

  template <class Bar, class Value>
  void AtLeast(const char* name, const std::optional<Bar>& bar, const std::optional<Value>& value) {
    Add(name, bar, value, [](double measured, double limit) { return measured >= limit; });
  }
  template <class Bar, class Value>
  void AtMost(const char* name, const std::optional<Bar>& bar, const std::optional<Value>& value) {
    Add(name, bar, value, [](double measured, double limit) { return measured <= limit; });
  }

 private:
  template <class Bar, class Value, class Compare>
  void Add(const char* name, const std::optional<Bar>& bar, const std::optional<Value>& value, Compare&& compare) {
    if (!bar) {
      return;
    }
    AssertionResult result;
    result.name = name;
    result.bar = static_cast<double>(*bar);
    if (value) {
      result.value = static_cast<double>(*value);
      result.isMet = compare(*result.value, result.bar);
    }
    m_results.push_back(std::move(result));
  }

  std::vector<AssertionResult>& m_results;
};

void JudgeAll(SwarmReport& report) {
  const Assertions& bars = report.options.assertions;
  Judge judge{report.assertions};
  const auto ifKnown = [](const SeriesStats& stats, double value) {
    return stats.count > 0 ? std::optional{value} : std::nullopt;
  };
  judge.AtLeast("min_tick_hz", bars.minTickHz, ifKnown(report.tickHz, report.tickHz.min));
  judge.AtMost("max_kbs", bars.maxKbs, ifKnown(report.downstreamKbs, report.downstreamKbs.max));

  const auto& server = report.server;
  std::optional<double> wire;
  std::optional<double> tickP99;
  std::optional<double> growth;
  std::optional<double> loadFactor;
  std::optional<std::uint64_t> entities;
  std::optional<std::uint64_t> dropped;
  if (server) {
    wire = server->WireOutKbsPerClient();
    if (server->summary.ticksSampled > 0) {
      tickP99 = server->summary.tick.p99;
    }
    if (server->rssKib > 0 && server->rssStartupKib > 0) {
      growth = static_cast<double>(server->rssKib) - static_cast<double>(server->rssStartupKib);
    }
    loadFactor = server->loadFactor;
    entities = server->entities;
    dropped = server->droppedTicks;
  }
  judge.AtMost("max_wire_kbs", bars.maxWireKbs, wire);
  judge.AtMost("max_tick_ms", bars.maxTickMs, tickP99);
  judge.AtLeast("min_entities", bars.minEntities, entities);
  judge.AtMost("max_rss_growth_kb", bars.maxRssGrowthKib, growth);
  judge.AtMost("max_rss_slope_kb_per_min", bars.maxRssSlopeKibPerMinute,
               report.rssTrend.isKnown ? std::optional{report.rssTrend.slopeKibPerMinute} : std::nullopt);
  judge.AtMost("max_load_factor", bars.maxLoadFactor, loadFactor);
  judge.AtMost("max_dropped_ticks", bars.maxDroppedTicks, dropped);
}

/// The window as asked for, and what the relay did in it.
Json ToJson(const Degrade& degrade, const linksim::UdpRelayStats& relay) {
  return {{"start_s", degrade.startSeconds},
          {"duration_s", degrade.durationSeconds},
          {"loss", degrade.loss},
          {"delay_ms", degrade.delayMs},
          {"jitter_ms", degrade.jitterMs},
          {"duplicate", degrade.duplicate},
          {"reorder", degrade.reorder},
          {"clients", relay.clients},
          {"datagrams_from_clients", relay.fromClients},
          {"datagrams_from_server", relay.fromServer},
          {"lost", relay.lost},
          {"duplicated", relay.duplicated},
          {"reordered", relay.reordered},
          {"delivered", relay.delivered},
          {"overflowed", relay.overflowed + relay.strangers + relay.unsendable}};
}

std::vector<double> Widen(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

bool SwarmReport::IsGeneratorBound() const {
  return static_cast<double>(inputsLate) > kLateShare * static_cast<double>(inputsSent);
}

bool SwarmReport::IsPassed() const {
  return connected == options.clients && refused == 0 && disconnected == 0 && !IsGeneratorBound() &&
         std::all_of(assertions.begin(), assertions.end(), [](const AssertionResult& result) { return result.isMet; });
}

SwarmReport MakeReport(const SwarmOptions& options, std::vector<ClientResult> clients,
                       const std::vector<const WorkerResult*>& workers, std::vector<RssSample> rss,
                       std::optional<telemetry::ServerTickReport> server) {
  SwarmReport report;
  report.options = options;
  report.threads = static_cast<std::uint32_t>(workers.size());
  report.seconds = options.durationSeconds;
  report.clients = std::move(clients);
  report.server = std::move(server);
  report.rss = std::move(rss);
  report.rssTrend = TrendOf(report.rss);

  std::vector<double> latency;
  for (const ClientResult& client : report.clients) {
    report.connected += client.isConnected ? 1U : 0U;
    report.refused += client.isRefused ? 1U : 0U;
    report.disconnected += client.isDisconnected ? 1U : 0U;
    report.inputsSent += client.inputsSent;
    report.inputsLate += client.inputsLate;
    report.malformed += client.malformed;
    report.snapshots += client.snapshots;
    if (!client.failure.empty()) {
      ++report.failures[client.failure];
    }
    latency.insert(latency.end(), client.latencyMs.begin(), client.latencyMs.end());
  }
  report.tickHz = Collect(report.clients, [](const ClientResult& client) { return client.observedHz; });
  report.downstreamKbs = Collect(report.clients, [](const ClientResult& client) { return client.downstreamKbs; });
  report.roundTripMs = Collect(report.clients, [](const ClientResult& client) { return client.roundTripMs; });
  report.connectMs = Collect(report.clients, [](const ClientResult& client) { return client.connectMs; });
  report.gapMs = Collect(report.clients, [](const ClientResult& client) { return client.longestGapMs; });
  report.updatesPerSecond = Collect(report.clients, [&options](const ClientResult& client) {
    return static_cast<double>(client.updates) / options.durationSeconds;
  });
  report.latencyMs = StatsOf(std::move(latency));
  std::vector<double> pass;
  std::vector<double> late;
  for (const WorkerResult* worker : workers) {
    const auto passes = Widen(worker->passMs);
    const auto lates = Widen(worker->passLateMs);
    pass.insert(pass.end(), passes.begin(), passes.end());
    late.insert(late.end(), lates.begin(), lates.end());
  }
  report.loopMs = StatsOf(std::move(pass));
  report.loopLateMs = StatsOf(std::move(late));
  JudgeAll(report);
  return report;
}

std::string ToJson(const SwarmReport& report) {
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["tool"] = "muster-swarm";
  json["transport"] = report.transport;
  json["codec"] = report.codec;
  json["clients"] = report.options.clients;
  json["duration_s"] = report.seconds;
  json["pattern"] = report.options.pattern;
  json["seed"] = report.options.seed;
  json["threads"] = report.threads;
  json["clients_connected"] = report.connected;
  json["clients_refused"] = report.refused;
  json["clients_disconnected"] = report.disconnected;
  json["observed_server_tick_hz"] = ToJson(report.tickHz);
  json["downstream_kbs_per_client"] = ToJson(report.downstreamKbs);
  json["updates_per_client_per_s"] = ToJson(report.updatesPerSecond);
  json["rtt_ms"] = ToJson(report.roundTripMs);
  json["connect_ms"] = ToJson(report.connectMs);
  json["input_latency_ms"] = ToJson(report.latencyMs);
  json["max_snapshot_gap_ms"] = ToJson(report.gapMs);
  json["worker_loop_dt_ms"] = ToJson(report.loopMs);
  json["worker_loop_late_ms"] = ToJson(report.loopLateMs);
  json["inputs_sent"] = report.inputsSent;
  json["inputs_late"] = report.inputsLate;
  json["snapshots_received"] = report.snapshots;
  json["malformed_messages"] = report.malformed;
  json["generator_bound"] = report.IsGeneratorBound();
  json["degrade"] = report.relay ? ToJson(report.options.degrade, *report.relay) : Json(nullptr);
  json["failures"] = Json::object();
  for (const auto& [text, count] : report.failures) {
    json["failures"][text] = count;
  }
  json["server_tick"] = report.server ? Json::parse(telemetry::ToJson(*report.server)) : Json(nullptr);
  json["rss_series"] = Json::array();
  for (const RssSample& sample : report.rss) {
    json["rss_series"].push_back({{"t_s", sample.seconds}, {"rss_kb", sample.kib}});
  }
  json["rss_slope_kb_per_min"] = report.rssTrend.isKnown ? Json(report.rssTrend.slopeKibPerMinute) : Json(nullptr);
  json["rss_step_max_kb"] = report.rssTrend.isKnown ? Json(report.rssTrend.stepMaxKib) : Json(nullptr);
  json["rss_step_at_s"] = report.rssTrend.isKnown ? Json(report.rssTrend.stepAtSeconds) : Json(nullptr);
  json["assertions"] = Json::array();
  for (const AssertionResult& result : report.assertions) {
    json["assertions"].push_back({{"name", result.name},
                                  {"bar", result.bar},
                                  {"value", result.value ? Json(*result.value) : Json(nullptr)},
                                  {"met", result.isMet}});
  }
  json["passed"] = report.IsPassed();
  // Names and messages come from the other side; what is no UTF-8 must not keep the report from being written.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ToText(const SwarmReport& report) {
  std::string out = fmt::format("{} of {} clients connected, {} refused, {} disconnected; {} over {}\n",
                                report.connected, report.options.clients, report.refused, report.disconnected,
                                report.options.pattern, report.transport);
  const auto row = [&out](const char* name, const SeriesStats& stats) {
    if (stats.count > 0) {
      out += fmt::format("{:<26} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f} {:>9.2f}\n", name, stats.min, stats.mean,
                         stats.p50, stats.p99, stats.max);
    }
  };
  out += fmt::format("{:<26} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", "min", "mean", "p50", "p99", "max");
  row("observed tick Hz", report.tickHz);
  row("downstream KB/s", report.downstreamKbs);
  row("entity updates/s", report.updatesPerSecond);
  row("input latency ms", report.latencyMs);
  row("round trip ms", report.roundTripMs);
  row("connect ms", report.connectMs);
  row("longest gap ms", report.gapMs);
  row("generator pass ms", report.loopMs);
  if (report.relay) {
    const Degrade& degrade = report.options.degrade;
    out += fmt::format(
        "line degraded from {} s for {} s: loss {}, duplicate {}, reorder {}, delay {} ms, jitter {} ms; the relay "
        "lost "
        "{} of {} datagrams, repeated {}, held back {}\n",
        degrade.startSeconds, degrade.durationSeconds, degrade.loss, degrade.duplicate, degrade.reorder,
        degrade.delayMs, degrade.jitterMs, report.relay->lost, report.relay->fromClients + report.relay->fromServer,
        report.relay->duplicated, report.relay->reordered);
  }
  for (const auto& [text, count] : report.failures) {
    out += fmt::format("{} x {}\n", count, text);
  }
  for (const AssertionResult& result : report.assertions) {
    out += fmt::format("{} {} {} (bar {})\n", result.isMet ? "ok  " : "FAIL", result.name,
                       result.value ? fmt::format("{:.3f}", *result.value) : "not measured", result.bar);
  }
  if (report.IsGeneratorBound()) {
    out +=
        fmt::format("GENERATOR-BOUND: {} of {} inputs left more than a tick late; these figures are the generator's.\n",
                    report.inputsLate, report.inputsSent);
  }
  out += report.IsPassed() ? "passed\n" : "FAILED\n";
  return out;
}

}  // namespace muster::swarm
