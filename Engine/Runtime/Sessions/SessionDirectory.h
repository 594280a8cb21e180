// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Every client of a server: join, input, limits, idleness, goodbye.
//
//   SessionDirectory sessions{port, config, clock, logger};
//   sessions.Observe(&players);                 // told who came and went
//   sessions.Pump(tick);                        // at the start of a tick: everything the link has to tell
//   sessions.ApplyInputs(tick, store, columns); // controls of this tick into the world's `control` column
//
// The wire is hostile: a message that does not decode is counted, reported to the link (which closes a peer after too
// many) and otherwise has no effect. The directory decides who is in; what a player's entity is, somebody else decides
// (ISessionObserver).
//
// Order: sessions are kept and walked in the order of their ids, which is the order of their joins. Ids are not reused.
// Threads: [sim]. A steady tick does not allocate.
#pragma once

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/LogThrottle.h"
#include "Link/ServerLink.h"
#include "Protocol/DecodeStatus.h"
#include "Protocol/JoinMessages.h"
#include "Sessions/Admission.h"
#include "Sessions/Session.h"
#include "Simulation/EntityColumns.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace muster::sessions {

/// The part of a link that sessions use. ServerLinkPort is the real one; tests bring their own.
class ILinkPort {
 public:
  virtual ~ILinkPort() = default;
  virtual bool PollEvent(link::LinkEvent& event) = 0;
  virtual void SendReliable(PeerId peer, std::span<const std::byte> message) = 0;
  virtual void Disconnect(PeerId peer, link::DisconnectReason reason) = 0;
  virtual void ReportMalformed(PeerId peer) = 0;
};

class ServerLinkPort final : public ILinkPort {
 public:
  explicit ServerLinkPort(link::ServerLink& link) : m_link(link) {}
  bool PollEvent(link::LinkEvent& event) override { return m_link.PollEvent(event); }
  void SendReliable(PeerId peer, std::span<const std::byte> message) override { m_link.SendReliable(peer, message); }
  void Disconnect(PeerId peer, link::DisconnectReason reason) override { m_link.Disconnect(peer, reason); }
  void ReportMalformed(PeerId peer) override { m_link.ReportMalformed(peer); }

 private:
  link::ServerLink& m_link;
};

/// Who wants to know about comings and goings. Called within Pump; must not close sessions from within.
class ISessionObserver {
 public:
  virtual ~ISessionObserver() = default;
  /// The session is Active; its JoinAccept has been sent.
  virtual void OnJoined(Session& session) = 0;
  /// An Active session ends now. Its entity is still set.
  virtual void OnLeft(Session& session, link::DisconnectReason reason) = 0;
};

struct SessionConfig {
  AdmissionConfig admission;
  InputBufferConfig input;
  std::chrono::seconds idleTimeout{0};  ///< Active without a decodable message for so long; 0: never
  std::chrono::milliseconds joinTimeout{5'000};
  std::string motd;  ///< told to each newcomer as a Notice; empty: none

  // What JoinAccept says.
  std::string codecName;
  std::uint32_t codecWireVersion = 0;
  std::uint32_t snapshotBudgetBytes = 1'200;
  std::uint32_t drawDistanceMeters = 200'000;
  std::vector<protocol::Archetypes::Entry> archetypes;
};

/// Counts since start.
struct SessionStats {
  std::uint64_t joined = 0;
  std::uint64_t refused = 0;
  std::uint64_t left = 0;       ///< said goodbye
  std::uint64_t lost = 0;       ///< ended any other way
  std::uint64_t malformed = 0;  ///< genuine messages that did not decode
};

class SessionDirectory {
 public:
  /// Port, clock and the log's sink outlive the directory.
  SessionDirectory(ILinkPort& port, SessionConfig config, const IClock& clock, const Logger& log);

  /// Null to stop. The observer outlives its observation.
  void Observe(ISessionObserver* observer) { m_observer = observer; }

  /// Takes all that the link has to tell, then looks after timeouts. `tick` is the one about to run.
  void Pump(Tick tick);

  /// Copies each active session's control for `tick` to its entity. Sessions without a living entity are passed over.
  void ApplyInputs(Tick tick, world::EntityStore& store, const simulation::EntityColumns& columns);

  /// Live sessions by ascending id, those that join or close among them. Valid until the next Pump.
  [[nodiscard]] std::span<const std::unique_ptr<Session>> Sessions() const { return m_sessions; }
  [[nodiscard]] std::size_t ActiveCount() const { return m_activeCount; }
  [[nodiscard]] Session* Find(SessionId id);

  /// Tells the client what it steers, when that differs from what it was told last.
  void TellOwnEntity(Session& session, NetId netId);

  /// One line for everybody who is active.
  void Broadcast(std::string_view text);

  /// Goodbye with a code of protocol/RefusalCodes.h; the link closes behind it. False when there is no such session.
  bool Close(SessionId id, link::DisconnectReason reason, ErrorCode code, std::string_view detail);

  /// Closes everybody and refuses whoever comes from now on.
  void CloseAll(link::DisconnectReason reason, ErrorCode code, std::string_view detail);

  /// Limits and texts that may change while running.
  void Reconfigure(const SessionConfig& config);

  [[nodiscard]] const SessionStats& Stats() const { return m_stats; }

 private:
  void OnConnected(const link::LinkEvent& event);
  void OnDisconnected(const link::LinkEvent& event);
  void OnMessage(Session& session, std::span<const std::byte> message, Tick tick);
  void OnPacket(Session& session, const link::LinkEvent& event, Tick tick);
  void OnJoinRequest(Session& session, std::span<const std::byte> message, Tick tick);
  void OnMalformed(Session& session, protocol::DecodeStatus status, std::string_view what);
  void LookAfterTimeouts();
  void Refuse(PeerId peer, const mu_address& address, const protocol::Refusal& refusal);
  void CloseSession(Session& session, link::DisconnectReason reason, ErrorCode code, std::string_view detail);
  void EndActive(Session& session, link::DisconnectReason reason);
  /// The session plays no more part: its place is free for the next, however long its farewell takes.
  void BeginClosing(Session& session);
  void SendArchetypes(PeerId peer);
  Session* FindPeer(PeerId peer);

  ILinkPort& m_port;
  SessionConfig m_config;
  const IClock& m_clock;
  Logger m_log;
  LogThrottle m_throttle;
  ISessionObserver* m_observer = nullptr;
  Admission m_admission;
  std::vector<std::unique_ptr<Session>> m_sessions;
  std::unordered_map<PeerId, Session*> m_byPeer;
  std::size_t m_activeCount = 0;
  std::uint32_t m_lastId = 0;
  bool m_isClosing = false;
  std::vector<std::byte> m_scratch;
  SessionStats m_stats;
};

}  // namespace muster::sessions
