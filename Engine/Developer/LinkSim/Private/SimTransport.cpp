// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SimTransport.h"

#include "Core/Hash.h"

#include <algorithm>
#include <utility>

namespace muster::linksim {

namespace {

constexpr std::size_t kEventsPerCall = 64;

std::uint64_t StreamSeed(std::uint64_t seed, std::uint64_t instance, std::uint64_t way) noexcept {
  return Mix64(seed + Mix64(instance * 2 + way + 1));
}

}  // namespace

mu_status SimTransport::Create(LinkSim::Shared& shared, const mu_transport_params& params, SimTransport*& out) {
  mu_transport* inner = nullptr;
  const link::TransportSource& source = shared.inner;
  const mu_status status = source.create ? source.create(params, &inner) : source.table->create(&params, &inner);
  if (status == MU_OK) {
    out = new SimTransport(shared, inner, params.max_datagram_bytes);
  }
  return status;
}

SimTransport::SimTransport(LinkSim::Shared& shared, mu_transport* inner, std::uint32_t maxDatagramBytes)
    : m_shared(shared),
      m_inner(inner),
      m_maxMessageBytes(maxDatagramBytes - m_shared.inner.table->unreliable_overhead_bytes()),
      m_received(kEventsPerCall) {
  const std::uint64_t instance = m_shared.instances.fetch_add(1);
  const std::uint64_t seed = m_shared.Config().seed;
  m_outgoing.seed = StreamSeed(seed, instance, 0);
  m_incoming.seed = StreamSeed(seed, instance, 1);
}

SimTransport::~SimTransport() {
  Table().destroy(m_inner);
}

bool SimTransport::Later(const Held& left, const Held& right) noexcept {
  return std::pair(left.due, left.order) > std::pair(right.due, right.order);
}

void SimTransport::Push(Way& way, MonotonicTime due, bool isDisconnect, const mu_transport_event& event) {
  Held held{due, way.order++, isDisconnect, event, {}};
  if (event.message.size != 0) {
    held.bytes.assign(event.message.data, event.message.data + event.message.size);
  }
  way.heap.push_back(std::move(held));
  std::push_heap(way.heap.begin(), way.heap.end(), &Later);
}

bool SimTransport::PopDue(Way& way, MonotonicTime now, Held& held) {
  if (way.heap.empty() || way.heap.front().due > now) {
    return false;
  }
  std::pop_heap(way.heap.begin(), way.heap.end(), &Later);
  held = std::move(way.heap.back());
  way.heap.pop_back();
  return true;
}

void SimTransport::HoldUnreliable(Way& way, const LinkConditions& conditions, const mu_transport_event& event,
                                  MonotonicTime now) {
  const Fate fate = Decide(conditions, way.seed, way.unreliableIndex++);
  m_shared.offered.fetch_add(1, std::memory_order_relaxed);
  if (fate.isLost) {
    m_shared.lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (fate.isReordered) {
    m_shared.reordered.fetch_add(1, std::memory_order_relaxed);
  }
  Push(way, now + fate.delay, false, event);
  if (fate.isDuplicated) {
    m_shared.duplicated.fetch_add(1, std::memory_order_relaxed);
    Push(way, now + fate.duplicateDelay, false, event);
  }
}

void SimTransport::HoldInOrder(Way& way, const LinkConditions& conditions, const mu_transport_event& event,
                               bool isDisconnect, MonotonicTime now) {
  // The stream of the reliable channel is another one than the unreliable one: neither moves the other's decisions.
  const std::chrono::nanoseconds delay = DecideReliableDelay(conditions, ~way.seed, way.reliableIndex++);
  MonotonicTime& latest = way.reliableDue[event.connection];
  latest = std::max(latest, now + delay);
  Push(way, latest, isDisconnect, event);
}

void SimTransport::Send(std::span<mu_transport_send> items) {
  const LinkConditions conditions = m_shared.Config().outgoing;
  const MonotonicTime now = m_shared.clock.Now();
  for (mu_transport_send& item : items) {
    mu_transport_event event{};
    event.kind = MU_TRANSPORT_EVENT_MESSAGE;
    event.channel = item.channel;
    event.connection = item.connection;
    event.message = item.message;
    item.status = MU_OK;
    if (item.channel == MU_CHANNEL_RELIABLE) {
      HoldInOrder(m_outgoing, conditions, event, false, now);
    } else if (item.message.size > m_maxMessageBytes) {
      item.status = MU_E_WOULD_FRAGMENT;
    } else {
      HoldUnreliable(m_outgoing, conditions, event, now);
    }
  }
}

void SimTransport::Disconnect(mu_connection connection, std::uint32_t detail) {
  mu_transport_event event{};
  event.connection = connection;
  event.detail = detail;
  HoldInOrder(m_outgoing, m_shared.Config().outgoing, event, true, m_shared.clock.Now());
}

void SimTransport::ReleaseOutgoing(MonotonicTime now) {
  Held held;
  while (PopDue(m_outgoing, now, held)) {
    if (held.isDisconnect) {
      Table().disconnect(m_inner, held.event.connection, held.event.detail);
      continue;
    }
    mu_transport_send item{held.event.connection, held.event.channel, MU_OK, {held.bytes.data(), held.bytes.size()}};
    Table().send(m_inner, &item, 1);
    if (item.status != MU_OK) {
      m_shared.refused.fetch_add(1, std::memory_order_relaxed);
    } else if (held.event.channel == MU_CHANNEL_RELIABLE) {
      m_shared.reliable.fetch_add(1, std::memory_order_relaxed);
    } else {
      m_shared.delivered.fetch_add(1, std::memory_order_relaxed);
    }
  }
}

void SimTransport::Flush() {
  ReleaseOutgoing(m_shared.clock.Now());
  Table().flush(m_inner);
}

mu_status SimTransport::ReceiveInner(MonotonicTime now) {
  const LinkConditions conditions = m_shared.Config().incoming;
  mu_status result = MU_OK;
  std::uint32_t count = kEventsPerCall;
  for (int call = 0; call < 64 && count == kEventsPerCall; ++call) {
    count = 0;
    const mu_status status = Table().service(m_inner, m_received.data(), kEventsPerCall, &count);
    result = status != MU_OK ? status : result;
    for (std::uint32_t i = 0; i < count; ++i) {
      const mu_transport_event& event = m_received[i];
      const bool isUnreliable = event.kind == MU_TRANSPORT_EVENT_MESSAGE && event.channel == MU_CHANNEL_UNRELIABLE;
      if (isUnreliable) {
        HoldUnreliable(m_incoming, conditions, event, now);
      } else {
        HoldInOrder(m_incoming, conditions, event, false, now);
      }
    }
  }
  return result;
}

mu_status SimTransport::Service(std::span<mu_transport_event> events, std::uint32_t& count) {
  const MonotonicTime now = m_shared.clock.Now();
  m_handedOut.clear();
  ReleaseOutgoing(now);
  const mu_status status = ReceiveInner(now);
  count = 0;
  Held held;
  while (count < events.size() && PopDue(m_incoming, now, held)) {
    const bool isMessage = held.event.kind == MU_TRANSPORT_EVENT_MESSAGE;
    const bool isUnreliable = isMessage && held.event.channel == MU_CHANNEL_UNRELIABLE;
    // A connection is known here from its connect to its disconnect; what comes after the end is nobody's.
    if (isUnreliable && !m_incoming.reliableDue.contains(held.event.connection)) {
      continue;
    }
    if (isMessage) {
      (isUnreliable ? m_shared.delivered : m_shared.reliable).fetch_add(1, std::memory_order_relaxed);
      m_handedOut.push_back(std::move(held.bytes));
      held.event.message = {m_handedOut.back().data(), m_handedOut.back().size()};
    }
    if (held.event.kind == MU_TRANSPORT_EVENT_DISCONNECTED) {
      m_incoming.reliableDue.erase(held.event.connection);
      m_outgoing.reliableDue.erase(held.event.connection);
    }
    events[count++] = held.event;
  }
  return status;
}

}  // namespace muster::linksim
