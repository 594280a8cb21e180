// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginApi/Plugin.h"
#include "QuantizedCodec.h"

MUSTER_PLUGIN(muster::plugin::SnapshotCodecTable<muster::codecs::QuantizedCodec>);
