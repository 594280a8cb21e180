// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A codec whose calls fail: what it could not encode is not sent, and each failed call is counted.
#include "ReplicationHarness.h"

#include <gtest/gtest.h>

namespace muster::replication::testing {
namespace {

bool g_isBroken = false;

/// The quantized codec, which encodes nothing while it is broken.
const mu_snapshot_codec_v0& BreakableCodec() {
  static const mu_snapshot_codec_v0 table = [] {
    mu_snapshot_codec_v0 changed = QuantizedCodec();
    changed.encode = [](mu_encode_item* items, std::uint32_t count, std::uint8_t* bits, std::uint32_t stride) {
      return g_isBroken ? mu_status{MU_E_FAILED} : QuantizedCodec().encode(items, count, bits, stride);
    };
    return changed;
  }();
  return table;
}

TEST(CodecFailure, IsCountedByCallAndSendsNoHalfRecords) {
  Harness::Options options;
  options.codec = &BreakableCodec();
  g_isBroken = false;
  Harness harness{options};
  TestClient& client = harness.Join(harness.Spawn({0.0, 0.0, 0.0}));
  harness.Spawn({50.0, 0.0, 0.0});
  harness.Step();
  harness.Step();
  ASSERT_EQ(client.receiver.EntityCount(), 2U);
  const ReplicationStats before = harness.Stage().Stats();
  ASSERT_EQ(before.codecFailures, 0U);

  g_isBroken = true;
  harness.Spawn({60.0, 0.0, 0.0});
  for (int i = 0; i < 10; ++i) {
    harness.Step();
  }
  const ReplicationStats broken = harness.Stage().Stats();
  EXPECT_EQ(broken.codecFailures, 10U) << "a call for the one client in each tick";
  EXPECT_EQ(broken.messages, before.messages + 10U) << "acknowledgements and leaves still travel";
  EXPECT_EQ(broken.spawns.records, before.spawns.records);
  EXPECT_EQ(broken.absoluteUpdates.records, before.absoluteUpdates.records);
  EXPECT_EQ(broken.anchoredUpdates.records, before.anchoredUpdates.records);
  EXPECT_EQ(client.receiver.EntityCount(), 2U);

  g_isBroken = false;
  for (int i = 0; i < 10; ++i) {
    harness.Step();
  }
  EXPECT_EQ(harness.Stage().Stats().codecFailures, 10U);
  EXPECT_EQ(client.receiver.EntityCount(), 3U) << "what was held back comes after all";
  EXPECT_EQ(harness.Difference(client), "");
}

}  // namespace
}  // namespace muster::replication::testing
