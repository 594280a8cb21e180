// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Console.h"

#include "Core/Utf8.h"
#include "Link/Address.h"
#include "Protocol/RefusalCodes.h"
#include "Simulation/LoadSpawner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace muster::server {

namespace {

std::vector<std::string_view> SplitWords(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kBlanks = " \t\r\n";
  for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

/// The words from `first` on as one text that is safe to show.
std::string JoinFrom(const std::vector<std::string_view>& words, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < words.size(); ++i) {
    text += (i == first ? "" : " ") + EscapeControl(words[i]);
  }
  return text;
}

template <class T>
std::optional<T> ParseNumber(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) {
      return std::nullopt;
    }
  }
  return value;
}

std::string NotANumber(std::string_view what, std::string_view text) {
  return fmt::format("{} must be a number, not \"{}\".\n", what, EscapeControl(text));
}

void AppendRow(std::string& out, std::string_view name, const std::optional<telemetry::DurationStats>& stats) {
  if (!stats) {
    out += fmt::format("{:<12} {:>8}\n", name, "-");
    return;
  }
  out += fmt::format("{:<12} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f} {:>8.3f}\n", name, stats->min, stats->mean,
                     stats->max, stats->p50, stats->p95, stats->p99);
}

}  // namespace

Console::Console(GameServer& server, ConsoleActions actions) : m_server(server), m_actions(std::move(actions)) {}

const std::vector<Console::Command>& Console::Commands() {
  static const std::vector<Command> kCommands{
      {"help", "[COMMAND]", "this list, or one command", 1, 2, &Console::Help},
      {"status", "", "rate, players, entities, the wire, and what was dropped", 1, 1, &Console::Status},
      {"tickstats", "", "milliseconds by phase over the last minute", 1, 1, &Console::TickStats},
      {"peers", "", "who is on", 1, 1, &Console::Peers},
      {"kick", "SESSION [REASON...]", "sends a player away", 2, 64, &Console::Kick},
      {"spawn", "CONTROLLER [COUNT] [ARCHETYPE]", "adds agents around the origin", 2, 4, &Console::Spawn},
      {"kill", "SLOT|all-ai", "takes an entity, or every agent, out of the world", 2, 2, &Console::Kill},
      {"plugin", "list | swap spatial ID|FOLDER | swap controllers PROVIDER ID|FOLDER",
       "what runs, and putting another provider in its place", 2, 5, &Console::Plugin},
      {"reload_config", "", "reads the configuration file again, all or nothing", 1, 1, &Console::ReloadConfig},
      {"record", "start PATH | stop | status", "records the world and the players' inputs to a new file", 2, 3,
       &Console::Record},
      {"pause", "", "holds the world still; players stay connected", 1, 1, &Console::Pause},
      {"resume", "", "lets the world go on", 1, 1, &Console::Resume},
      {"shutdown", "[REASON...]", "tells the players, stops, exits with 0", 1, 64, &Console::Shutdown},
  };
  return kCommands;
}

std::string Console::Execute(std::string_view line) {
  if (line.size() > kMaxLineBytes) {
    return fmt::format("A line may have {} bytes; this one has {}.\n", kMaxLineBytes, line.size());
  }
  const Words words = SplitWords(line);
  if (words.empty()) {
    return {};
  }
  const auto& commands = Commands();
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& candidate) { return candidate.name == words[0]; });
  if (command == commands.end()) {
    return Unknown(words[0]);
  }
  if (words.size() < command->minWords || words.size() > command->maxWords) {
    return fmt::format("usage: {} {}\n", command->name, command->arguments);
  }
  return (this->*command->run)(words);
}

std::string Console::Unknown(std::string_view name) {
  return fmt::format("There is no command \"{}\"; `help` lists them.\n", EscapeControl(name.substr(0, 64)));
}

std::string Console::Help(const Words& words) {
  std::string out;
  for (const Command& command : Commands()) {
    if (words.size() == 1 || words[1] == command.name) {
      out += fmt::format("{:<14} {}\n{:<14} {}\n", command.name, command.help, "",
                         command.arguments.empty() ? "(no arguments)" : command.arguments);
    }
  }
  return out.empty() ? Unknown(words[1]) : out;
}

