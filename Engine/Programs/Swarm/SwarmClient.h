// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One synthetic player and what it experienced.
#pragma once

#include "FlightPattern.h"

#include "NetClient/Client.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace muster::swarm {

/// What one client saw; filled by its worker, read when the worker has ended.
struct ClientResult {
  std::string pattern;
  bool isConnected = false;  ///< reached the world
  bool isRefused = false;
  bool isDisconnected = false;  ///< was in the world and lost it before the end
  std::string failure;          ///< named error, or empty
  double observedHz = 0;        ///< server ticks a second, by the snapshots' tick numbers
  double downstreamKbs = 0;     ///< snapshot payload, 1,000 bytes a second
  double roundTripMs = 0;
  double connectMs = 0;
  double longestGapMs = 0;  ///< between two snapshots that advanced the tick
  std::uint64_t snapshots = 0;
  std::uint64_t inputsSent = 0;
  std::uint64_t inputsLate = 0;  ///< left more than a tick after they were due: the generator's fault
  std::uint64_t entities = 0;    ///< known at the end
  std::uint64_t updates = 0;     ///< records
  std::uint64_t malformed = 0;
  std::vector<float> latencyMs;  ///< of each input, from when it was due until a snapshot showed it applied
};

class SwarmClient final : public netclient::IClientObserver {
 public:
  SwarmClient(netclient::ClientConfig config, const mu_transport_v0& transport, const mu_snapshot_codec_v0& codec,
              const IClock& clock, std::unique_ptr<IFlightPattern> pattern, std::string patternName);

  void Connect(const mu_address& server);
  void Update();
  void Leave();
  [[nodiscard]] bool IsOver() const { return m_client.Phase() == netclient::Client::State::Closed; }
  [[nodiscard]] bool IsPlaying() const { return m_client.Phase() == netclient::Client::State::Playing; }
  [[nodiscard]] int WaitHandle() const { return m_client.WaitHandle(); }

  /// What happened so far. Rates are over the time from the first snapshot to the newest.
  [[nodiscard]] ClientResult Result() const;

  void OnInputDue(Tick tick, MonotonicTime intended) override;
  void OnSnapshot(const protocol::SnapshotHeader& header, MonotonicTime receivedAt) override;

 private:
  struct PendingInput {
    Tick tick{};
    MonotonicTime intended{};
  };

  const IClock& m_clock;
  netclient::Client m_client;
  std::unique_ptr<IFlightPattern> m_pattern;
  std::string m_patternName;
  bool m_wasPlaying = false;
  bool m_isLeaving = false;
  std::uint64_t m_bytesAtFirst = 0;
  std::deque<PendingInput> m_pending;  ///< in the order they were sent
  std::vector<float> m_latencyMs;
  std::uint64_t m_inputsLate = 0;
};

}  // namespace muster::swarm
