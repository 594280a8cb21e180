// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "MetricsWriter.h"

#include "Core/Bytes.h"
#include "Core/Files.h"
#include "Telemetry/ProcessStats.h"

#include <chrono>
#include <utility>

namespace muster::server {

namespace {

constexpr std::chrono::milliseconds kWireSampleTime{950};
constexpr double kBytesPerKb = 1'000.0;

}  // namespace

MetricsWriter::MetricsWriter(GameServer& server, const TickThread& ticks, const IClock& clock,
                             std::filesystem::path path, const Logger& log)
    : m_server(server),
      m_ticks(ticks),
      m_clock(clock),
      m_path(std::move(path)),
      m_log(log),
      m_start(clock.Now()),
      m_rssStartupKib(telemetry::ResidentKib()) {}

void MetricsWriter::Write() {
  const std::string json = telemetry::ToJson(Collect());
  if (m_path.empty()) {
    return;
  }
  const Result<void> written = WriteFileAtomically(m_path, AsBytes(json));
  if (!written && !m_isFailing) {
    m_log.Error("{}", written.Failure().ToString());
  }
  m_isFailing = !written;
}

telemetry::ServerTickReport MetricsWriter::Collect() {
  const MonotonicTime now = m_clock.Now();
  const TickFigures figures = m_ticks.Figures();
  SampleWire(now, figures.peers);

  telemetry::ServerTickReport report;
  report.summary = m_server.Timings().Summarise();
  report.peers = figures.peers;
  report.entities = figures.entities;
  report.droppedTicks = figures.droppedTicks;
  report.rssKib = telemetry::ResidentKib();
  report.rssStartupKib = m_rssStartupKib;
  if (m_wirePeers > 0) {
    report.wireOutKbs = m_wireOutKbs;
    report.wireInKbs = m_wireInKbs;
    report.wireOutPps = m_wireOutPps;
    report.wirePeers = m_wirePeers;
  }
  report.lateTicks = figures.lateTicks;
  report.lateTicksWaiting = figures.lateTicksWaiting;
  report.runQueueWaitMs = std::chrono::duration<double, std::milli>(figures.runQueueWait).count();
  report.uptimeMs =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now - m_start).count());
  return report;
}

void MetricsWriter::SampleWire(MonotonicTime now, std::uint64_t peers) {
  const link::LinkStats stats = m_server.Link().Stats();
  if (!m_wire) {
    m_wire = WireSample{now, stats};
    return;
  }
  if (now - m_wire->at < kWireSampleTime) {
    return;
  }
  if (peers > 0 && peers >= m_wirePeers) {
    const double seconds = std::chrono::duration<double>(now - m_wire->at).count();
    m_wirePeers = peers;
    m_wireOutKbs = static_cast<double>(stats.bytesOut - m_wire->stats.bytesOut) / kBytesPerKb / seconds;
    m_wireInKbs = static_cast<double>(stats.bytesIn - m_wire->stats.bytesIn) / kBytesPerKb / seconds;
    m_wireOutPps = static_cast<double>(stats.datagramsOut - m_wire->stats.datagramsOut) / seconds;
  }
  m_wire = WireSample{now, stats};
}

}  // namespace muster::server
