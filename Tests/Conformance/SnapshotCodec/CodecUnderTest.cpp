// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CodecUnderTest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <ostream>

namespace muster::conformance {
namespace {

/// One of the magnitudes 2^-6 .. 2^40, of either sign.
double AnyMagnitude(Random& random) {
  const double magnitude = std::ldexp(1.0 + random.NextUnit(), static_cast<int>(random.NextBelow(46)) - 6);
  return random.NextChance(0.5) ? magnitude : -magnitude;
}

std::array<float, 4> AnyRotation(Random& random) {
  std::array<float, 4> q{};
  for (float& part : q) {
    part = random.NextChance(0.2) ? 0.5F : random.NextBetween(-1.0F, 1.0F);
  }
  return q;
}

}  // namespace

void PrintTo(const CodecUnderTest& codec, std::ostream* stream) {
  *stream << codec.testName;
}

std::vector<mu_canonical_record> Quantise(const mu_snapshot_codec_v0& codec, const std::vector<EntityState>& states) {
  const std::size_t count = states.size();
  // Slots in an order of their own, with a slot in front that nobody asks for.
  std::vector<std::uint32_t> slots(count);
  for (std::size_t i = 0; i < count; ++i) {
    slots[i] = static_cast<std::uint32_t>(1 + (i * 7 + 3) % count);
  }
  if (std::gcd(count, std::size_t{7}) != 1) {
    std::iota(slots.begin(), slots.end(), 1U);
  }
  std::array<std::vector<double>, 3> position;
  std::array<std::vector<float>, 9> columns;
  std::vector<std::uint32_t> status(count + 1);
  for (auto& column : position) {
    column.resize(count + 1);
  }
  for (auto& column : columns) {
    column.resize(count + 1);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const EntityState& state = states[i];
    const std::size_t slot = slots[i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      position[axis][slot] = state.position[axis];
      columns[axis][slot] = state.velocity[axis];
    }
    for (std::size_t part = 0; part < 4; ++part) {
      columns[3 + part][slot] = state.orientation[part];
    }
    columns[7][slot] = state.health;
    columns[8][slot] = state.throttle;
    status[slot] = state.status;
  }
  const mu_codec_columns view{sizeof(mu_codec_columns),
                              static_cast<std::uint32_t>(count + 1),
                              position[0].data(),
                              position[1].data(),
                              position[2].data(),
                              columns[0].data(),
                              columns[1].data(),
                              columns[2].data(),
                              columns[3].data(),
                              columns[4].data(),
                              columns[5].data(),
                              columns[6].data(),
                              columns[7].data(),
                              columns[8].data(),
                              status.data()};
  std::vector<mu_canonical_record> records(count);
  std::memset(records.data(), 0xA5, count * sizeof(mu_canonical_record));
  EXPECT_EQ(codec.quantise(&view, slots.data(), static_cast<std::uint32_t>(count), records.data()), MU_OK);
  return records;
}

mu_canonical_record Quantise(const mu_snapshot_codec_v0& codec, const EntityState& state) {
  return Quantise(codec, std::vector<EntityState>{state}).front();
}

EntityState StateOf(const mu_record_values& values) {
  EntityState state;
  std::copy(std::begin(values.position), std::end(values.position), state.position.begin());
  std::copy(std::begin(values.velocity), std::end(values.velocity), state.velocity.begin());
  std::copy(std::begin(values.orientation), std::end(values.orientation), state.orientation.begin());
  state.health = values.health;
  state.throttle = values.throttle;
  state.status = values.status;
  return state;
}

EntityState RandomState(Random& random) {
  EntityState state;
  for (double& axis : state.position) {
    axis = random.NextChance(0.5) ? random.NextBetween(-100'000.0, 100'000.0) : AnyMagnitude(random);
  }
  for (float& axis : state.velocity) {
    axis = random.NextChance(0.2) ? 0.0F : static_cast<float>(std::fmod(AnyMagnitude(random), 3'000.0));
  }
  state.orientation = AnyRotation(random);
  state.health = random.NextChance(0.5) ? 1.0F : random.NextUnitFloat();
  state.throttle = random.NextUnitFloat();
  state.status = static_cast<std::uint32_t>(random.NextBelow(1U << MU_STATUS_BITS));
  return state;
}

EntityState FlownOn(const EntityState& state, std::uint32_t ticks, Random& random) {
  EntityState later = state;
  const double seconds = ticks / 60.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double change = random.NextBetween(-60.0, 60.0) * seconds;
    later.velocity[axis] += static_cast<float>(change);
    later.position[axis] += (static_cast<double>(state.velocity[axis]) + change / 2.0) * seconds;
  }
  for (float& part : later.orientation) {
    part += static_cast<float>(random.NextBetween(-1.0, 1.0) * seconds);
  }
  if (random.NextChance(0.1)) {
    later.health = random.NextUnitFloat();
  }
  return later;
}

EntityState GoldenState() {
  EntityState state;
  state.position = {-448.0 + 0.015625 * 1.0, 128.0, 1'472.0};
  state.velocity = {-77.5F, 1.0F, 183.9375F};
  state.orientation = {0.0F, 0.70710678F, 0.0F, 0.70710678F};
  state.health = 0.75F;
  state.throttle = 0.1875F;
  state.status = MU_STATUS_AFTERBURNER | MU_STATUS_PLAYER;
  return state;
}

EntityState GoldenAnchorState() {
  EntityState state = GoldenState();
  state.position = {-427.5, 127.75, 1'423.0};
  state.velocity = {-76.0F, 0.0F, 184.0F};
  state.orientation = {0.02F, 0.7F, 0.0F, 0.71F};
  return state;
}

Body Encode(const mu_snapshot_codec_v0& codec, const mu_canonical_record& record, const mu_canonical_record* anchor,
            std::uint32_t age) {
  mu_codec_info info{};
  codec.info(&info);
  Body body{std::vector<std::uint8_t>(info.max_bits / 8, 0xEE), 0};
  mu_encode_item item{&record, anchor, age, 0};
  EXPECT_EQ(codec.encode(&item, 1, body.bytes.data(), static_cast<std::uint32_t>(body.bytes.size())), MU_OK);
  EXPECT_LE(item.bit_count, info.max_bits);
  body.bits = item.bit_count;
  body.bytes.resize((body.bits + 7) / 8);
  return body;
}

bool IsSame(const mu_canonical_record& left, const mu_canonical_record& right) {
  return std::memcmp(&left, &right, sizeof left) == 0;
}

std::string Hex(const Body& body) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : body.bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace muster::conformance
