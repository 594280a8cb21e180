// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What replication did: counters since the start. Differences of two copies give rates.
#pragma once

#include <cstdint>

namespace muster::replication {

/// Records of one sort and the bits of their bodies and heads, net ids included.
struct RecordCount {
  std::uint64_t records = 0;
  std::uint64_t bits = 0;

  void Add(const RecordCount& other) {
    records += other.records;
    bits += other.bits;
  }
};

struct ReplicationStats {
  std::uint64_t messages = 0;
  std::uint64_t messageBytes = 0;
  std::uint64_t candidates = 0;  ///< records that were wanted
  RecordCount spawns{};
  RecordCount leaves{};
  RecordCount absoluteUpdates{};  ///< current or late, without an anchor
  RecordCount anchoredUpdates{};
  std::uint64_t lateUpdates = 0;    ///< of both sorts above
  std::uint64_t codecFailures = 0;  ///< calls the codec failed; the tick's messages are without the records in question
  std::uint64_t entitiesWithoutId = 0;  ///< this tick: live entities that wait for a net id

  void Add(const ReplicationStats& other) {
    messages += other.messages;
    messageBytes += other.messageBytes;
    candidates += other.candidates;
    spawns.Add(other.spawns);
    leaves.Add(other.leaves);
    absoluteUpdates.Add(other.absoluteUpdates);
    anchoredUpdates.Add(other.anchoredUpdates);
    lateUpdates += other.lateUpdates;
    codecFailures += other.codecFailures;
  }
};

}  // namespace muster::replication
