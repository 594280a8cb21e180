// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// One instance of a transport plugin, owned.
//
//   TransportHandle transport = std::move(TransportHandle::Create(source, params)).Value();
//   transport.Listen(address);
//
// `source` is the plugin's table; a decorator such as LinkSim puts its own beside a function that makes instances of
// it.
#pragma once

#include "Core/Result.h"
#include "PluginApi/Transport.h"

#include <cstdint>
#include <functional>
#include <span>

namespace muster::link {

inline constexpr ErrorCode kTransportFailed{3102, "TransportFailed"};
inline constexpr ErrorCode kAddressInUse{3103, "AddressInUse"};

/// Where instances come from. Implicit from a table, so that callers pass a plugin's table as it is.
struct TransportSource {
  // NOLINTNEXTLINE(google-explicit-constructor): a table is a source.
  TransportSource(const mu_transport_v0* plugin) noexcept : table(plugin) {}
  TransportSource(const mu_transport_v0* plugin,
                  std::function<mu_status(const mu_transport_params&, mu_transport**)> maker)
      : table(plugin), create(std::move(maker)) {}

  const mu_transport_v0* table;  ///< outlives every instance
  /// Used instead of `table->create` when set: for instances that need more than parameters.
  std::function<mu_status(const mu_transport_params&, mu_transport**)> create{};
};

/// Movable; a moved-from or empty handle may only be assigned to, tested and destroyed. All calls [net].
class TransportHandle {
 public:
  TransportHandle() noexcept = default;
  TransportHandle(TransportHandle&& other) noexcept;
  TransportHandle& operator=(TransportHandle&& other) noexcept;
  TransportHandle(const TransportHandle&) = delete;
  TransportHandle& operator=(const TransportHandle&) = delete;
  ~TransportHandle();

  /// Fails with kTransportFailed: the plugin could not make an instance, or its table lacks a function.
  static Result<TransportHandle> Create(const TransportSource& source, const mu_transport_params& params);

  explicit operator bool() const noexcept { return m_instance != nullptr; }

  /// The address really bound. Fails with kAddressInUse or kTransportFailed.
  Result<mu_address> Listen(const mu_address& bind);
  Result<mu_connection> Connect(const mu_address& remote);
  /// Fills the front of `events` and returns that many of them. A failing service is no events; the caller counts it.
  mu_status Service(std::span<mu_transport_event> events, std::uint32_t& count);
  void Send(std::span<mu_transport_send> items);
  void Flush();
  void Disconnect(mu_connection connection, std::uint32_t detail);
  /// -1: nothing to wait on.
  [[nodiscard]] int WaitHandle() const;
  [[nodiscard]] mu_transport_stats Stats() const;
  [[nodiscard]] std::uint32_t UnreliableOverheadBytes() const;

 private:
  TransportHandle(const mu_transport_v0* table, mu_transport* instance) noexcept
      : m_table(table), m_instance(instance) {}

  const mu_transport_v0* m_table = nullptr;
  mu_transport* m_instance = nullptr;
};

}  // namespace muster::link
