// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A transport with one fault, chosen by the environment variable MUSTER_WRONG_TRANSPORT; with none it keeps every
// promise.
#include <cstdlib>
#include <string_view>
#include <utility>

#include "LoopbackTransport.h"
#include "PluginApi/Plugin.h"

namespace {

using muster::loopback::LoopbackTransport;

/// Every so many reliable messages the fault strikes.
constexpr std::uint32_t kStrikesEvery = 20;

class WrongTransport {
 public:
  WrongTransport(const muster::plugin::Host& host, const mu_transport_params& params)
      : m_inner{host, Spoilt(params)}, m_params{params} {}

  static std::uint32_t UnreliableOverheadBytes() { return LoopbackTransport::UnreliableOverheadBytes(); }

  mu_status Listen(const mu_address& bind, mu_address& bound) { return m_inner.Listen(bind, bound); }
  mu_status Connect(const mu_address& remote, mu_connection& out) { return m_inner.Connect(remote, out); }

  mu_status Service(std::span<mu_transport_event> events, std::uint32_t& count) {
    const mu_status status = m_inner.Service(events, count);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      mu_transport_event event = events[i];
      if (Is("no-farewell") && event.kind == MU_TRANSPORT_EVENT_DISCONNECTED) {
        continue;
      }
      if (Is("no-reason") && event.kind == MU_TRANSPORT_EVENT_DISCONNECTED) {
        event.detail = 0;
      }
      if (Is("wrong-channel") && event.kind == MU_TRANSPORT_EVENT_MESSAGE) {
        event.channel = MU_CHANNEL_RELIABLE;
      }
      if (Is("cut") && event.message.size == 500) {
        --event.message.size;
      }
      events[kept++] = event;
    }
    // A full answer means that more may wait; what was left out must not look like the end.
    count =
        count == events.size() && kept < count ? (m_inner.Service(events.subspan(kept), count), kept + count) : kept;
    return status;
  }

  void Send(std::span<mu_transport_send> items) {
    for (mu_transport_send& item : items) {
      SendOne(item);
    }
  }
  void Flush() { m_inner.Flush(); }
  void Disconnect(mu_connection connection, std::uint32_t detail) { m_inner.Disconnect(connection, detail); }
  std::int32_t WaitHandle() { return m_inner.WaitHandle(); }
  void Stats(mu_transport_stats& out) { m_inner.Stats(out); }

 private:
  static bool Is(std::string_view fault) {
    const char* const chosen = std::getenv("MUSTER_WRONG_TRANSPORT");
    return chosen != nullptr && fault == chosen;
  }
  static mu_transport_params Spoilt(mu_transport_params params) {
    if (Is("no-gate")) {
      params.gate = mu_raw_gate{};
    }
    if (Is("no-backlog")) {
      params.reliable_backlog_bytes = UINT32_MAX;
    }
    return params;
  }

  void SendOne(mu_transport_send& item) {
    const bool isReliable = item.channel == MU_CHANNEL_RELIABLE;
    if (isReliable && m_params.max_message_bytes < item.message.size) {
      m_inner.Send({&item, 1});
      return;
    }
    const bool strikes = isReliable && ++m_count % kStrikesEvery == 0;
    if (strikes && Is("lose")) {
      item.status = MU_OK;
      return;
    }
    if (strikes && Is("reorder") && item.message.size <= sizeof(m_late)) {
      // It goes after the next one.
      m_lateConnection = item.connection;
      m_lateSize = static_cast<std::uint32_t>(item.message.size);
      for (std::uint32_t i = 0; i < m_lateSize; ++i) {
        m_late[i] = item.message.data[i];
      }
      item.status = MU_OK;
      return;
    }
    m_inner.Send({&item, 1});
    if (strikes && Is("repeat")) {
      mu_transport_send again = item;
      m_inner.Send({&again, 1});
    }
    if (Is("silent-loss") && item.status == MU_E_WOULD_FRAGMENT) {
      item.status = MU_OK;
    }
    if (isReliable && m_lateConnection != 0) {
      mu_transport_send late{std::exchange(m_lateConnection, 0), MU_CHANNEL_RELIABLE, MU_OK, {m_late, m_lateSize}};
      m_inner.Send({&late, 1});
    }
  }

  LoopbackTransport m_inner;
  mu_transport_params m_params;
  std::uint32_t m_count = 0;
  mu_connection m_lateConnection = 0;
  std::uint8_t m_late[4096] = {};
  std::uint32_t m_lateSize = 0;
};

}  // namespace

MUSTER_PLUGIN(muster::plugin::TransportTable<WrongTransport>);
