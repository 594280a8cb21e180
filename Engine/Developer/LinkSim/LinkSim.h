// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A bad network in front of any transport: loses, delays, reorders and duplicates, always the same for the same seed.
//
//   LinkSim sim(transportTable, {.outgoing = bad, .incoming = bad, .seed = 7}, clock);
//   ServerLink link(sim.Source(), config, clock, log);      // the link sees a transport like any other
//
// Every instance made through Source() has a stream of decisions of its own for each direction, by the order in which
// instances are made. Put it in front of one end and set both directions, or in front of both ends.
//
// What it does. Unreliable messages suffer everything. Reliable messages, connects and disconnects arrive once and in
// order, only later. A duplicate breaks a transport's promise on purpose: a replayed datagram does it as well.
// Time is the clock's, so on virtual time a thousand seconds of bad weather take none. Nothing leaves before Service or
// Flush is called after it is due.
//
// Threads: an instance is used as the transport it wraps; conditions and statistics may be touched from any thread.
// The LinkSim outlives its instances, so it stands before the links that use it.
#pragma once

#include "Core/Clock.h"
#include "Link/TransportHandle.h"
#include "LinkSim/LinkConditions.h"

#include <cstdint>
#include <memory>

namespace muster::linksim {

struct LinkSimConfig {
  LinkConditions outgoing{};  ///< what the wrapped end sends
  LinkConditions incoming{};  ///< what it receives
  std::uint64_t seed = 1;
};

/// Unreliable messages, but for the last two.
struct LinkSimStats {
  std::uint64_t offered = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;  ///< held back; whether something overtook them is up to the traffic
  std::uint64_t delivered = 0;  ///< duplicates included
  std::uint64_t reliable = 0;   ///< reliable messages passed on
  std::uint64_t refused = 0;    ///< taken here, and refused by the wrapped transport when they were due
};

class LinkSim {
 public:
  LinkSim(link::TransportSource inner, const LinkSimConfig& config, const IClock& clock);
  LinkSim(const LinkSim&) = delete;
  LinkSim& operator=(const LinkSim&) = delete;
  ~LinkSim();

  [[nodiscard]] link::TransportSource Source();

  /// For what is sent and received from now on. What is under way keeps its fate. [any]
  void SetConditions(const LinkConditions& outgoing, const LinkConditions& incoming);
  /// Of all instances together. [any]
  [[nodiscard]] LinkSimStats Stats() const;

 private:
  class Shared;
  friend class SimTransport;
  std::unique_ptr<Shared> m_shared;
};

}  // namespace muster::linksim