std::string Console::Status(const Words&) {
  const TickFigures figures = m_actions.figures();
  const telemetry::TickSummary summary = m_server.Timings().Summarise();
  const link::LinkStats link = m_server.Link().Stats();
  std::string out = fmt::format(
      "tick {}  {:.2f} Hz  tick p99 {:.3f} ms  dropped {}  late {} ({} waiting for a processor)\n", figures.tick,
      summary.tickHz, summary.tick.p99, figures.droppedTicks, figures.lateTicks, figures.lateTicksWaiting);
  out += fmt::format("players {}  entities {}  {}\n", figures.peers, figures.entities,
                     m_server.IsPaused() ? "PAUSED" : "running");
  const sessions::SessionStats& sessions = m_server.Sessions().Stats();
  out += fmt::format("sessions {}  joined {}  refused {}  left {}  lost {}\n", m_server.Sessions().Sessions().size(),
                     sessions.joined, sessions.refused, sessions.left, sessions.lost);
  out += fmt::format("packets out {} (acknowledged {}, lost {}), in {}\n", link.packetsOut, link.packetsAcked,
                     link.packetsLost, link.packetsIn);
  out += fmt::format("wire out {} datagrams {} bytes, in {} datagrams {} bytes; dropped {}\n", link.datagramsOut,
                     link.bytesOut, link.datagramsIn, link.bytesIn, link.DroppedTotal());
  for (std::size_t i = 0; i < link::kDropReasonCount; ++i) {
    if (link.dropped[i] > 0) {
      out += fmt::format("  {} {}\n", link::ToString(static_cast<link::DropReason>(i)), link.dropped[i]);
    }
  }
  const auto addCount = [&out](std::string_view name, std::uint64_t count) {
    if (count > 0) {
      out += fmt::format("  {} {}\n", name, count);
    }
  };
  addCount("half_open", link.halfOpen);
  addCount("receive_errors", link.receiveErrors);
  addCount("refused_connections", link.refusedConnections);
  addCount("send_errors", link.sendErrors);
  addCount("service_errors", link.serviceErrors);
  for (std::size_t i = 1; i < link::kSendDropReasonCount; ++i) {
    addCount(fmt::format("not_sent_{}", link::ToString(static_cast<link::SendDropReason>(i))), link.sendDropped[i]);
  }
  return out;
}

std::string Console::TickStats(const Words&) {
  const telemetry::TickSummary summary = m_server.Timings().Summarise();
  std::string out =
      fmt::format("{} ticks over {:.1f} s, milliseconds\n{:<12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
                  summary.ticksSampled, summary.windowSeconds, "phase", "min", "mean", "max", "p50", "p95", "p99");
  AppendRow(out, "tick", summary.tick);
  for (const telemetry::Phase phase : telemetry::kPhases) {
    AppendRow(out, telemetry::PhaseName(phase), summary.phases[static_cast<std::size_t>(phase)]);
  }
  AppendRow(out, "other", summary.other);
  return out;
}

std::string Console::Peers(const Words&) {
  std::string out = fmt::format("{:<8} {:<22} {:>8} {:>7} {:>7} {:>9} {:>9}  {}\n", "session", "address", "rtt ms",
                                "margin", "target", "repeated", "late", "name");
  for (const auto& session : m_server.Sessions().Sessions()) {
    if (session->state != sessions::SessionState::Active) {
      continue;
    }
    const sessions::InputStats& input = session->input.Stats();
    out += fmt::format(
        "{:<8} {:<22} {:>8.2f} {:>7} {:>7} {:>9} {:>9}  {}\n", session->id.Value(),
        link::FormatAddress(session->address), std::chrono::duration<double, std::milli>(session->roundTrip).count(),
        session->input.MarginOverTarget(), session->input.FillTargetTicks(), input.repeated, input.late, session->name);
  }
  return out;
}

std::string Console::Kick(const Words& words) {
  const auto id = ParseNumber<std::uint32_t>(words[1]);
  if (!id) {
    return NotANumber("SESSION", words[1]);
  }
  const std::string reason = JoinFrom(words, 2);
  if (!m_server.Sessions().Close(SessionId{*id}, link::DisconnectReason::Kicked, protocol::kKicked, reason)) {
    return fmt::format("There is no session {}; `peers` lists them.\n", *id);
  }
  return fmt::format("session {} was sent away\n", *id);
}

