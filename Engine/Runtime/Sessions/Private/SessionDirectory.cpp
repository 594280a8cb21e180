// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Sessions/SessionDirectory.h"

#include "Link/Address.h"
#include "Sessions/PlayerName.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace muster::sessions {

namespace {

/// Reports and requests of one client in one Pump. An honest client sends one packet a tick; the bound is met only
/// after a long stall, and what is beyond it comes again with the next packet.
constexpr std::size_t kMaxWaitingAcks = 256;
constexpr std::size_t kMaxWaitingRequests = 256;

constexpr int kRoundTripSmoothing = 8;

}  // namespace

SessionDirectory::SessionDirectory(ILinkPort& port, SessionConfig config, const IClock& clock, const Logger& log)
    : m_port(port),
      m_config(std::move(config)),
      m_clock(clock),
      m_log(log),
      m_throttle(clock),
      m_admission(m_config.admission, clock) {
  m_sessions.reserve(m_config.admission.maxPeers);
}

void SessionDirectory::Pump(Tick tick) {
  for (const auto& session : m_sessions) {
    session->acks.clear();
    session->needAbsolute.clear();
  }
  link::LinkEvent event;
  while (m_port.PollEvent(event)) {
    if (event.kind == link::LinkEvent::Kind::Connected) {
      OnConnected(event);
      continue;
    }
    Session* const session = FindPeer(event.peer);
    if (session == nullptr) {
      continue;  // refused at the door; the link still tells how it ended
    }
    switch (event.kind) {
      case link::LinkEvent::Kind::Connected:
        break;
      case link::LinkEvent::Kind::Message:
        OnMessage(*session, event.message, tick);
        break;
      case link::LinkEvent::Kind::Packet:
        OnPacket(*session, event, tick);
        break;
      case link::LinkEvent::Kind::Acked:
        if (session->acks.size() < kMaxWaitingAcks) {
          session->acks.push_back(event.acks);
        }
        if (event.acks.roundTrip) {
          const auto sample = *event.acks.roundTrip;
          session->roundTrip = session->roundTrip.count() == 0
                                   ? sample
                                   : session->roundTrip + (sample - session->roundTrip) / kRoundTripSmoothing;
        }
        break;
      case link::LinkEvent::Kind::Disconnected:
        OnDisconnected(event);
        break;
    }
  }
  LookAfterTimeouts();
}

void SessionDirectory::OnConnected(const link::LinkEvent& event) {
  if (m_isClosing) {
    Refuse(event.peer, event.address, protocol::MakeRefusal(protocol::kServerClosing));
    return;
  }
  if (const auto refusal = m_admission.Admit(event.address)) {
    Refuse(event.peer, event.address, *refusal);
    return;
  }
  auto session = std::make_unique<Session>(m_config.input);
  session->id = SessionId{++m_lastId};
  session->peer = event.peer;
  session->address = event.address;
  session->since = m_clock.Now();
  session->lastHeard = session->since;
  session->acks.reserve(kMaxWaitingAcks);
  session->needAbsolute.reserve(kMaxWaitingRequests);
  m_byPeer.emplace(event.peer, session.get());
  m_sessions.push_back(std::move(session));  // ids ascend, so the order holds
}

void SessionDirectory::OnDisconnected(const link::LinkEvent& event) {
  Session& session = *FindPeer(event.peer);
  if (session.state == SessionState::Active) {
    if (event.reason == link::DisconnectReason::Left) {
      ++m_stats.left;
    } else {
      ++m_stats.lost;
    }
    m_log.Info("{} ({}) is gone: {}", session.name, link::FormatAddress(session.address), link::ToString(event.reason));
    EndActive(session, event.reason);
  }
  BeginClosing(session);
  m_byPeer.erase(event.peer);
  std::erase_if(m_sessions, [&session](const auto& candidate) { return candidate.get() == &session; });
}

void SessionDirectory::OnMessage(Session& session, std::span<const std::byte> message, Tick tick) {
  if (session.state == SessionState::Closing) {
    return;
  }
  switch (protocol::PeekMessageType(message)) {
    case protocol::MessageType::JoinRequest:
      OnJoinRequest(session, message, tick);
      return;
    case protocol::MessageType::Leave: {
      protocol::Leave leave;
      if (const auto status = protocol::Decode(message, leave); status != protocol::DecodeStatus::Ok) {
        OnMalformed(session, status, "goodbye");
        return;
      }
      if (session.state == SessionState::Active) {
        ++m_stats.left;
        m_log.Info("{} ({}) left", session.name, link::FormatAddress(session.address));
        EndActive(session, link::DisconnectReason::Left);
      }
      BeginClosing(session);
      m_port.Disconnect(session.peer, link::DisconnectReason::Left);
      return;
    }
    default:
      OnMalformed(session, protocol::DecodeStatus::UnknownType, "message");
  }
}

