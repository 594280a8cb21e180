// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "PluginApi/Transport.h"
#include "Shared.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

namespace muster::linksim {

/// One instance: a wrapped one, what is under way to it and what is under way from it.
class SimTransport {
 public:
  static mu_status Create(LinkSim::Shared& shared, const mu_transport_params& params, SimTransport*& out);
  SimTransport(const SimTransport&) = delete;
  SimTransport& operator=(const SimTransport&) = delete;
  ~SimTransport();

  mu_transport* Inner() { return m_inner; }
  const mu_transport_v0& Table() const { return *m_shared.inner.table; }

  mu_status Service(std::span<mu_transport_event> events, std::uint32_t& count);
  void Send(std::span<mu_transport_send> items);
  void Flush();
  void Disconnect(mu_connection connection, std::uint32_t detail);

 private:
  SimTransport(LinkSim::Shared& shared, mu_transport* inner, std::uint32_t maxDatagramBytes);

  using Bytes = std::vector<std::uint8_t>;

  /// Something under way. `order` breaks ties, so that equal times keep the order of sending.
  struct Held {
    MonotonicTime due{};
    std::uint64_t order = 0;
    bool isDisconnect = false;  ///< outgoing only; `event.detail` is its detail
    mu_transport_event event{};
    Bytes bytes{};
  };

  /// One direction.
  struct Way {
    std::uint64_t seed = 0;
    std::uint64_t unreliableIndex = 0;
    std::uint64_t reliableIndex = 0;
    std::uint64_t order = 0;
    std::vector<Held> heap{};
    std::map<mu_connection, MonotonicTime> reliableDue{};  ///< the latest of what must keep its order
  };

  static bool Later(const Held& left, const Held& right) noexcept;
  void HoldUnreliable(Way& way, const LinkConditions& conditions, const mu_transport_event& event, MonotonicTime now);
  void HoldInOrder(Way& way, const LinkConditions& conditions, const mu_transport_event& event, bool isDisconnect,
                   MonotonicTime now);
  static void Push(Way& way, MonotonicTime due, bool isDisconnect, const mu_transport_event& event);
  static bool PopDue(Way& way, MonotonicTime now, Held& held);
  void ReleaseOutgoing(MonotonicTime now);
  mu_status ReceiveInner(MonotonicTime now);

  LinkSim::Shared& m_shared;
  mu_transport* m_inner;
  const std::uint32_t m_maxMessageBytes;  ///< unreliable
  Way m_outgoing;
  Way m_incoming;
  std::vector<mu_transport_event> m_received;
  std::deque<Bytes> m_handedOut;  ///< messages of the last service
};

}  // namespace muster::linksim