std::string Console::Spawn(const Words& words) {
  const auto controller = m_server.Controllers().Find(words[1]);
  if (!controller) {
    std::string out = fmt::format("There is no controller \"{}\"; there are:", EscapeControl(words[1]));
    for (const std::string_view name : m_server.Controllers().Names()) {
      out += fmt::format(" {}", name);
    }
    return out + "\n";
  }
  std::uint32_t count = 1;
  if (words.size() > 2) {
    const auto wanted = ParseNumber<std::uint32_t>(words[2]);
    if (!wanted || *wanted == 0 || *wanted > 100'000) {
      return NotANumber("COUNT (1 to 100000)", words[2]);
    }
    count = *wanted;
  }
  simulation::LoadSpawnConfig load;
  load.count = count;
  load.spreadKm = std::max(1.0, std::sqrt(static_cast<double>(count)) * 0.3);
  load.aglMeters = 1'000.0;
  load.mix = std::string{words[1]} + ":1";
  if (words.size() > 3) {
    load.entityType = words[3];
  }
  auto spawner = simulation::LoadSpawner::Create(load, m_server.World().Archetypes(), m_server.Controllers());
  if (!spawner) {
    return spawner.Failure().ToString() + "\n";
  }
  const std::uint32_t spawned = spawner->SpawnAll(m_server.World());
  return fmt::format("{} of {} spawned\n", spawned, count);
}

std::string Console::Kill(const Words& words) {
  simulation::Simulation& world = m_server.World();
  const world::EntityStore& store = world.Store();
  if (words[1] == "all-ai") {
    const auto controllers = store.Column(world.Columns().controller);
    std::size_t count = 0;
    for (const std::uint32_t slot : store.LiveSlots()) {
      if (controllers[slot] != 0) {
        world.RequestDespawn(store.HandleAt(slot));
        ++count;
      }
    }
    return fmt::format("{} agents go with the next tick\n", count);
  }
  const auto slot = ParseNumber<std::uint32_t>(words[1]);
  if (!slot) {
    return NotANumber("SLOT", words[1]);
  }
  const world::EntityHandle handle = *slot < store.Capacity() ? store.HandleAt(*slot) : world::EntityHandle{};
  if (handle.IsNull()) {
    return fmt::format("Nothing lives in slot {}.\n", *slot);
  }
  world.RequestDespawn(handle);
  return fmt::format("slot {} goes with the next tick\n", *slot);
}

std::string Console::Plugin(const Words& words) {
  if (words[1] == "list" && words.size() == 2) {
    return PluginList();
  }
  const auto answer = [](const Result<std::string>& swapped) {
    return (swapped ? *swapped : swapped.Failure().ToString()) + "\n";
  };
  if (words[1] == "swap" && words.size() == 4 && words[2] == "spatial") {
    return answer(m_server.SwapSpatialIndex(words[3]));
  }
  if (words[1] == "swap" && words.size() == 5 && words[2] == "controllers") {
    return answer(m_server.SwapControllers(words[3], words[4]));
  }
  return "usage: plugin list | plugin swap spatial ID|FOLDER | plugin swap controllers PROVIDER ID|FOLDER\n";
}

std::string Console::PluginList() const {
  std::string out;
  for (const auto& generation : m_server.Plugins().Generations()) {
    const auto& identity = generation->Identity();
    out += fmt::format("{:<28} {:<10} generation {:<3} sha256 {}\n", generation->Id(), identity.version,
                       generation->Number(), ToHex(generation->ContentHash()).substr(0, 16));
  }
  const auto spatial = m_server.Spatial().Active();
  out += fmt::format("spatial index: {} {} (generation {}){}\n", spatial.name, spatial.version, spatial.generation,
                     spatial.isDisabled ? ", out of service: the linear index answers" : "");
  for (const auto& provider : m_server.Controllers().Providers()) {
    out += fmt::format("controllers: {} {}{}\n", provider.name, provider.version,
                       provider.isDisabled ? ", out of service: the hold controller flies" : "");
  }
  return out;
}

std::string Console::ReloadConfig(const Words&) {
  return m_actions.reloadConfig();
}

std::string Console::Record(const Words& words) {
  WorldRecorder& recorder = m_server.Recorder();
  if (words[1] == "start" && words.size() == 3) {
    const Result<void> begun = recorder.Start(std::filesystem::path{words[2]});
    return begun ? fmt::format("recording to {}\n", EscapeControl(words[2])) : begun.Failure().ToString() + "\n";
  }
  if (words[1] == "stop" && words.size() == 2) {
    return recorder.Stop() ? "stopping; `record status` says when everything is written\n" : "Nothing is recorded.\n";
  }
  if (words[1] == "status" && words.size() == 2) {
    return EscapeControl(recorder.Describe()) + "\n";
  }
  return "usage: record start PATH | record stop | record status\n";
}

std::string Console::Pause(const Words&) {
  m_server.SetPaused(true);
  return "paused\n";
}

std::string Console::Resume(const Words&) {
  m_server.SetPaused(false);
  return "running\n";
}

std::string Console::Shutdown(const Words& words) {
  m_actions.shutdown(JoinFrom(words, 1));
  return "stopping\n";
}

}  // namespace muster::server
