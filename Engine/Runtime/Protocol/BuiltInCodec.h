// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The codec that is always there: the RawCodec plugin's own source, linked in. It takes over where no codec library was
// loaded, and both ends of a connection have it.
#pragma once

#include "PluginApi/SnapshotCodec.h"

namespace muster::protocol {

/// Its name is the RawCodec plugin's, muster.codec.raw, because its bits are the same. Valid for ever. [any]
const mu_snapshot_codec_v0& BuiltInCodec() noexcept;

}  // namespace muster::protocol
