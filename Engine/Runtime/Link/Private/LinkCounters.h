// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Link/LinkStats.h"
#include "PluginApi/Transport.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace muster::link {

/// A number that one or two threads raise and any thread reads.
class Counter {
 public:
  void Add(std::uint64_t amount = 1) noexcept { m_value.fetch_add(amount, std::memory_order_relaxed); }
  void Set(std::uint64_t value) noexcept { m_value.store(value, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t Get() const noexcept { return m_value.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> m_value{0};
};

/// Why a transport did not take what was to be sent; `status` is not MU_OK. [any]
[[nodiscard]] SendDropReason SendDropReasonOf(mu_status status) noexcept;

/// LinkStats while it is being counted. [any]
class LinkCounters {
 public:
  void Drop(DropReason reason) noexcept { m_dropped[static_cast<std::size_t>(reason)].Add(); }
  void Drop(SendDropReason reason) noexcept { m_sendDropped[static_cast<std::size_t>(reason)].Add(); }
  void TakeTransport(const mu_transport_stats& stats) noexcept;
  [[nodiscard]] LinkStats Snapshot() const noexcept;

  Counter peers, halfOpen;
  Counter packetsIn, packetsOut, messagesIn, messagesOut, packetsAcked, packetsLost;
  Counter connected, disconnected, refused, serviceErrors;

 private:
  std::array<Counter, kDropReasonCount> m_dropped{};
  std::array<Counter, kSendDropReasonCount> m_sendDropped{};
  Counter m_datagramsIn, m_datagramsOut, m_bytesIn, m_bytesOut;
  Counter m_receiveErrors, m_sendErrors, m_reliableResent, m_refusedConnections, m_gateDropped;
};

}  // namespace muster::link
