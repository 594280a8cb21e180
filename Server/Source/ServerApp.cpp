// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerApp.h"

#include "Console.h"
#include "GameServer.h"
#include "MetricsWriter.h"
#include "ServerConfigCheck.h"
#include "ServerConfigSchema.h"
#include "SignalInbox.h"
#include "StandardInput.h"
#include "TickThread.h"

#include "Core/Bytes.h"
#include "Core/Files.h"
#include "Core/NonBlockingWrite.h"
#include "Link/Address.h"
#include "Link/NetworkThread.h"
#include "Protocol/RefusalCodes.h"
#include "Recording/RecordingReader.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <utility>

namespace muster::server {

namespace {

/// Beyond this, standard input is not read until some have been run.
constexpr std::size_t kMaxWaitingLines = 256;

LogLevel LevelOf(const std::string& word) {
  static constexpr std::array<std::string_view, 5> kWords{"trace", "debug", "info", "warning", "error"};
  const auto found = std::find(kWords.begin(), kWords.end(), word);
  return static_cast<LogLevel>(found - kWords.begin());
}

std::map<std::string, plugins::PluginSettings, std::less<>> SettingsOf(const config::EffectiveConfig& effective) {
  std::map<std::string, plugins::PluginSettings, std::less<>> settings;
  for (const auto& [id, table] : effective.Plugins()) {
    for (const auto& [key, entry] : table) {
      std::visit(
          [&, &id = id, &key = key](const auto& value) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::vector<std::string>>) {
              settings[id][key] = value;
            }
          },
          entry.value);
    }
  }
  return settings;
}

/// The layers bound to the struct, with everything that is wrong in `loaded.errors`; look there first.
ServerConfig BindChecked(const config::Schema<ServerConfig>& schema, config::Loaded& loaded) {
  ServerConfig config;
  if (loaded.IsUsable()) {
    config = schema.Bind(loaded.config);
    loaded.errors = CheckServerConfig(config);
  }
  return config;
}

/// What nobody takes is lost: the main thread looks after signals and never waits for a reader.
void Say(std::string_view text) {
  static_cast<void>(WriteWithoutWaiting(STDOUT_FILENO, text));
}

/// What the main thread needs of the configuration and a reload may change. [any]
struct LiveSettings {
  std::atomic<std::uint32_t> metricsIntervalMs{0};
  std::atomic<std::uint32_t> drainTimeoutS{0};

  void Take(const ServerConfig& config) {
    metricsIntervalMs.store(config.metrics.tickJsonIntervalMs, std::memory_order_relaxed);
    drainTimeoutS.store(config.shutdown.drainTimeoutS, std::memory_order_relaxed);
  }
};

/// Reads the sources again; shared by `reload_config` and SIGHUP.
class Reloader {
 public:
  Reloader(config::Sources sources, config::EffectiveConfig current)
      : m_sources(std::move(sources)), m_current(std::move(current)) {}

  /// [sim] between ticks, so that the change is whole for a tick.
  Result<std::string> Reload(GameServer& server, LiveSettings& live) {
    const auto schema = MakeServerSchema();
    config::Loaded loaded = config::Load(schema.Keys(), m_sources);
    static_cast<void>(BindChecked(schema, loaded));
    if (!loaded.IsUsable()) {
      return Error{loaded.errors.front().code, "Nothing was changed.", loaded.ErrorText(), "Mend the configuration."};
    }
    std::string answer;
    config::EffectiveConfig next = m_current;
    for (const config::Change& change : config::Differences(m_current, loaded.config)) {
      const bool isLive = change.reload == config::Reload::Live;
      answer +=
          fmt::format("{}: {} -> {}{}\n", change.path, change.before, change.after, isLive ? "" : " (needs a restart)");
      if (isLive) {
        TakeOver(schema.Keys(), change.path, loaded.config, next);
      }
    }
    m_current = std::move(next);
    const ServerConfig config = schema.Bind(m_current);
    server.Reconfigure(config);
    live.Take(config);
    return answer.empty() ? "Nothing differs.\n" : answer;
  }

 private:
  static void TakeOver(const config::KeySet& keys, std::string_view path, const config::EffectiveConfig& from,
                       config::EffectiveConfig& to) {
    for (std::size_t i = 0; i < keys.Keys().size(); ++i) {
      if (keys.Keys()[i].Path() == path) {
        to.Set(i, from.Entries()[i].value, from.Entries()[i].origin);
      }
    }
  }

  config::Sources m_sources;
  config::EffectiveConfig m_current;
};

