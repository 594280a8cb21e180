// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the suite needs of a codec. A codec is added in CodecUnderTest.cpp.
#pragma once

#include "Core/Random.h"
#include "PluginApi/SnapshotCodec.h"

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace muster::conformance {

/// A codec and how well it keeps what is its own; the header's errors are the same for all.
struct CodecUnderTest {
  std::string testName;
  const mu_snapshot_codec_v0* table;
  float maxHealthError;
  float maxThrottleError;
  /// Hexadecimal bodies of GoldenRecord(): absolute; relative to GoldenAnchor() at the age of 16 ticks.
  std::string goldenAbsolute;
  std::string goldenAnchored;
};

void PrintTo(const CodecUnderTest& codec, std::ostream* stream);

/// The libraries as they were built, and the codec that is linked in. Libraries stay open until the process ends.
std::vector<CodecUnderTest> CodecsUnderTest();

/// State of one entity in the world's units.
struct EntityState {
  std::array<double, 3> position{};
  std::array<float, 3> velocity{};
  std::array<float, 4> orientation{0.0F, 0.0F, 0.0F, 1.0F};
  float health = 1.0F;
  float throttle = 0.0F;
  std::uint32_t status = 0;
};

/// Quantises any number of states, through columns and slots in a shuffled order.
std::vector<mu_canonical_record> Quantise(const mu_snapshot_codec_v0& codec, const std::vector<EntityState>& states);
mu_canonical_record Quantise(const mu_snapshot_codec_v0& codec, const EntityState& state);

EntityState StateOf(const mu_record_values& values);

/// Something between an idle crate and a forged state: every magnitude from rest to the ends of the ranges.
EntityState RandomState(Random& random);
/// Where an aircraft like the one of `state` may be `ticks` later.
EntityState FlownOn(const EntityState& state, std::uint32_t ticks, Random& random);

/// Written down by hand, so that golden bytes depend on nothing else.
EntityState GoldenState();
EntityState GoldenAnchorState();

/// One body and its length.
struct Body {
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
};
Body Encode(const mu_snapshot_codec_v0& codec, const mu_canonical_record& record,
            const mu_canonical_record* anchor = nullptr, std::uint32_t age = 0);

bool IsSame(const mu_canonical_record& left, const mu_canonical_record& right);
std::string Hex(const Body& body);

}  // namespace muster::conformance
