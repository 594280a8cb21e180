// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A player's end of the network: connects, joins, sends input 60 times a second, receives the world.
//
//   Client client{{.name = "Ada", .identity = identity}, transportTable, codecTable, clock};
//   client.Connect(address);
//   while (client.Phase() != Client::State::Closed) {
//     client.Update([&](Tick tick) { return ControlFor(tick); });
//     client.World().ForEachEntity(...);
//   }
//   if (client.Failure()) { show(client.Failure()->ToString()); }
//
// Everything happens on the caller's thread in Update; a client has one socket and no thread. Swarm, monitor, editor
// and tests all use this class.
#pragma once

#include "Core/Clock.h"
#include "Core/Ids.h"
#include "Core/Result.h"
#include "Link/ClientLink.h"
#include "NetClient/InputClock.h"
#include "NetClient/SnapshotReceiver.h"
#include "PluginApi/AiController.h"
#include "PluginApi/SnapshotCodec.h"
#include "Protocol/InputMessage.h"
#include "Protocol/JoinMessages.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace muster::netclient {

struct ClientConfig {
  std::string name = "player";
  protocol::WireIdentity identity{};
  /// What the client says it speaks; anything but the default is for tests of the refusal.
  std::uint16_t protocolVersion = protocol::kProtocolVersion;
  /// Ticks between two input messages, 1..protocol::kMaxInputControls; each message holds every tick since the last.
  std::uint32_t ticksPerInput = 1;
  std::chrono::milliseconds connectTimeout{5'000};
  std::chrono::milliseconds silenceTimeout{10'000};
  /// From agreed keys to JoinAccept.
  std::chrono::milliseconds joinTimeout{5'000};
};

/// Counts and measurements since Connect.
struct ClientStats {
  std::uint64_t snapshots = 0;              ///< decoded
  std::uint64_t snapshotBytes = 0;          ///< of messages, as they were under the seal
  std::uint64_t inputsSent = 0;             ///< input messages
  std::uint64_t malformed = 0;              ///< messages from the server that do not decode
  std::chrono::microseconds roundTrip{0};   ///< smoothed; 0 before the first
  std::chrono::nanoseconds connectTime{0};  ///< Connect to JoinAccept
  Tick firstSnapshotTick{};
  Tick newestSnapshotTick{};
  MonotonicTime firstSnapshotAt{};
  MonotonicTime newestSnapshotAt{};
  std::chrono::nanoseconds longestGap{0};  ///< between two snapshots that advanced the tick
};

/// Told what a load generator and a monitor want to know as it happens. All calls come from within Update.
class IClientObserver {
 public:
  virtual ~IClientObserver() = default;
  /// The input of `tick` was due at `intended` and is sent now. Ticks repeat when the clock was set back.
  virtual void OnInputDue(Tick tick, MonotonicTime intended) { (void)tick, (void)intended; }
  /// A snapshot that is newer than all before has been decoded.
  virtual void OnSnapshot(const protocol::SnapshotHeader& header, MonotonicTime receivedAt) {
    (void)header, (void)receivedAt;
  }
};

class Client {
 public:
  enum class State : std::uint8_t { Idle, Connecting, Joining, Playing, Closing, Closed };

  /// What to do in a tick. Called once for each tick, in order.
  using ControlSource = std::function<mu_control(Tick)>;

  /// `codec` is the one the identity names; it, `clock` and the observer outlive the client.
  Client(ClientConfig config, link::TransportSource transport, const mu_snapshot_codec_v0& codec, const IClock& clock,
         IClientObserver* observer = nullptr);

  /// Once. Fails when the transport cannot be made or the name is too long to be sent; every other outcome shows in Phase
  /// and Failure.
  Result<void> Connect(const mu_address& server);

  /// Receives, sends what is due; never blocks. Call at least as often as the tick.
  void Update(const ControlSource& control);

  /// Says goodbye; Closed follows within a few Updates.
  void Leave();

  [[nodiscard]] State Phase() const { return m_state; }
  /// Why it is Closed; nothing after an own Leave.
  [[nodiscard]] const std::optional<Error>& Failure() const { return m_failure; }
  /// True when the server refused or sent the client away, false when the line failed.
  [[nodiscard]] bool WasRefused() const { return m_wasRefused; }

  [[nodiscard]] const SnapshotReceiver& World() const { return m_receiver; }
  [[nodiscard]] SnapshotReceiver& World() { return m_receiver; }
  /// What the player steers; null while there is nothing.
  [[nodiscard]] NetId OwnEntity() const { return m_ownEntity; }
  [[nodiscard]] SessionId Session() const { return m_session; }
  [[nodiscard]] const std::vector<protocol::Archetypes::Entry>& Archetypes() const { return m_archetypes; }
  [[nodiscard]] const InputClock& Clock() const { return m_inputClock; }
  [[nodiscard]] const ClientStats& Stats() const { return m_stats; }
  [[nodiscard]] link::LinkStats LinkStats() const { return m_link.Stats(); }
  /// Readable when Update has something to do; -1 for none.
  [[nodiscard]] int WaitHandle() const { return m_link.WaitHandle(); }
  /// The newest notice of the server; empty before the first.
  [[nodiscard]] const std::string& Notice() const { return m_notice; }

 private:
  void HandleEvent(const link::LinkEvent& event);
  void HandleMessage(std::span<const std::byte> message);
  void HandleSnapshot(const link::LinkEvent& event);
  void SendDueInput(const ControlSource& control);
  void SendInput();
  void CheckJoinTimeout();
  void Close(std::optional<Error> failure);

  ClientConfig m_config;
  const IClock& m_clock;
  IClientObserver* m_observer;
  link::ClientLink m_link;
  SnapshotReceiver m_receiver;
  InputClock m_inputClock;
  State m_state = State::Idle;
  std::optional<Error> m_failure;
  bool m_wasRefused = false;
  MonotonicTime m_connectAt{};
  MonotonicTime m_joinBy{};
  SessionId m_session{};
  NetId m_ownEntity{};
  std::vector<protocol::Archetypes::Entry> m_archetypes;
  std::string m_notice;
  protocol::InputMessage m_input{};  ///< the last controls, oldest first
  Tick m_lastControlTick{};
  std::uint32_t m_unsentTicks = 0;
  std::uint32_t m_nextSequence = 1;
  std::vector<std::byte> m_scratch;
  ClientStats m_stats;
};

/// "connecting", "playing", ...: for people. [any]
std::string_view ToString(Client::State state);

}  // namespace muster::netclient
