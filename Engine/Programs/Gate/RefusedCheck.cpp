// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "refused": clients that say they speak another protocol version come, all at once, twice: the first time warms
// what the server allocates once. Parameters: "refused_clients", "protocol_version", and those of ReadLoadSpec for the
// players who are on all the time. Figures, of the second time: "refused" and "named" (how many of the clients named the
// error), "counted" (by the server, under its reason), "left_by_them" (what the server holds more or less than before
// they came, with the players on), "memory_growth", and those of Scene.
#include "CheckKinds.h"

#include "Scene.h"

#include <chrono>
#include <string_view>
#include <utility>

namespace muster::gate {

namespace {

constexpr std::string_view kName = "MU3001 ProtocolVersionMismatch";
constexpr std::string_view kReason = "handshake_refused";
constexpr double kRefusedSwarmSeconds = 1;
constexpr std::chrono::seconds kPatience{30};
constexpr double kRefusedLeftoverPatienceSeconds = 20;

struct Round {
  std::uint64_t refused = 0;
  std::uint64_t named = 0;
  std::uint64_t counted = 0;
  Footprint after;
};

class RefusedCheck final : public ICheck {
 public:
  RefusedCheck(LoadSpec spec, std::uint32_t clients, std::uint16_t version)
      : m_spec(std::move(spec)), m_clients(clients), m_version(version) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto scene = Scene::Open(context, m_spec);
    if (!scene) {
      return std::move(scene).Failure();
    }
    const auto before = TakeFootprintAtRest(scene->Server(), context.stop);
    if (!before) {
      return before.Failure();
    }
    const auto warm = Come(context, *scene, *before);
    if (!warm) {
      return warm.Failure();
    }
    const auto round = Come(context, *scene, *before);
    if (!round) {
      return round.Failure();
    }
    auto figures = scene->Close();
    if (!figures) {
      return figures;
    }
    const auto number = [](auto value) { return FigureValue{static_cast<double>(value)}; };
    figures->push_back({.name = "refused", .value = number(round->refused)});
    figures->push_back({.name = "named", .value = number(round->named)});
    figures->push_back({.name = "counted", .value = number(round->counted)});
    figures->push_back({.name = "left_by_them", .value = Leftovers(*before, round->after)});
    figures->push_back(
        {.name = "memory_growth",
         .value = number(static_cast<double>(round->after.residentKib) - static_cast<double>(warm->after.residentKib)),
         .unit = "KiB"});
    return figures;
  }

 private:
  Result<Round> Come(const CheckContext& context, Scene& scene, const Footprint& before) const {
    const auto counted = scene.Server().Status();
    if (!counted) {
      return counted.Failure();
    }
    SwarmSpec spec = SwarmFor(m_spec);
    spec.clients = m_clients;
    spec.seconds = kRefusedSwarmSeconds;
    spec.name = "stranger";
    spec.protocolVersion = m_version;
    auto swarm = SwarmProcess::Start(context.places, spec, scene.Server().Port());
    if (!swarm) {
      return std::move(swarm).Failure();
    }
    swarm->Process().WaitFor(kPatience);
    const auto outcome = swarm->Collect();
    if (!outcome) {
      return outcome.Failure();
    }
    Round round;
    round.refused = outcome->refused;
    for (const auto& [failure, count] : outcome->failures) {
      round.named += failure.find(kName) != std::string::npos ? count : 0;
    }
    auto after = AwaitNoLeftovers(scene.Server(), before, kRefusedLeftoverPatienceSeconds, context.stop);
    if (!after) {
      return std::move(after).Failure();
    }
    round.after = *after;
    const auto now = scene.Server().Status();
    if (!now) {
      return now.Failure();
    }
    round.counted = now->Count(kReason) - counted->Count(kReason);
    return round;
  }

  LoadSpec m_spec;
  std::uint32_t m_clients;
  std::uint16_t m_version;
};

}  // namespace

std::unique_ptr<ICheck> MakeRefusedCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {.clients = 8, .agents = 50});
  const std::uint32_t clients = parameters.Count("refused_clients", 100);
  const std::uint32_t version = parameters.Count("protocol_version", 99);
  if (clients == 0 || version > 65'535) {
    parameters.Refuse("\"refused_clients\" must be at least 1 and \"protocol_version\" at most 65535.");
  }
  // A full server would refuse them for another reason.
  spec.sparePeers += clients;
  return std::make_unique<RefusedCheck>(std::move(spec), clients, static_cast<std::uint16_t>(version));
}

}  // namespace muster::gate
