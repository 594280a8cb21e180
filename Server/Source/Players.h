// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a player steers: a craft at the join, another one a while after it was lost, none once the player is gone.
// The rules of the sample game; everything else in the server is the engine's.
//
// Threads: [sim], in the first stage of a tick and between ticks, where structure may change.
#pragma once

#include "Core/Ids.h"
#include "Core/Tick.h"
#include "Sessions/SessionDirectory.h"
#include "Simulation/Simulation.h"

#include <cstdint>
#include <vector>

namespace muster::server {

struct PlayerRules {
  ArchetypeId archetype{};
  /// Above the ground; 0 stands on it, as a ground vehicle always does. In the air a craft starts at its archetype's
  /// cruise speed.
  double spawnAltitudeMeters = 500.0;
  TickCount respawnTicks = 3 * kTickHz;
};

class Players final : public sessions::ISessionObserver {
 public:
  /// Both outlive it.
  Players(simulation::Simulation& simulation, sessions::SessionDirectory& sessions, const PlayerRules& rules);

  void OnJoined(sessions::Session& session) override;
  void OnLeft(sessions::Session& session, link::DisconnectReason reason) override;

  /// Once a tick, behind Pump: gives craft to those who have waited for one long enough.
  void Update(Tick tick);

 private:
  struct Seat {
    SessionId session{};
    bool isTaken = false;
    bool isWaiting = false;
    Tick waitsUntil{};
  };

  Seat& SeatOf(SessionId session);
  void GiveCraft(sessions::Session& session, std::uint32_t stand);

  simulation::Simulation& m_simulation;
  sessions::SessionDirectory& m_sessions;
  PlayerRules m_rules;
  std::vector<Seat> m_seats;  ///< index is the stand; seats are reused lowest first
};

}  // namespace muster::server
