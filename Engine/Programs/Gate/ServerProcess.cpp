// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerProcess.h"

#include "GateErrors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxFileBytes = 1 << 20;
constexpr std::chrono::seconds kStartPatience{30};
constexpr std::chrono::seconds kAnswerPatience{10};
constexpr std::chrono::seconds kStopPatience{15};
constexpr milliseconds kServerProcessLook{20};
constexpr const char* kMetricsInterval = "metrics.tick_json_interval_ms=250";

std::uint16_t PortOf(const std::string& address) {
  std::uint16_t port = 0;
  if (const auto colon = address.rfind(':'); colon != std::string::npos) {
    std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  }
  return port;
}

}  // namespace

std::string LastLines(const std::string& text, std::size_t lines) {
  std::size_t begin = text.size();
  while (begin > 0 && lines > 0) {
    const auto previous = text.rfind('\n', begin - 1);
    begin = previous == std::string::npos ? 0 : previous;
    --lines;
    if (begin + 1 == text.size()) {
      ++lines;  // the line end at the very end closes no line of its own
    }
  }
  std::string out = text.substr(begin);
  out.erase(0, std::min(out.find_first_not_of('\n'), out.size()));
  return out;
}

ServerProcess::ServerProcess(TemporaryDirectory directory, ChildProcess process, std::filesystem::path metrics)
    : m_directory(std::move(directory)), m_process(std::move(process)), m_metrics(std::move(metrics)) {}

Result<ServerProcess> ServerProcess::Start(const Places& places, const ServerSpec& spec, const StopFlag& stop) {
  auto directory = TemporaryDirectory::Create("muster-gate");
  if (!directory) {
    return std::move(directory).Failure();
  }
  const std::filesystem::path addressFile = directory->Path() / "address";
  const std::filesystem::path metrics = directory->Path() / "metrics.json";
  ProcessSpec process{
      .program = places.Program("muster-server"), .hasInput = spec.hasConsole, .environment = spec.environment};
  process.arguments = {"--config",       (spec.config.empty() ? places.SampleConfig() : spec.config).string(),
                       "--port",         "0",
                       "--address-file", addressFile.string(),
                       "--metrics-json", metrics.string(),
                       "--set",          kMetricsInterval};
  if (!spec.hasConsole) {
    process.arguments.emplace_back("--no-console");
  }
  for (const std::string& setting : spec.overrides) {
    process.arguments.insert(process.arguments.end(), {"--set", setting});
  }
  auto child = ChildProcess::Start(process);
  if (!child) {
    return std::move(child).Failure();
  }
  ServerProcess server{std::move(*directory), std::move(*child), metrics};
  if (Result<void> ready = server.AwaitPort(addressFile, stop); !ready) {
    return std::move(ready).Failure();
  }
  return server;
}

Result<void> ServerProcess::AwaitPort(const std::filesystem::path& addressFile, const StopFlag& stop) {
  const auto deadline = Clock::now() + kStartPatience;
  while (Clock::now() < deadline) {
    if (stop.load(std::memory_order_relaxed)) {
      return Interrupted();
    }
    if (const auto address = ReadTextFile(addressFile, kMaxFileBytes)) {
      m_port = PortOf(*address);
      return {};
    }
    if (const auto status = m_process.ExitStatus()) {
      m_process.Pump(milliseconds{0});
      return Error{kProcessEnded, fmt::format("muster-server ended with status {} instead of starting.", *status),
                   LastLines(m_process.ErrorText(), 3), "Follow what it said."};
    }
    m_process.Pump(kServerProcessLook);
  }
  return Error{kProcessSilent, "muster-server did not open its port.",
               fmt::format("It has had {} s for it.", kStartPatience.count()),
               "See whether the machine is busy; start muster-server by hand to see what it waits for."};
}

std::optional<telemetry::ServerTickReport> ServerProcess::Metrics() const {
  const auto text = ReadTextFile(m_metrics, kMaxFileBytes);
  if (!text) {
    return std::nullopt;
  }
  auto report = telemetry::ServerTickReportFromJson(*text);
  return report ? std::optional{std::move(*report)} : std::nullopt;
}

Result<std::string> ServerProcess::Ask(std::string_view command) {
  // An answer has no end of its own, so a command that does not exist is asked behind it: its answer is the end.
  const std::string marker = fmt::format("end-of-answer-{}", ++m_questions);
  const std::string end = fmt::format("There is no command \"{}\"", marker);
  const std::size_t begin = m_process.Output().size();
  m_process.WriteLine(command);
  m_process.WriteLine(marker);
  const auto deadline = Clock::now() + kAnswerPatience;
  while (Clock::now() < deadline && !m_process.ExitStatus()) {
    m_process.Pump(kServerProcessLook);
    if (const auto found = m_process.Output().find(end, begin); found != std::string::npos) {
      return m_process.Output().substr(begin, found - begin);
    }
  }
  return Error{kProcessSilent, fmt::format("The server did not answer `{}`.", command),
               LastLines(m_process.ErrorText(), 2), "See whether the tick thread still runs."};
}

Result<ServerStatus> ServerProcess::Status() {
  const auto answer = Ask("status");
  if (!answer) {
    return answer.Failure();
  }
  return ParseServerStatus(*answer);
}

bool ServerProcess::IsRunning() {
  m_process.Pump(milliseconds{0});
  return !m_process.ExitStatus().has_value();
}

Result<int> ServerProcess::Stop() {
  m_process.Signal(SIGTERM);
  if (const auto status = m_process.WaitFor(kStopPatience)) {
    return *status;
  }
  return Error{kProcessSilent, "muster-server did not end after SIGTERM.",
               fmt::format("It has had {} s for it.", kStopPatience.count()), "See its log for what it waits for."};
}

}  // namespace muster::gate
