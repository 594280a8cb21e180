// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/TransportHandle.h"

#include "Core/Assert.h"
#include "Link/Address.h"
#include "PluginHost/CallGuard.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace muster::link {

namespace {

bool IsComplete(const mu_transport_v0& table) noexcept {
  return table.struct_size >= sizeof(mu_transport_v0) && table.unreliable_overhead_bytes != nullptr &&
         table.create != nullptr && table.destroy != nullptr && table.listen != nullptr && table.connect != nullptr &&
         table.service != nullptr && table.send != nullptr && table.flush != nullptr && table.disconnect != nullptr &&
         table.wait_handle != nullptr && table.stats != nullptr;
}

/// The plugin's own sentence is the cause when it left one. The caller cleared the one before.
Error Failed(std::string sentence, mu_status status) {
  const std::string_view own = plugins::LastSentence();
  return Error{kTransportFailed, std::move(sentence),
               own.empty() ? fmt::format("The transport plugin returned status {}.", status) : std::string(own),
               "Change what the cause names: the address, the port, or the transport itself (network.transport)."};
}

}  // namespace

TransportHandle::TransportHandle(TransportHandle&& other) noexcept
    : m_table(other.m_table), m_instance(std::exchange(other.m_instance, nullptr)) {}

TransportHandle& TransportHandle::operator=(TransportHandle&& other) noexcept {
  if (this != &other) {
    if (m_instance != nullptr) {
      m_table->destroy(m_instance);
    }
    m_table = other.m_table;
    m_instance = std::exchange(other.m_instance, nullptr);
  }
  return *this;
}

TransportHandle::~TransportHandle() {
  if (m_instance != nullptr) {
    m_table->destroy(m_instance);
  }
}

Result<TransportHandle> TransportHandle::Create(const TransportSource& source, const mu_transport_params& params) {
  if (source.table == nullptr || !IsComplete(*source.table)) {
    return Error{kTransportFailed, "The transport plugin cannot be used.",
                 "Its table of functions is missing or shorter than this engine's muster.transport/0.",
                 "Build the plugin again with this engine's headers."};
  }
  mu_transport* instance = nullptr;
  plugins::ClearLastSentence();
  const mu_status status = source.create ? source.create(params, &instance) : source.table->create(&params, &instance);
  if (status != MU_OK || instance == nullptr) {
    return Failed("The transport could not be created.", status);
  }
  return TransportHandle(source.table, instance);
}

Result<mu_address> TransportHandle::Listen(const mu_address& bind) {
  mu_address bound{};
  plugins::ClearLastSentence();
  const mu_status status = m_table->listen(m_instance, &bind, &bound);
  if (status == MU_E_ADDRESS_IN_USE) {
    return Error{kAddressInUse, fmt::format("The server cannot listen on {}.", FormatAddress(bind)),
                 "Another program, perhaps another server, uses this port.",
                 "Stop the other program, or choose another port."};
  }
  if (status != MU_OK) {
    return Failed(fmt::format("The server cannot listen on {}.", FormatAddress(bind)), status);
  }
  return bound;
}

Result<mu_connection> TransportHandle::Connect(const mu_address& remote) {
  mu_connection connection = 0;
  plugins::ClearLastSentence();
  const mu_status status = m_table->connect(m_instance, &remote, &connection);
  if (status != MU_OK) {
    return Failed(fmt::format("No connection to {} could be begun.", FormatAddress(remote)), status);
  }
  return connection;
}

mu_status TransportHandle::Service(std::span<mu_transport_event> events, std::uint32_t& count) {
  count = 0;
  const mu_status status =
      m_table->service(m_instance, events.data(), static_cast<std::uint32_t>(events.size()), &count);
  if (count > events.size()) {
    count = 0;
    return MU_E_FAILED;
  }
  return status;
}

void TransportHandle::Send(std::span<mu_transport_send> items) {
  m_table->send(m_instance, items.data(), static_cast<std::uint32_t>(items.size()));
}

void TransportHandle::Flush() {
  m_table->flush(m_instance);
}

void TransportHandle::Disconnect(mu_connection connection, std::uint32_t detail) {
  m_table->disconnect(m_instance, connection, detail);
}

int TransportHandle::WaitHandle() const {
  return m_table->wait_handle(m_instance);
}

mu_transport_stats TransportHandle::Stats() const {
  mu_transport_stats stats{};
  stats.struct_size = sizeof stats;
  m_table->stats(m_instance, &stats);
  return stats;
}

std::uint32_t TransportHandle::UnreliableOverheadBytes() const {
  return m_table->unreliable_overhead_bytes();
}

}  // namespace muster::link