class App {
 public:
  App(const CommandLine& commandLine, config::EffectiveConfig effective, const ServerConfig& config)
      : m_commandLine(commandLine),
        m_config(config),
        m_settings(SettingsOf(effective)),
        m_reloader(commandLine.sources, std::move(effective)),
        m_sink(LevelOf(config.log.level)),
        m_log(m_sink, "server") {
    m_live.Take(config);
  }

  int Run();

 private:
  Result<void> Start();
  void Loop();
  void HandleSignal(int signal);
  void HandleLine(std::string_view line);
  void BeginShutdown(std::string reason);
  bool IsDrained();

  const CommandLine& m_commandLine;
  ServerConfig m_config;
  std::map<std::string, plugins::PluginSettings, std::less<>> m_settings;
  Reloader m_reloader;
  StderrSink m_sink;
  Logger m_log;
  SteadyClock m_clock;
  LiveSettings m_live;
  std::atomic<bool> m_isStopping{false};
  MonotonicTime m_stopBy{};
  std::deque<std::string> m_lines;  ///< of the console, not yet run

  // Torn down in reverse: the tick thread ends before the network thread, that before the server.
  std::unique_ptr<GameServer> m_server;
  std::unique_ptr<link::NetworkThread> m_network;
  std::unique_ptr<TickThread> m_ticks;
  std::unique_ptr<MetricsWriter> m_metrics;
  std::unique_ptr<Console> m_console;
};

Result<void> App::Start() {
  auto server = GameServer::Create(m_config, {.clock = m_clock,
                                              .logSink = m_sink,
                                              .pluginRoots =
                                                  [this] {
                                                    std::vector<plugins::PluginRoot> roots;
                                                    for (const auto& path : m_commandLine.pluginRoots) {
                                                      roots.push_back({path, plugins::PluginRoot::Layout::Source});
                                                    }
                                                    return roots;
                                                  }(),
                                              .contentDirectory = m_commandLine.content,
                                              .pluginSettings = m_settings});
  if (!server) {
    return std::move(server).Failure();
  }
  m_server = std::move(*server);
  auto bound = m_server->Listen();
  if (!bound) {
    return std::move(bound).Failure();
  }
  if (!m_commandLine.addressFile.empty()) {
    const std::string text = link::FormatAddress(*bound) + "\n";
    if (Result<void> written = WriteFileAtomically(m_commandLine.addressFile, AsBytes(text)); !written) {
      return written;
    }
  }
  m_network = std::make_unique<link::NetworkThread>(m_server->Link(), Logger{m_sink, "net"});
  m_ticks = std::make_unique<TickThread>(*m_server, m_clock,
                                         simulation::FixedStepConfig{.maxCatchupTicks = m_config.world.maxCatchupTicks},
                                         Logger{m_sink, "tick"});
  m_metrics = std::make_unique<MetricsWriter>(*m_server, *m_ticks, m_clock, m_config.metrics.tickJsonPath,
                                              Logger{m_sink, "metrics"});
  m_console = std::make_unique<Console>(
      *m_server, ConsoleActions{.figures = [this] { return m_ticks->Figures(); },
                                .shutdown = [this](std::string reason) { BeginShutdown(std::move(reason)); },
                                .reloadConfig =
                                    [this] {
                                      const Result<std::string> answer = m_reloader.Reload(*m_server, m_live);
                                      return answer ? *answer : answer.Failure().ToString() + "\n";
                                    }});
  m_log.Info("{} is ready on {}", m_config.server.name, link::FormatAddress(*bound));
  return {};
}

/// [sim] between ticks.
void App::BeginShutdown(std::string reason) {
  if (m_isStopping.load(std::memory_order_relaxed)) {
    return;
  }
  m_log.Info("Stopping{}{}", reason.empty() ? "" : ": ", reason);
  m_server->Sessions().CloseAll(link::DisconnectReason::ServerShutdown, protocol::kServerShutdown, reason);
  m_stopBy = m_clock.Now() + std::chrono::seconds{m_live.drainTimeoutS.load(std::memory_order_relaxed)};
  m_isStopping.store(true, std::memory_order_release);
}

bool App::IsDrained() {
  const auto answer =
      m_ticks->Ask([this] { return std::string{m_server->Sessions().Sessions().empty() ? "yes" : ""}; });
  return answer && !answer->empty();
}