void SessionDirectory::OnJoinRequest(Session& session, std::span<const std::byte> message, Tick tick) {
  if (session.state != SessionState::Joining) {
    OnMalformed(session, protocol::DecodeStatus::BadValue, "second join");
    return;
  }
  protocol::JoinRequest request;
  const auto status = protocol::Decode(message, request);
  if (status == protocol::DecodeStatus::BadLength) {
    // Well formed but for the name's length, the only one there is: what its sender needs to hear is the rule of names.
    BeginClosing(session);
    Refuse(
        session.peer, session.address,
        protocol::MakeRefusal(protocol::kBadName, fmt::format("It has more than {} characters.", kMaxNameCharacters)));
    return;
  }
  if (status != protocol::DecodeStatus::Ok) {
    OnMalformed(session, status, "join");
    BeginClosing(session);
    Refuse(session.peer, session.address, protocol::MakeRefusal(protocol::kHandshakeMalformed));
    return;
  }
  const Result<std::string> name = CheckPlayerName(request.name);
  if (!name) {
    BeginClosing(session);
    Refuse(session.peer, session.address, protocol::MakeRefusal(protocol::kBadName, name.Failure().cause));
    return;
  }
  session.name = *name;
  session.state = SessionState::Active;
  session.lastHeard = m_clock.Now();
  ++m_activeCount;
  ++m_stats.joined;
  m_log.Info("{} ({}) joined as session {}", session.name, link::FormatAddress(session.address), session.id.Value());

  protocol::JoinAccept accept;
  accept.session = session.id;
  accept.tick = tick;
  accept.tickHz = static_cast<std::uint16_t>(kTickHz);
  accept.codecName = m_config.codecName;
  accept.codecWireVersion = m_config.codecWireVersion;
  accept.snapshotBudgetBytes = m_config.snapshotBudgetBytes;
  accept.drawDistanceMeters = m_config.drawDistanceMeters;
  protocol::Encode(accept, m_scratch);
  m_port.SendReliable(session.peer, m_scratch);
  SendArchetypes(session.peer);
  if (!m_config.motd.empty()) {
    protocol::Encode(protocol::Notice{m_config.motd}, m_scratch);
    m_port.SendReliable(session.peer, m_scratch);
  }
  if (m_observer != nullptr) {
    m_observer->OnJoined(session);
  }
}

void SessionDirectory::SendArchetypes(PeerId peer) {
  protocol::Encode(protocol::Archetypes{m_config.archetypes}, m_scratch);
  m_port.SendReliable(peer, m_scratch);
}

void SessionDirectory::OnPacket(Session& session, const link::LinkEvent& event, Tick tick) {
  if (session.state == SessionState::Closing) {
    return;
  }
  protocol::InputMessage input;
  const auto status = protocol::Decode(event.message, input);
  if (status != protocol::DecodeStatus::Ok) {
    OnMalformed(session, status, "input");
    return;
  }
  if (session.state != SessionState::Active) {
    return;  // ahead of its own join, which is on the other channel
  }
  session.lastHeard = m_clock.Now();
  // What is being run is `tick`, so a control for it arriving now is exactly in time: measured from the tick before.
  session.input.Receive(input, event.sequence, tick - 1);
  for (const NetId netId : input.NeedAbsolute()) {
    if (session.needAbsolute.size() < kMaxWaitingRequests) {
      session.needAbsolute.push_back(netId);
    }
  }
}

void SessionDirectory::OnMalformed(Session& session, protocol::DecodeStatus status, std::string_view what) {
  ++m_stats.malformed;
  m_port.ReportMalformed(session.peer);
  m_throttle.Log(m_log, LogLevel::Warning, session.id.Value(), "session {} ({}): {} does not decode: {}",
                 session.id.Value(), link::FormatAddress(session.address), what, protocol::ToString(status));
}

