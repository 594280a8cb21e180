// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "storm": while clients play, first nothing happens, then hostile datagrams come from many addresses of the loopback
// net (DatagramMaker.h says which), made of what a client of the transport in use really sent. That client goes on playing
// through the relay that captured it, which also sends its old datagrams again from the client's own address.
//
// Parameters: "datagrams" in all, "per_second", "oversize_per_second" and "oversize_s" (4,097, 9,000 and 65,507 bytes in
// turn), "sources", "replays_per_second" (in the captured client's name), "quiet_s", "seed", and those of ReadLoadSpec.
//
// Figures:
//   "datagrams_sent", "oversize_sent", "replays_sent", "not_sent"
//   "turned_away"                what the server counted under a reason during the storm
//   "taken_in_percent"           of what was sent, what the server took off its socket
//   "honest_disconnects"         of the swarm; "captured_disconnects" of the client whose old datagrams are repeated
//   "snapshot_delivery_percent"  packets acknowledged, of those whose fate was decided during the storm
//   "input_delivery_percent"     packets the server took; all that the run lost is put down to the storm
//   "tick_p99_quiet", "tick_p99_storm" (the worst seen), "tick_p99_more"
//   "tick_thread_waited"         how much of the storm it stood ready without a processor: the machine's part
//   "memory_growth"              from a tenth of the storm to its end, the largest
//   "ticks_dropped", "longest_snapshot_gap", and those of Scene
#include "CheckKinds.h"

#include "CaptureRelay.h"
#include "Scene.h"
#include "StormSender.h"

#include "Telemetry/ServerTickReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

/// Longer than any storm: it is told to leave.
constexpr double kCapturedSeconds = 7'200;
constexpr double kAfterSeconds = 2;
constexpr double kLookSeconds = 0.5;
constexpr double kSayEverySeconds = 10;
constexpr double kWarmUpShare = 0.1;
/// The server's own statistics look back so far at most.
constexpr double kWindowSeconds = 60;
constexpr std::chrono::seconds kStormCheckLeavePatience{20};

struct StormSettings {
  StormPlan plan;
  double replaysPerSecond = 50;
  double quietSeconds = 5;  ///< the client is captured meanwhile
};

struct StormRecord {
  std::optional<telemetry::ServerTickReport> quiet{};  ///< at the end of the quiet time
  ServerStatus before{};
  ServerStatus after{};
  StormTally tally{};
  std::uint64_t replays = 0;
  double newestP99 = 0;
  std::optional<double> tickP99{};  ///< the worst during the storm
  double waitedMs = 0;              ///< the tick thread, for a processor, during the storm
  double seconds = 0;               ///< of the storm
  std::uint64_t warmKib = 0;
  std::uint64_t mostKib = 0;  ///< from then on
  SwarmOutcome captured{};
};

