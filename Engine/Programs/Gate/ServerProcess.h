// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A muster-server of its own: started on a free port, asked over its console, read through its metrics file, stopped.
//
//   auto server = ServerProcess::Start(places, {.overrides = {"world.test_spawn_ai_count=500"}, .hasConsole = true}, stop);
//   Result<std::string> answer = server->Ask("plugin list");
//   Result<int> status = server->Stop();
#pragma once

#include "ChildProcess.h"
#include "GatePlaces.h"
#include "ServerStatus.h"

#include "Core/Files.h"
#include "Core/Result.h"
#include "Telemetry/ServerTickReport.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

struct ServerSpec {
  std::filesystem::path config{};        ///< empty: the sample world
  std::vector<std::string> overrides{};  ///< SECTION.KEY=VALUE
  bool hasConsole = false;
  std::vector<std::string> environment{};  ///< NAME=VALUE, beside the caller's own
};

class ServerProcess {
 public:
  /// Returns once the port is open. Fails with kProcessNotStarted, kProcessEnded (its own last words are the cause),
  /// kProcessSilent or kGateInterrupted.
  static Result<ServerProcess> Start(const Places& places, const ServerSpec& spec, const StopFlag& stop);

  [[nodiscard]] pid_t Id() const { return m_process.Id(); }
  [[nodiscard]] std::uint16_t Port() const { return m_port; }
  [[nodiscard]] const std::filesystem::path& MetricsPath() const { return m_metrics; }

  /// The newest figures; nothing before the first.
  [[nodiscard]] std::optional<telemetry::ServerTickReport> Metrics() const;

  /// One console command and its answer. The server must have a console.
  Result<std::string> Ask(std::string_view command);

  /// The answer to `status`.
  Result<ServerStatus> Status();

  /// Takes in what it printed; false when it has ended.
  bool IsRunning();

  /// SIGTERM, then its exit status. Fails with kProcessSilent when it does not end within 15 s.
  Result<int> Stop();

  /// Waits at most so long for output and takes it in.
  void Pump(std::chrono::milliseconds patience) { m_process.Pump(patience); }
  void Signal(int signal) { m_process.Signal(signal); }

  [[nodiscard]] const std::string& Log() const { return m_process.ErrorText(); }

 private:
  ServerProcess(TemporaryDirectory directory, ChildProcess process, std::filesystem::path metrics);
  Result<void> AwaitPort(const std::filesystem::path& addressFile, const StopFlag& stop);

  TemporaryDirectory m_directory;
  ChildProcess m_process;
  std::filesystem::path m_metrics;
  std::uint16_t m_port = 0;
  std::uint32_t m_questions = 0;
};

/// The last `lines` lines, for a cause.
std::string LastLines(const std::string& text, std::size_t lines);

}  // namespace muster::gate