void App::HandleSignal(int signal) {
  if (signal == SIGHUP) {
    const auto answer = m_ticks->Ask([this] {
      const Result<std::string> reloaded = m_reloader.Reload(*m_server, m_live);
      if (reloaded) {
        m_log.Info("SIGHUP: {}", *reloaded);
      } else {
        m_log.Error("SIGHUP: {}", reloaded.Failure().ToString());
      }
      return std::string{};
    });
    if (!answer) {
      m_log.Error("SIGHUP: the tick thread did not answer");
    }
    return;
  }
  if (m_isStopping.load(std::memory_order_acquire)) {
    m_stopBy = std::min(m_stopBy, m_clock.Now() + std::chrono::seconds{2});  // asked twice: hurry
    return;
  }
  (void)m_ticks->Ask([this, signal] {
    BeginShutdown(signal == SIGTERM ? "the operator stopped it" : "interrupted");
    return std::string{};
  });
}

void App::HandleLine(std::string_view line) {
  const auto answer = m_ticks->Ask([this, line = std::string{line}] { return m_console->Execute(line); });
  Say(answer ? *answer : "The tick thread did not answer; the command may still run.\n");
}

void App::Loop() {
  SignalInbox signals;
  StandardInput input{m_commandLine.hasConsole};
  MonotonicTime nextMetrics = m_clock.Now();
  while (m_ticks->IsRunning() && m_network->IsRunning()) {
    const MonotonicTime now = m_clock.Now();
    if (now >= nextMetrics) {
      m_metrics->Write();
      nextMetrics = now + std::chrono::milliseconds{m_live.metricsIntervalMs.load(std::memory_order_relaxed)};
    }
    if (m_isStopping.load(std::memory_order_acquire) && (IsDrained() || now >= m_stopBy)) {
      return;
    }
    const auto wait = m_lines.empty()
                          ? std::min<std::chrono::nanoseconds>(nextMetrics - now, std::chrono::milliseconds{50})
                          : std::chrono::nanoseconds{0};
    std::array<pollfd, 2> waits{
        {{signals.Descriptor(), POLLIN, 0}, {m_lines.size() < kMaxWaitingLines ? input.Descriptor() : -1, POLLIN, 0}}};
    ::poll(waits.data(), waits.size(), static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count()));
    while (const std::optional<int> signal = signals.Take()) {
      HandleSignal(*signal);
    }
    if (waits[1].revents != 0) {
      input.Read([this](std::string_view line) {
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
          m_lines.emplace_back(line);
        }
      });
    }
    // One line a pass: a line takes up to a tick, and signals and metrics must not wait for a whole script of them.
    if (!m_lines.empty()) {
      HandleLine(m_lines.front());
      m_lines.pop_front();
    }
  }
}

int App::Run() {
  // Before any thread is made, so that all inherit it and only this one takes signals.
  SignalInbox::BlockSignals();
  if (Result<void> started = Start(); !started) {
    m_log.Error("{}", started.Failure().ToString());
    return kExitFailure;
  }
  Loop();
  const bool isWanted = m_isStopping.load(std::memory_order_acquire);
  m_ticks->Stop();
  m_network->Stop();
  m_metrics->Write();
  m_log.Info("{}", isWanted ? "Stopped." : "Stopped by a failure; see above.");
  return isWanted ? 0 : kExitFailure;
}

int PrintRecording(const std::filesystem::path& path) {
  auto reader = recording::RecordingReader::Open(path);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.Failure().ToString().c_str());
    return kExitFailure;
  }
  const recording::RecordingSummary summary = recording::Summarise(*reader);
  Say(recording::ToText(summary));
  return summary.damage ? kExitFailure : 0;
}

}  // namespace

void OpenStandardDescriptors() {
  for (int descriptor = ::open("/dev/null", O_RDWR); descriptor >= 0; descriptor = ::open("/dev/null", O_RDWR)) {
    if (descriptor > STDERR_FILENO) {
      ::close(descriptor);
      return;
    }
  }
}

std::string ConfigReference() {
  return "# Server configuration\n\nMade by `muster-server --print-config-reference`.\n\n" +
         config::MarkdownReference(MakeServerSchema().Keys());
}

int RunServer(const CommandLine& commandLine) {
  const auto schema = MakeServerSchema();
  if (commandLine.printReference) {
    Say(ConfigReference());
    return 0;
  }
  if (!commandLine.printRecording.empty()) {
    return PrintRecording(commandLine.printRecording);
  }
  config::Loaded loaded = config::Load(schema.Keys(), commandLine.sources);
  const ServerConfig config = BindChecked(schema, loaded);
  if (!loaded.IsUsable()) {
    std::fprintf(stderr, "%s\n", loaded.ErrorText().c_str());
    return kExitUsage;
  }
  if (commandLine.printConfig) {
    Say(loaded.config.Print());
    return 0;
  }
  if (commandLine.checkConfig) {
    Say("The configuration is sound.\n");
    return 0;
  }
  return App{commandLine, std::move(loaded.config), config}.Run();
}

}  // namespace muster::server