class StormCheck final : public ICheck {
 public:
  StormCheck(LoadSpec spec, const StormSettings& settings) : m_spec(std::move(spec)), m_settings(settings) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto scene = Scene::Open(context, m_spec);
    if (!scene) {
      return std::move(scene).Failure();
    }
    const auto record = Play(context, *scene);
    if (!record) {
      return record.Failure();
    }
    auto figures = scene->Close();
    if (figures) {
      AddFigures(*scene, *record, *figures);
    }
    return figures;
  }

 private:
  /// The quiet time, the storm, and a while after it.
  Result<StormRecord> Play(const CheckContext& context, Scene& scene) const {
    auto relay = CaptureRelay::Start(scene.Server().Port());
    if (!relay) {
      return std::move(relay).Failure();
    }
    SwarmSpec capturedSpec = SwarmFor(m_spec);
    capturedSpec.clients = 1;
    capturedSpec.seconds = kCapturedSeconds;
    capturedSpec.name = "captured";
    auto captured = SwarmProcess::Start(context.places, capturedSpec, (*relay)->Port());
    if (!captured) {
      return std::move(captured).Failure();
    }
    if (Result<void> in = scene.AwaitPlayers(m_spec.clients + 1); !in) {
      return std::move(in).Failure();
    }
    context.say(fmt::format("quiet for {:.0f} s", m_settings.quietSeconds));
    if (Result<void> quiet = scene.Watch(m_settings.quietSeconds); !quiet) {
      return std::move(quiet).Failure();
    }
    StormRecord record;
    record.quiet = scene.Server().Metrics();
    (*relay)->ReplayInItsName(m_settings.replaysPerSecond);
    if (Result<void> raged = Rage(context, scene, **relay, record); !raged) {
      return std::move(raged).Failure();
    }
    (*relay)->ReplayInItsName(0);
    record.replays = (*relay)->Replayed();
    captured->Process().Signal(SIGTERM);
    captured->Process().WaitFor(kStormCheckLeavePatience);
    auto player = captured->Collect();
    if (!player) {
      return std::move(player).Failure();
    }
    record.captured = std::move(*player);
    if (!record.captured.firstFailure.empty()) {
      context.say("the captured client: " + record.captured.firstFailure);
    }
    return record;
  }

  Result<void> Rage(const CheckContext& context, Scene& scene, const CaptureRelay& relay, StormRecord& record) const {
    auto status = scene.Server().Status();
    if (!status) {
      return std::move(status).Failure();
    }
    record.before = std::move(*status);
    const auto sender = StormSender::Start(m_settings.plan, relay.Captured(), scene.Server().Port());
    if (!sender) {
      return sender.Failure();
    }
    const auto begin = Clock::now();
    double nextSay = kSayEverySeconds;
    while (!(*sender)->IsOver()) {
      if (Result<void> watched = scene.Watch(kLookSeconds); !watched) {
        return watched;
      }
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      Look(scene, seconds, record);
      if (seconds >= nextSay) {
        nextSay += kSayEverySeconds;
        const StormTally tally = (*sender)->Tally();
        context.say(fmt::format("{:.0f} of {:.0f} s: {} datagrams, {} oversize; tick p99 {:.2f} ms, {} KiB", seconds,
                                m_settings.plan.Seconds(), tally.sent, tally.oversizeSent, record.newestP99,
                                record.mostKib));
      }
    }
    record.tally = (*sender)->Tally();
    // What is still in the socket's queue belongs to the storm.
    if (Result<void> calm = scene.Watch(kAfterSeconds); !calm) {
      return calm;
    }
    status = scene.Server().Status();
    if (!status) {
      return std::move(status).Failure();
    }
    record.after = std::move(*status);
    return {};
  }

  void Look(Scene& scene, double seconds, StormRecord& record) const {
    const double length = m_settings.plan.Seconds();
    if (seconds >= kWarmUpShare * length) {
      const std::uint64_t kib = ResidentKibOf(scene.Server().Id());
      record.warmKib = record.warmKib == 0 ? kib : record.warmKib;
      record.mostKib = std::max(record.mostKib, kib);
    }
    // Before the server's window lies within the storm its percentile speaks of the quiet time too.
    const auto metrics = scene.Server().Metrics();
    record.newestP99 = metrics ? metrics->summary.tick.p99 : 0;
    record.waitedMs = metrics && record.quiet ? metrics->runQueueWaitMs - record.quiet->runQueueWaitMs : 0;
    record.seconds = seconds;
    if (metrics && seconds >= std::min(kWindowSeconds, 0.9 * length)) {
      record.tickP99 = std::max(record.tickP99.value_or(0), metrics->summary.tick.p99);
    }
  }

  static void AddFigures(const Scene& scene, const StormRecord& record, std::vector<Figure>& figures) {
    const auto add = [&figures](const char* name, std::optional<double> value, const char* unit = "") {
      figures.push_back(
          {.name = name, .value = value ? std::optional{FigureValue{*value}} : std::nullopt, .unit = unit});
    };
    const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
    const ServerStatus& before = record.before;
    const ServerStatus& after = record.after;
    const double sent = number(record.tally.sent + record.tally.oversizeSent + record.replays);
    // Of all that came in, what the clients sent is not the storm's.
    const double taken = number(after.datagramsIn - before.datagramsIn) - number(after.packetsIn - before.packetsIn);
    add("datagrams_sent", number(record.tally.sent));
    add("oversize_sent", number(record.tally.oversizeSent));
    add("replays_sent", number(record.replays));
    add("not_sent", number(record.tally.notSent));
    add("turned_away", number(after.TurnedAway() - before.TurnedAway()));
    add("taken_in_percent", 100 * taken / std::max(1.0, sent));
    add("honest_disconnects", number(scene.Players().disconnected));
    add("captured_disconnects", number(record.captured.disconnected));
    add("snapshot_delivery_percent", SnapshotDelivery(before, after));
    add("input_delivery_percent", InputDelivery(before, after, scene.LastStatus().packetsIn,
                                                scene.Players().inputsSent + record.captured.inputsSent));
    const auto quietP99 = record.quiet ? std::optional{record.quiet->summary.tick.p99} : std::nullopt;
    add("tick_p99_quiet", quietP99, "ms");
    add("tick_p99_storm", record.tickP99, "ms");
    add("tick_p99_more", quietP99 && record.tickP99 ? std::optional{*record.tickP99 - *quietP99} : std::nullopt, "ms");
    add("tick_thread_waited", record.seconds > 0 ? std::optional{record.waitedMs / record.seconds / 10} : std::nullopt,
        "%");
    add("memory_growth",
        record.warmKib > 0 ? std::optional{number(record.mostKib) - number(record.warmKib)} : std::nullopt, "KiB");
    add("ticks_dropped", number(after.droppedTicks - before.droppedTicks));
    add("longest_snapshot_gap", scene.Players().maxSnapshotGapMs, "ms");
  }

  static std::optional<double> SnapshotDelivery(const ServerStatus& before, const ServerStatus& after) {
    const auto acknowledged = static_cast<double>(after.packetsAcknowledged - before.packetsAcknowledged);
    const auto lost = static_cast<double>(after.packetsLost - before.packetsLost);
    return acknowledged + lost > 0 ? std::optional{100 * acknowledged / (acknowledged + lost)} : std::nullopt;
  }

  /// The clients count over the whole run only, so all that is missing counts against the storm's share of it.
  static std::optional<double> InputDelivery(const ServerStatus& before, const ServerStatus& after, std::uint64_t taken,
                                             std::uint64_t sent) {
    const auto during = static_cast<double>(after.packetsIn - before.packetsIn);
    const double missing = std::max(0.0, static_cast<double>(sent) - static_cast<double>(taken));
    return sent > 0 && during > 0 ? std::optional{100 * during / (during + missing)} : std::nullopt;
  }

  LoadSpec m_spec;
  StormSettings m_settings;
};

}  // namespace

