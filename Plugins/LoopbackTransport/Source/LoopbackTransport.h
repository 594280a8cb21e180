// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "LoopbackNetwork.h"
#include "PluginApi/Plugin.h"

namespace muster::loopback {

/// muster.transport/0 inside one process: for tests on virtual time and for single-process play. Nothing is lost, late
/// or out of order unless the receiver's gate drops it or falls thousands of messages behind. What was flushed arrives
/// at the receiver's next service; the order of a service's events depends on nothing but the order of the calls.
///
/// Threads: all calls of one instance come from one thread at a time; instances of different threads may be connected.
class LoopbackTransport {
 public:
  /// Throws plugin::Failure for parameters outside the ranges of Transport.h.
  LoopbackTransport(const plugin::Host& host, const mu_transport_params& params);
  ~LoopbackTransport();
  LoopbackTransport(const LoopbackTransport&) = delete;
  LoopbackTransport& operator=(const LoopbackTransport&) = delete;

  /// The kind of the frame.
  static std::uint32_t UnreliableOverheadBytes() { return 1; }

  mu_status Listen(const mu_address& bind, mu_address& bound);
  mu_status Connect(const mu_address& remote, mu_connection& out);
  mu_status Service(std::span<mu_transport_event> events, std::uint32_t& count);
  void Send(std::span<mu_transport_send> items);
  void Flush();
  void Disconnect(mu_connection connection, std::uint32_t detail);
  std::int32_t WaitHandle() { return -1; }
  void Stats(mu_transport_stats& out);

 private:
  struct Connection {
    mu_connection id = 0;
    PipeKey pipe = 0;
    Side side = Side::Client;
    std::uint16_t remotePort = 0;
    bool isUp = false;
    bool isClosing = false;
    bool hasEnded = false;  ///< its last event is out; removed at the end of the service
    std::uint64_t backlogRefusedAtNs = 0;
    std::uint64_t knockAtNs = 0;      ///< when the request to connect is repeated
    std::uint64_t redeliverAtNs = 0;  ///< when the gate is asked again about the first reliable frame
    std::uint64_t deadlineNs = 0;     ///< of opening and of closing
    std::deque<Frame> reliable;       ///< arrived, not handed out yet
    std::deque<Frame> unreliable;
    std::uint64_t queuedReliableBytes = 0;  ///< in m_outbox
  };
  struct Queued {
    PipeKey pipe = 0;
    Side to = Side::Server;
    Frame frame;
  };

  /// The events of one service. Full is full: what does not fit stays where it is.
  struct EventWriter {
    std::span<mu_transport_event> events;
    std::uint32_t count = 0;
    [[nodiscard]] bool IsFull() const { return count == events.size(); }
    void Write(const mu_transport_event& event) { events[count++] = event; }
  };

  enum class Verdict : std::uint8_t { Pass, Stop };

  mu_status SendOne(Connection& connection, const mu_transport_send& item);
  void Queue(Connection& connection, FrameKind kind, mu_bytes payload);
  void QueueClose(Connection& connection, std::uint32_t detail);
  void Knock(Connection& connection);
  Connection& Add(PipeKey pipe, Side side, std::uint16_t remotePort);
  Connection* Find(mu_connection id);

  Verdict AskGate(std::uint16_t fromPort, const Frame& frame);
  void Count(const Frame& frame);
  void ReceiveArrivals(EventWriter& out);
  void Accept(const Arrival& arrival, EventWriter& out);
  void ServiceConnection(Connection& connection, EventWriter& out);
  void DeliverUnreliable(Connection& connection, EventWriter& out);
  void DeliverReliable(Connection& connection, EventWriter& out);
  void DeliverFrame(Connection& connection, Frame frame, EventWriter& out);
  void CheckLimits(Connection& connection, const PipeTurn& turn, EventWriter& out);
  void EmitConnected(Connection& connection, EventWriter& out);
  void EmitMessage(const Connection& connection, Frame frame, std::uint32_t channel, EventWriter& out);
  void End(Connection& connection, std::uint32_t code, std::uint32_t detail, EventWriter& out);

  plugin::Host m_services;
  mu_transport_params m_params;
  LoopbackNetwork& m_network;
  std::uint64_t m_timeoutNs = 0;
  std::uint16_t m_port = 0;
  std::uint64_t m_nowNs = 0;
  mu_connection m_lastId = 0;
  std::map<mu_connection, Connection> m_connections;  ///< in the order in which they came
  std::deque<Arrival> m_arrivals;
  std::vector<Queued> m_outbox;
  std::deque<Frame> m_handedOut;  ///< messages of the last service
  std::vector<std::uint8_t> m_reply;
  mu_transport_stats m_stats{};
};

}  // namespace muster::loopback
