// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include "Cookie.h"
#include "PluginApi/Transport.h"

namespace muster::udp {

/// The client ids that opened a connection lately, each kept until no cookie for it can be good any more, so that a
/// datagram that comes late or is repeated opens nothing again.
class UsedIds {
 public:
  /// More in the life of a cookie are not let in: an id is never given up before its time.
  static constexpr std::size_t kMost = 8'192;

  explicit UsedIds(const SipKey& key) : m_connections{0, Hash{key}} {}

  /// Drops those whose time is over; times never go back.
  void Forget(std::uint64_t nowNs);
  /// The connection that the id opened, which may be over by now; 0 when it opened none.
  [[nodiscard]] mu_connection Find(std::uint64_t clientId) const;
  [[nodiscard]] bool IsFull() const noexcept { return m_inOrder.size() >= kMost; }
  /// Not while IsFull, and no id that is there.
  void Remember(std::uint64_t clientId, mu_connection connection, std::uint64_t nowNs);

 private:
  struct Used {
    std::uint64_t clientId;
    std::uint64_t untilNs;
  };
  /// Strangers choose the ids, so their places in the table are keyed.
  struct Hash {
    SipKey key;
    std::size_t operator()(std::uint64_t clientId) const noexcept;
  };

  std::deque<Used> m_inOrder;
  std::unordered_map<std::uint64_t, mu_connection, Hash> m_connections;
};

}  // namespace muster::udp
