// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/PluginIdentity.h"

#include <algorithm>
#include <string>

namespace muster::link {

protocol::WireIdentity IdentityOf(const plugins::Provider<mu_snapshot_codec_v0>& codec,
                                  const plugins::Provider<mu_transport_v0>& transport,
                                  const plugins::PluginLock& lock) {
  protocol::WireIdentity identity;
  mu_codec_info info{};
  codec.table->info(&info);
  identity.codecName.assign(info.name.data, info.name.size);
  identity.codecWireVersion = info.wire_version;

  std::vector<plugins::LockEntry> used;
  for (const plugins::LockEntry& entry : lock.Entries()) {
    const bool isCodec = !codec.IsBuiltIn() && entry.id == codec.name;
    const bool isTransport = !transport.IsBuiltIn() && entry.id == transport.name;
    if (entry.wireAffecting && (isCodec || isTransport)) {
      used.push_back(entry);
      identity.plugins.push_back({entry.id, entry.version.ToString()});
    }
  }
  const Sha256Digest digest = plugins::LockDigest(plugins::PluginLock{std::move(used)});
  std::copy(digest.begin(), digest.end(), identity.lockDigest.begin());
  return identity;
}

}  // namespace muster::link
