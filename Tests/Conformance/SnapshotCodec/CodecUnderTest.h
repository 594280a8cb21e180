// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the suite needs of a codec, and who is put through it: every codec plugin of the build tree and the codec that is
// linked in; or one plugin alone, named by its folder (PluginConformance/Request.h).
#pragma once

#include "Core/Random.h"
#include "PluginApi/SnapshotCodec.h"
#include "PluginConformance/Request.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace muster::conformance {

/// What a codec promises beyond its interface, in a file of its own: Golden/<id>.<wire version>.json for ours,
/// codec-golden.json in the plugin's folder for anybody's.
struct Golden {
  double maxHealthError = 0.0;
  double maxThrottleError = 0.0;
  std::string absolute;  ///< hexadecimal body of GoldenState()
  std::string anchored;  ///< the same relative to GoldenAnchorState() at the age of 16 ticks
  std::string digest;    ///< SHA-256 over the bodies of a thousand pairs of states
};

struct CodecUnderTest {
  std::string testName;
  std::string id;
  const mu_snapshot_codec_v0* table;
  std::filesystem::path goldenFile;
};

void PrintTo(const CodecUnderTest& codec, std::ostream* stream);

/// Says who is to be judged, before GoogleTest is initialised. Without it: everybody.
void Judge(Request request);

/// Libraries are loaded as a server loads them and stay open until the process ends. Throws std::runtime_error when one
/// is refused, or none is found.
std::vector<CodecUnderTest> CodecsUnderTest();

/// Throws std::runtime_error when there is none, with what it would have to hold.
Golden ReadGolden(const CodecUnderTest& codec);
/// What the codec writes now. The errors are not measured.
Golden MeasureGolden(const mu_snapshot_codec_v0& codec);

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
