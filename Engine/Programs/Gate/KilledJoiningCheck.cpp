// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "killed-joining": clients are killed (SIGKILL) in the middle of their join, each after a random number of
// datagrams, while others play. Parameters: "kills", "most_datagrams" (a client is killed after 1 to so many), "seed",
// and those of ReadLoadSpec for the others. Figures: "kills", "killed_before_joining" (the server never had them as
// players), those of Scene.
#include "CheckKinds.h"

#include "CaptureRelay.h"
#include "GateErrors.h"
#include "Scene.h"

#include "Core/Random.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kKilledJoiningCheckLook{200};
constexpr std::chrono::seconds kPatience{10};
constexpr std::uint32_t kSayEvery = 25;

class KilledJoiningCheck final : public ICheck {
 public:
  KilledJoiningCheck(LoadSpec spec, std::uint32_t kills, std::uint32_t mostDatagrams, std::uint64_t seed)
      : m_spec(std::move(spec)), m_kills(kills), m_mostDatagrams(mostDatagrams), m_seed(seed) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto scene = Scene::Open(context, m_spec);
    if (!scene) {
      return std::move(scene).Failure();
    }
    Random random{m_seed};
    for (std::uint32_t i = 0; i < m_kills; ++i) {
      const std::uint64_t datagrams = 1 + random.NextBelow(m_mostDatagrams);
      if (Result<void> killed = KillOne(context, *scene, datagrams); !killed) {
        return std::move(killed).Failure();
      }
      if ((i + 1) % kSayEvery == 0) {
        context.say(fmt::format("{} of {} killed", i + 1, m_kills));
      }
    }
    auto figures = scene->Close();
    if (!figures) {
      return figures;
    }
    const auto joined = static_cast<double>(scene->LastStatus().joined) - m_spec.clients;
    figures->push_back({.name = "kills", .value = static_cast<double>(m_kills)});
    figures->push_back({.name = "killed_before_joining", .value = static_cast<double>(m_kills) - joined});
    return figures;
  }

 private:
  Result<void> KillOne(const CheckContext& context, Scene& scene, std::uint64_t datagrams) const {
    auto relay = CaptureRelay::Start(scene.Server().Port());
    if (!relay) {
      return std::move(relay).Failure();
    }
    SwarmSpec victim = SwarmFor(m_spec);
    victim.clients = 1;
    victim.name = "victim";
    auto swarm = SwarmProcess::Start(context.places, victim, (*relay)->Port());
    if (!swarm) {
      return std::move(swarm).Failure();
    }
    const auto deadline = Clock::now() + kPatience;
    while ((*relay)->Forwarded() < datagrams) {
      if (swarm->Process().ExitStatus() || Clock::now() > deadline) {
        swarm->Process().Pump(std::chrono::milliseconds{0});
        return Error{kProcessSilent, "A client that was to be killed never got that far.",
                     fmt::format("It had sent {} of {} datagrams. {}", (*relay)->Forwarded(), datagrams,
                                 LastLines(swarm->Process().ErrorText(), 2)),
                     "Try it by hand with muster-swarm."};
      }
      if (context.stop.load(std::memory_order_relaxed)) {
        return Interrupted();
      }
      std::this_thread::sleep_for(kKilledJoiningCheckLook);
    }
    swarm->Process().Signal(SIGKILL);
    swarm->Process().WaitFor(kPatience);
    return scene.Watch(0);
  }

  LoadSpec m_spec;
  std::uint32_t m_kills;
  std::uint32_t m_mostDatagrams;
  std::uint64_t m_seed;
};

}  // namespace

std::unique_ptr<ICheck> MakeKilledJoiningCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {.clients = 8, .agents = 50});
  const std::uint32_t kills = parameters.Count("kills", 50);
  const std::uint32_t most = parameters.Count("most_datagrams", 8);
  const std::uint32_t seed = parameters.Count("seed", 1);
  if (kills == 0 || most == 0) {
    parameters.Refuse("\"kills\" and \"most_datagrams\" must be at least 1.");
  }
  // Each victim holds its place until it has been silent for long enough.
  spec.sparePeers += kills;
  return std::make_unique<KilledJoiningCheck>(std::move(spec), kills, most, seed);
}

}  // namespace muster::gate
