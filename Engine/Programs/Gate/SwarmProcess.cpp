// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SwarmProcess.h"

#include "GateErrors.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace muster::gate {

namespace {

constexpr std::size_t kMaxReportBytes = 64 << 20;

std::vector<std::string> ArgumentsOf(const SwarmSpec& spec, std::uint16_t port, const std::filesystem::path& report) {
  std::vector<std::string> arguments{"127.0.0.1", std::to_string(port)};
  const auto add = [&arguments](const char* option, const std::string& value) {
    if (!value.empty()) {
      arguments.insert(arguments.end(), {option, value});
    }
  };
  add("--clients", std::to_string(spec.clients));
  add("--duration", fmt::format("{}", spec.seconds));
  add("--json", report.string());
  add("--server-metrics", spec.serverMetrics.string());
  add("--pattern", spec.pattern);
  add("--transport", spec.transport);
  add("--codec", spec.codec);
  add("--name", spec.name);
  add("--protocol-version", spec.protocolVersion ? std::to_string(*spec.protocolVersion) : "");
  arguments.emplace_back("--quiet");
  return arguments;
}

}  // namespace

SwarmSpec SwarmFor(const LoadSpec& spec) {
  return {.clients = spec.clients,
          .seconds = spec.seconds,
          .pattern = spec.pattern,
          .transport = spec.transport,
          .codec = spec.codec};
}

SwarmProcess::SwarmProcess(TemporaryDirectory directory, ChildProcess process, std::filesystem::path report)
    : m_directory(std::move(directory)), m_process(std::move(process)), m_report(std::move(report)) {}

Result<SwarmProcess> SwarmProcess::Start(const Places& places, const SwarmSpec& spec, std::uint16_t port) {
  auto directory = TemporaryDirectory::Create("muster-gate");
  if (!directory) {
    return std::move(directory).Failure();
  }
  const std::filesystem::path report = directory->Path() / "swarm.json";
  auto process = ChildProcess::Start({.program = places.Program("muster-swarm"),
                                      .arguments = ArgumentsOf(spec, port, report),
                                      .environment = spec.environment});
  if (!process) {
    return std::move(process).Failure();
  }
  return SwarmProcess{std::move(*directory), std::move(*process), report};
}

Result<SwarmOutcome> SwarmProcess::Collect() {
  m_process.Pump(std::chrono::milliseconds{0});
  const auto text = ReadTextFile(m_report, kMaxReportBytes);
  if (!text) {
    return Error{kProcessEnded,
                 fmt::format("muster-swarm ended with status {} and no report.", m_process.ExitStatus().value_or(-1)),
                 LastLines(m_process.ErrorText(), 3), "Follow what it said."};
  }
  return ParseSwarmReport(*text);
}

}  // namespace muster::gate
