// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginApi/Plugin.h"

#include "LoopbackTransport.h"

MUSTER_PLUGIN(muster::plugin::TransportTable<muster::loopback::LoopbackTransport>);