std::unique_ptr<ICheck> MakeStormCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {});
  StormSettings settings;
  StormPlan& plan = settings.plan;
  plan.datagrams = parameters.Count("datagrams", 10'000);
  plan.perSecond = parameters.Number("per_second", plan.perSecond);
  plan.oversizePerSecond = parameters.Number("oversize_per_second", plan.oversizePerSecond);
  plan.oversizeSeconds = parameters.Number("oversize_s", plan.oversizeSeconds);
  plan.sources = parameters.Count("sources", plan.sources);
  plan.seed = parameters.Count("seed", 1);
  settings.replaysPerSecond = parameters.Number("replays_per_second", settings.replaysPerSecond);
  settings.quietSeconds = parameters.Number("quiet_s", settings.quietSeconds);
  if (plan.datagrams == 0 || plan.perSecond <= 0 || plan.sources == 0 || plan.sources > 200) {
    parameters.Refuse("\"datagrams\" and \"per_second\" must be more than 0, \"sources\" 1 to 200.");
  }
  if (plan.oversizePerSecond < 0 || plan.oversizeSeconds < 0 || settings.replaysPerSecond < 0 ||
      settings.quietSeconds < 0) {
    parameters.Refuse("Rates and times must not be negative.");
  }
  return std::make_unique<StormCheck>(std::move(spec), settings);
}

}  // namespace muster::gate
