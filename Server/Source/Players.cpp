// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Players.h"

#include "Core/Assert.h"
#include "Simulation/SpawnPoints.h"

#include <algorithm>

namespace muster::server {

Players::Players(simulation::Simulation& simulation, sessions::SessionDirectory& sessions, const PlayerRules& rules)
    : m_simulation(simulation), m_sessions(sessions), m_rules(rules) {}

void Players::OnJoined(sessions::Session& session) {
  auto seat = std::find_if(m_seats.begin(), m_seats.end(), [](const Seat& candidate) { return !candidate.isTaken; });
  if (seat == m_seats.end()) {
    seat = m_seats.insert(m_seats.end(), Seat{});
  }
  *seat = {.session = session.id, .isTaken = true, .isWaiting = false, .waitsUntil = {}};
  GiveCraft(session, static_cast<std::uint32_t>(seat - m_seats.begin()));
}

void Players::OnLeft(sessions::Session& session, link::DisconnectReason) {
  m_simulation.RequestDespawn(session.entity);
  session.entity = {};
  SeatOf(session.id) = {};
}

void Players::Update(Tick tick) {
  for (std::uint32_t stand = 0; stand < m_seats.size(); ++stand) {
    Seat& seat = m_seats[stand];
    if (!seat.isTaken) {
      continue;
    }
    sessions::Session* const session = m_sessions.Find(seat.session);
    MUSTER_ASSERT(session != nullptr, "a seat is given back before its session is gone");
    if (m_simulation.Store().IsAlive(session->entity)) {
      continue;
    }
    if (!seat.isWaiting) {
      session->entity = {};
      seat.isWaiting = true;
      seat.waitsUntil = tick + m_rules.respawnTicks;
    } else if (tick >= seat.waitsUntil) {
      seat.isWaiting = false;
      GiveCraft(*session, stand);
    }
  }
}

Players::Seat& Players::SeatOf(SessionId session) {
  const auto found = std::find_if(m_seats.begin(), m_seats.end(),
                                  [session](const Seat& seat) { return seat.isTaken && seat.session == session; });
  MUSTER_ASSERT(found != m_seats.end(), "every active session has a seat");
  return *found;
}

void Players::GiveCraft(sessions::Session& session, std::uint32_t stand) {
  const simulation::Archetype& archetype = m_simulation.Archetypes().Get(m_rules.archetype);
  simulation::SpawnRequest request;
  request.archetype = m_rules.archetype;
  request.position = simulation::PlayerStand(stand);
  request.position.y += m_rules.spawnAltitudeMeters;
  const bool startsFlying = m_rules.spawnAltitudeMeters > 0 && archetype.motion != simulation::MotionModel::Ground;
  request.speedMps = startsFlying ? archetype.cruiseSpeedMps : 0.0F;
  request.owner = session.id;
  // Null when the store is full: the seat then waits like one whose craft was lost, and tries again.
  session.entity = m_simulation.Spawn(request);
}

}  // namespace muster::server
