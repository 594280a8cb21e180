// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SwarmClient.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace muster::swarm {

namespace {

/// Inputs whose fate is still open; beyond it (half a minute without an answer) the oldest is given up.
constexpr std::size_t kMaxPending = 30 * kTickHz;
constexpr double kBytesPerKb = 1'000.0;

double Millis(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

SwarmClient::SwarmClient(netclient::ClientConfig config, const mu_transport_v0& transport,
                         const mu_snapshot_codec_v0& codec, const IClock& clock,
                         std::unique_ptr<IFlightPattern> pattern, std::string patternName)
    : m_clock(clock),
      m_client(std::move(config), &transport, codec, clock, this),
      m_pattern(std::move(pattern)),
      m_patternName(std::move(patternName)) {}

void SwarmClient::Connect(const mu_address& server) {
  (void)m_client.Connect(server);  // a failure shows as a closed client with a named error
}

void SwarmClient::Update() {
  m_client.Update([this](Tick tick) { return m_pattern->At(tick); });
  m_client.World().ClearEvents();
  m_wasPlaying = m_wasPlaying || IsPlaying();
}

void SwarmClient::Leave() {
  m_isLeaving = m_isLeaving || !IsOver();
  m_client.Leave();
}

void SwarmClient::OnInputDue(Tick tick, MonotonicTime intended) {
  if (m_clock.Now() - intended > kTickDuration) {
    ++m_inputsLate;
  }
  if (m_pending.size() == kMaxPending) {
    m_latencyMs.push_back(static_cast<float>(Millis(m_clock.Now() - m_pending.front().intended)));
    m_pending.pop_front();
  }
  m_pending.push_back({tick, intended});
}

void SwarmClient::OnSnapshot(const protocol::SnapshotHeader& header, MonotonicTime receivedAt) {
  if (m_bytesAtFirst == 0) {
    m_bytesAtFirst = m_client.Stats().snapshotBytes;
  }
  // The server applies inputs in the order of their ticks, and a client that set its clock back sent some ticks twice:
  // what the server shows as applied is the newest input of that tick or an earlier one, and answers all that were sent
  // before.
  const auto applied = std::find_if(m_pending.rbegin(), m_pending.rend(),
                                    [&](const PendingInput& input) { return input.tick <= header.inputTick; });
  for (auto answered = m_pending.rend() - applied; answered > 0; --answered) {
    m_latencyMs.push_back(static_cast<float>(Millis(receivedAt - m_pending.front().intended)));
    m_pending.pop_front();
  }
}

ClientResult SwarmClient::Result() const {
  const netclient::ClientStats& stats = m_client.Stats();
  ClientResult result;
  result.pattern = m_patternName;
  result.isConnected = m_wasPlaying;
  result.isRefused = m_client.WasRefused() && !m_wasPlaying;
  result.isDisconnected = m_wasPlaying && IsOver() && !m_isLeaving;
  if (m_client.Failure()) {
    result.failure = m_client.Failure()->ToString();
  } else if (!m_wasPlaying) {
    result.failure = fmt::format("still {} when the run ended", netclient::ToString(m_client.Phase()));
  }
  const double seconds = std::chrono::duration<double>(stats.newestSnapshotAt - stats.firstSnapshotAt).count();
  if (seconds > 0) {
    result.observedHz = static_cast<double>(stats.newestSnapshotTick - stats.firstSnapshotTick) / seconds;
    result.downstreamKbs = static_cast<double>(stats.snapshotBytes - m_bytesAtFirst) / kBytesPerKb / seconds;
  }
  result.roundTripMs = Millis(stats.roundTrip);
  result.connectMs = Millis(stats.connectTime);
  result.longestGapMs = Millis(stats.longestGap);
  result.snapshots = stats.snapshots;
  result.inputsSent = stats.inputsSent;
  result.inputsLate = m_inputsLate;
  result.entities = m_client.World().EntityCount();
  result.updates = m_client.World().Stats().updates + m_client.World().Stats().spawns;
  result.malformed = stats.malformed;
  result.latencyMs = m_latencyMs;
  // Inputs that were never answered would be the longest; leaving them out would flatter a server that stopped.
  for (const PendingInput& input : m_pending) {
    const double waited = Millis(stats.newestSnapshotAt - input.intended);
    if (waited > 0) {
      result.latencyMs.push_back(static_cast<float>(waited));
    }
  }
  return result;
}

}  // namespace muster::swarm
