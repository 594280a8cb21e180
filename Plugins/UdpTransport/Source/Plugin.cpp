// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginApi/Plugin.h"

#include "UdpTransport.h"

MUSTER_PLUGIN(muster::plugin::TransportTable<muster::udp::UdpTransport>);