void SessionDirectory::LookAfterTimeouts() {
  const MonotonicTime now = m_clock.Now();
  for (const auto& session : m_sessions) {
    if (session->state == SessionState::Joining && now - session->since > m_config.joinTimeout) {
      BeginClosing(*session);
      Refuse(session->peer, session->address, protocol::MakeRefusal(protocol::kJoinExpected));
    } else if (session->state == SessionState::Active && m_config.idleTimeout.count() > 0 &&
               now - session->lastHeard > m_config.idleTimeout) {
      CloseSession(*session, link::DisconnectReason::Idle, protocol::kIdleTimeout, {});
    }
  }
}

void SessionDirectory::ApplyInputs(Tick tick, world::EntityStore& store, const simulation::EntityColumns& columns) {
  const std::span<mu_control> controls = store.Column(columns.control);
  for (const auto& session : m_sessions) {
    if (session->state != SessionState::Active) {
      continue;
    }
    // Taken also while there is no entity, so that the buffer keeps pace with the ticks.
    const InputBuffer::Taken taken = session->input.Take(tick);
    if (store.IsAlive(session->entity)) {
      controls[session->entity.Slot()] = taken.control;
    }
  }
}

Session* SessionDirectory::Find(SessionId id) {
  const auto found = std::lower_bound(m_sessions.begin(), m_sessions.end(), id,
                                      [](const auto& session, SessionId wanted) { return session->id < wanted; });
  return found != m_sessions.end() && (*found)->id == id ? found->get() : nullptr;
}

Session* SessionDirectory::FindPeer(PeerId peer) {
  const auto found = m_byPeer.find(peer);
  return found == m_byPeer.end() ? nullptr : found->second;
}

void SessionDirectory::TellOwnEntity(Session& session, NetId netId) {
  if (session.state != SessionState::Active || session.toldEntity == netId) {
    return;
  }
  session.toldEntity = netId;
  protocol::Encode(protocol::OwnEntity{netId}, m_scratch);
  m_port.SendReliable(session.peer, m_scratch);
}

void SessionDirectory::Broadcast(std::string_view text) {
  protocol::Encode(protocol::Notice{std::string{text}}, m_scratch);
  for (const auto& session : m_sessions) {
    if (session->state == SessionState::Active) {
      m_port.SendReliable(session->peer, m_scratch);
    }
  }
}

bool SessionDirectory::Close(SessionId id, link::DisconnectReason reason, ErrorCode code, std::string_view detail) {
  Session* const session = Find(id);
  if (session == nullptr || session->state == SessionState::Closing) {
    return false;
  }
  CloseSession(*session, reason, code, detail);
  return true;
}

void SessionDirectory::CloseAll(link::DisconnectReason reason, ErrorCode code, std::string_view detail) {
  m_isClosing = true;
  for (const auto& session : m_sessions) {
    if (session->state != SessionState::Closing) {
      CloseSession(*session, reason, code, detail);
    }
  }
}

void SessionDirectory::Reconfigure(const SessionConfig& config) {
  m_admission.Reconfigure(config.admission);
  m_config = config;
}

void SessionDirectory::CloseSession(Session& session, link::DisconnectReason reason, ErrorCode code,
                                    std::string_view detail) {
  const protocol::Refusal words = protocol::MakeRefusal(code, detail);
  protocol::Encode(protocol::Goodbye{words.code, words.text}, m_scratch);
  m_port.SendReliable(session.peer, m_scratch);
  m_port.Disconnect(session.peer, reason);
  if (session.state == SessionState::Active) {
    ++m_stats.lost;
    m_log.Info("{} ({}) was closed: {}", session.name, link::FormatAddress(session.address), link::ToString(reason));
    EndActive(session, reason);
  }
  BeginClosing(session);
}

void SessionDirectory::EndActive(Session& session, link::DisconnectReason reason) {
  --m_activeCount;
  if (m_observer != nullptr) {
    m_observer->OnLeft(session, reason);
  }
  BeginClosing(session);
}

void SessionDirectory::BeginClosing(Session& session) {
  session.state = SessionState::Closing;
  if (session.hasPlace) {
    session.hasPlace = false;
    m_admission.Release(session.address);
  }
}

void SessionDirectory::Refuse(PeerId peer, const mu_address& address, const protocol::Refusal& refusal) {
  ++m_stats.refused;
  protocol::EncodeSealedRefusal(refusal, m_scratch);
  m_port.SendReliable(peer, m_scratch);
  m_port.Disconnect(peer, link::DisconnectReason::Refused);
  m_throttle.Log(m_log, LogLevel::Info, refusal.code, "refused {}: MU{} {}", link::FormatAddress(address), refusal.code,
                 refusal.text);
}

}  // namespace muster::sessions
