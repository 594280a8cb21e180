// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/BuiltInCodec.h"

#include "PluginApi/PluginTables.h"
#include "RawCodec.h"

namespace muster::protocol {

const mu_snapshot_codec_v0& BuiltInCodec() noexcept {
  return plugin::SnapshotCodecTable<codecs::RawCodec>::kTable;
}

}  // namespace muster::protocol
