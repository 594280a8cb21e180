// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What stands in for the network: ports, and pipes between them. It is the one thing that the instances of a process
// share; it lives in the library, so instances of two loaded copies of the library do not see each other.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace muster::loopback {

/// The first byte of a frame. A frame is what the gate sees as a datagram.
enum class FrameKind : std::uint8_t {
  Connect = 1,
  Accept = 2,
  Unreliable = 3,
  Reliable = 4,
  Close = 5  ///< followed by the detail, four bytes, little-endian
};

using Frame = std::vector<std::uint8_t>;

/// One connection as both ends name it.
using PipeKey = std::uint64_t;

enum class Side : std::uint8_t { Client = 0, Server = 1 };

/// A request to connect that waits at a listening port, or a gate's answer that waits at any port.
struct Arrival {
  PipeKey pipe = 0;  ///< zero: an answer of a gate, of no connection
  std::uint16_t fromPort = 0;
  Frame frame;
};

/// What one end learns when it has its turn.
struct PipeTurn {
  std::uint64_t otherServicedAtNs = 0;
  bool otherEnded = false;  ///< the other side has handled the end of the connection
};

/// Thread safe: every function takes the network's lock for its own duration and calls nobody. [any]
class LoopbackNetwork {
 public:
  /// The network of this library.
  static LoopbackNetwork& Instance();

  /// Takes a port, any free one for 0. Returns it, or 0 when it is taken or none is left.
  std::uint16_t TakePort(std::uint16_t wanted, bool isListening);
  void ReleasePort(std::uint16_t port);

  /// The client's side of a new pipe.
  PipeKey OpenPipe(std::uint64_t nowNs);
  /// The server's side of it. False when the client has given up already.
  bool JoinPipe(PipeKey pipe, std::uint64_t nowNs);
  /// This side will not look at the pipe again. `isOrderly`: it has handled the end; else it vanished without a word.
  void LeavePipe(PipeKey pipe, Side side, bool isOrderly);

  /// Puts a request or an answer at a port. Dropped where nobody listens, or too many wait; false then.
  bool Knock(std::uint16_t port, Arrival arrival, bool needsListener);
  /// Takes what waits at a port.
  std::deque<Arrival> TakeArrivals(std::uint16_t port);

  /// Puts a frame into the pipe towards `to`. False when an unreliable frame finds too many before it and is lost.
  bool Post(PipeKey pipe, Side to, Frame frame);
  /// Reliable bytes on the way to `to`, including those that it took but has not reported as consumed.
  [[nodiscard]] std::uint64_t ReliableBytesTo(PipeKey pipe, Side to);
  void ReportConsumed(PipeKey pipe, Side by, std::uint64_t reliableBytes);

  /// Moves the frames that arrived at `side` to the ends of the two queues and tells about the other side.
  PipeTurn TakeTurn(PipeKey pipe, Side side, std::uint64_t nowNs, std::deque<Frame>& reliable,
                    std::deque<Frame>& unreliable);

 private:
  struct Port {
    bool isListening = false;
    std::deque<Arrival> arrivals;
  };
  struct End {
    std::deque<Frame> reliable;
    std::deque<Frame> unreliable;
    std::uint64_t reliableBytes = 0;
    std::uint64_t servicedAtNs = 0;
    bool hasEnded = false;
    bool hasLeft = false;
  };
  struct Pipe {
    std::array<End, 2> ends;
    End& Of(Side side) { return ends[static_cast<std::size_t>(side)]; }
  };

  std::mutex m_mutex;
  std::map<std::uint16_t, Port> m_ports;
  std::map<PipeKey, Pipe> m_pipes;
  PipeKey m_lastPipe = 0;
};

[[nodiscard]] constexpr Side Other(Side side) {
  return side == Side::Client ? Side::Server : Side::Client;
}

}  // namespace muster::loopback
