// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LinkSim/LinkSim.h"

#include "SimTransport.h"

#include <utility>

namespace muster::linksim {

namespace {

// The functions of the table. A plugin's instance is opaque to its host; ours is a SimTransport.

SimTransport& Self(mu_transport* self) {
  return *reinterpret_cast<SimTransport*>(self);
}

mu_status CreateNone(const mu_transport_params* /*params*/, mu_transport** /*out*/) {
  // Instances need to know their LinkSim: they are made by the source's function.
  return MU_E_NOT_SUPPORTED;
}

void Destroy(mu_transport* self) {
  delete &Self(self);
}

mu_status Listen(mu_transport* self, const mu_address* bind, mu_address* bound) {
  return Self(self).Table().listen(Self(self).Inner(), bind, bound);
}

mu_status Connect(mu_transport* self, const mu_address* remote, mu_connection* out) {
  return Self(self).Table().connect(Self(self).Inner(), remote, out);
}

mu_status Service(mu_transport* self, mu_transport_event* events, std::uint32_t capacity, std::uint32_t* count) {
  return Self(self).Service({events, capacity}, *count);
}

void Send(mu_transport* self, mu_transport_send* items, std::uint32_t count) {
  Self(self).Send({items, count});
}

void Flush(mu_transport* self) {
  Self(self).Flush();
}

void Disconnect(mu_transport* self, mu_connection connection, std::uint32_t detail) {
  Self(self).Disconnect(connection, detail);
}

std::int32_t WaitHandle(mu_transport* self) {
  return Self(self).Table().wait_handle(Self(self).Inner());
}

void ReadStats(mu_transport* self, mu_transport_stats* out) {
  Self(self).Table().stats(Self(self).Inner(), out);
}

}  // namespace

LinkSim::Shared::Shared(link::TransportSource source, const LinkSimConfig& config, const IClock& theClock)
    : inner(std::move(source)), clock(theClock), m_config(config) {
  table = {sizeof(mu_transport_v0),
           0,
           inner.table->unreliable_overhead_bytes,
           &CreateNone,
           &Destroy,
           &Listen,
           &Connect,
           &Service,
           &Send,
           &Flush,
           &Disconnect,
           &WaitHandle,
           &ReadStats};
}

LinkSim::LinkSim(link::TransportSource inner, const LinkSimConfig& config, const IClock& clock)
    : m_shared(std::make_unique<Shared>(std::move(inner), config, clock)) {}

LinkSim::~LinkSim() = default;

link::TransportSource LinkSim::Source() {
  Shared* shared = m_shared.get();
  return {&shared->table, [shared](const mu_transport_params& params, mu_transport** out) {
            SimTransport* made = nullptr;
            const mu_status status = SimTransport::Create(*shared, params, made);
            *out = reinterpret_cast<mu_transport*>(made);
            return status;
          }};
}

void LinkSim::SetConditions(const LinkConditions& outgoing, const LinkConditions& incoming) {
  m_shared->SetConditions(outgoing, incoming);
}

LinkSimStats LinkSim::Stats() const {
  return {m_shared->offered.load(),   m_shared->lost.load(),      m_shared->duplicated.load(),
          m_shared->reordered.load(), m_shared->delivered.load(), m_shared->reliable.load(),
          m_shared->refused.load()};
}

}  // namespace muster::linksim
