// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What a process says of itself in the handshake, made from the providers it really uses. Server and client make it the
// same way, so equal plugins give equal identities.
#pragma once

#include "PluginHost/PluginLock.h"
#include "PluginHost/Slot.h"
#include "Protocol/WireIdentity.h"

namespace muster::link {

/// The codec's name and wire version, and the lock digest over those of the two plugins that are wire-affecting; what
/// else is loaded does not matter to the other side. Built-in providers take no part in the digest. [any]
protocol::WireIdentity IdentityOf(const plugins::Provider<mu_snapshot_codec_v0>& codec,
                                  const plugins::Provider<mu_transport_v0>& transport, const plugins::PluginLock& lock);

}  // namespace muster::link
