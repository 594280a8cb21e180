// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// From real numbers to few bits and back. Every function is total: NaN and values out of range go to the nearest thing
// that can be said, and any bits decode to finite values. Same bits in, same bits out on every machine, provided the
// code is built without contraction. [any]
#pragma once

#include "Serialization/BitReader.h"
#include "Serialization/BitWriter.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace muster::serialization {

/// How many bits hold every number up to `maxValue`.
[[nodiscard]] constexpr unsigned BitsFor(std::uint64_t maxValue) noexcept {
  return static_cast<unsigned>(std::bit_width(maxValue));
}

/// 0, -1, 1, -2, 2 ... as 0, 1, 2, 3, 4 ...
[[nodiscard]] constexpr std::uint32_t ZigZag(std::int32_t value) noexcept {
  return (static_cast<std::uint32_t>(value) << 1) ^ (value < 0 ? ~std::uint32_t{0} : 0);
}
[[nodiscard]] constexpr std::int32_t UnZigZag(std::uint32_t value) noexcept {
  return static_cast<std::int32_t>((value & 1) != 0 ? ~(value >> 1) : value >> 1);
}

/// Nearest whole number, halves upward, clamped to +-2^62; zero for NaN.
[[nodiscard]] inline std::int64_t RoundToInteger(double value) noexcept {
  constexpr double limit = 0x1p62;
  if (!(value > -limit)) {
    return std::isnan(value) ? 0 : -(std::int64_t{1} << 62);
  }
  return value < limit ? static_cast<std::int64_t>(std::floor(value + 0.5)) : std::int64_t{1} << 62;
}

/// In steps of `step` > 0.
[[nodiscard]] inline std::int64_t QuantiseStep(double value, double step) noexcept {
  return RoundToInteger(value / step);
}
[[nodiscard]] inline double DequantiseStep(std::int64_t steps, double step) noexcept {
  return static_cast<double>(steps) * step;
}

/// A closed range cut into 2^bits - 1 equal steps, both ends exact: an error of at most half a step.
struct FloatRange {
  double low;
  double high;    ///< Above `low`.
  unsigned bits;  ///< 1 to 32.

  [[nodiscard]] constexpr std::uint32_t MaxCode() const noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  }
  [[nodiscard]] constexpr double Step() const noexcept { return (high - low) / static_cast<double>(MaxCode()); }
};

/// Out of range goes to the nearer end, NaN to the low one.
[[nodiscard]] inline std::uint32_t Quantise(const FloatRange& range, double value) noexcept {
  if (!(value > range.low)) {
    return 0;
  }
  if (value >= range.high) {
    return range.MaxCode();
  }
  const double scaled = (value - range.low) / (range.high - range.low) * static_cast<double>(range.MaxCode());
  return static_cast<std::uint32_t>(std::floor(scaled + 0.5));
}

/// A code above the maximum counts as the maximum.
[[nodiscard]] inline double Dequantise(const FloatRange& range, std::uint32_t code) noexcept {
  if (code >= range.MaxCode()) {
    return range.high;
  }
  return range.low + (range.high - range.low) * (static_cast<double>(code) / static_cast<double>(range.MaxCode()));
}

/// A rotation's parts in the order x, y, z, w.
using QuaternionParts = std::array<float, 4>;

namespace detail {

inline constexpr unsigned kQuaternionPartBits = 10;
inline constexpr int kQuaternionPartMax = 511;  ///< Codes -511..511, so that zero is exact and no rotation stays none.
inline constexpr double kQuaternionPartRange = 0.70710678118654752440;

}  // namespace detail

/// Smallest three: bits 0-1 say which part is largest in magnitude (the first of equals), the other three follow in
/// order with 10 bits each, lowest bits first, in 1022 steps over +-sqrt(1/2). The error is at most 0.0048 rad of
/// rotation. q and -q have the same code. The length does not matter; without a direction (zero, NaN, infinite) it is
/// no rotation.
[[nodiscard]] inline std::uint32_t PackQuaternion(const QuaternionParts& q) noexcept {
  double squares = 0.0;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double part = static_cast<double>(q[i]);
    squares += part * part;
    largest = std::fabs(q[i]) > std::fabs(q[largest]) ? i : largest;
  }
  const bool hasDirection = std::isfinite(squares) && squares > 0.0;
  const QuaternionParts parts = hasDirection ? q : QuaternionParts{0.0f, 0.0f, 0.0f, 1.0f};
  largest = hasDirection ? largest : 3;
  const double length = hasDirection ? std::sqrt(squares) : 1.0;
  const double scale =
      (parts[largest] < 0.0f ? -1.0 : 1.0) * detail::kQuaternionPartMax / (length * detail::kQuaternionPartRange);

  auto code = static_cast<std::uint32_t>(largest);
  unsigned shift = 2;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == largest) {
      continue;
    }
    double steps = std::floor(static_cast<double>(parts[i]) * scale + 0.5);
    steps = steps > detail::kQuaternionPartMax ? detail::kQuaternionPartMax : steps;
    steps = steps < -detail::kQuaternionPartMax ? -detail::kQuaternionPartMax : steps;
    code |= static_cast<std::uint32_t>(static_cast<int>(steps) + detail::kQuaternionPartMax) << shift;
    shift += detail::kQuaternionPartBits;
  }
  return code;
}

/// Always of unit length, whatever the code.
[[nodiscard]] inline QuaternionParts UnpackQuaternion(std::uint32_t code) noexcept {
  constexpr std::uint32_t partMask = (1u << detail::kQuaternionPartBits) - 1;
  const std::size_t largest = code & 3u;
  std::array<double, 4> parts{};
  double squares = 0.0;
  unsigned shift = 2;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == largest) {
      continue;
    }
    const int steps = static_cast<int>((code >> shift) & partMask) - detail::kQuaternionPartMax;
    parts[i] = steps * (detail::kQuaternionPartRange / detail::kQuaternionPartMax);
    squares += parts[i] * parts[i];
    shift += detail::kQuaternionPartBits;
  }
  parts[largest] = squares < 1.0 ? std::sqrt(1.0 - squares) : 0.0;
  // Only a forged code has squares above one; its parts are scaled back.
  const double scale = squares > 1.0 ? 1.0 / std::sqrt(squares) : 1.0;
  QuaternionParts q{};
  for (std::size_t i = 0; i < q.size(); ++i) {
    q[i] = static_cast<float>(parts[i] * scale);
  }
  return q;
}

/// The greatest order of the exponential Golomb code.
inline constexpr unsigned kMaxExpGolombOrder = 31;

/// How many bits `WriteExpGolomb` takes.
[[nodiscard]] constexpr unsigned ExpGolombBits(std::uint32_t value, unsigned order) noexcept {
  const std::uint64_t shifted = std::uint64_t{value} + (std::uint64_t{1} << order);
  return 2 * static_cast<unsigned>(std::bit_width(shifted)) - 1 - order;
}

/// Exponential Golomb code of an order k <= 31: values below 2^k take k + 1 bits, and each doubling of value + 2^k two
/// more. On the wire: as many zeros as value + 2^k has bits beyond k + 1, a one, then that number without its top bit.
inline void WriteExpGolomb(BitWriter& writer, std::uint32_t value, unsigned order) noexcept {
  const std::uint64_t shifted = std::uint64_t{value} + (std::uint64_t{1} << order);
  const auto lowBits = static_cast<unsigned>(std::bit_width(shifted)) - 1;
  const unsigned zeros = lowBits - order;
  const std::uint64_t low = shifted ^ (std::uint64_t{1} << lowBits);
  if (zeros + 1 + lowBits <= 64) {
    writer.WriteBits((low << (zeros + 1)) | (std::uint64_t{1} << zeros), zeros + 1 + lowBits);
    return;
  }
  // Only reached for the largest values at order zero. Whole or not at all here, too.
  if (writer.BitsLeft() < zeros + 1 + lowBits) {
    writer.MarkOverflowed();
    return;
  }
  writer.WriteBits(std::uint64_t{1} << zeros, zeros + 1);
  writer.WriteBits(low, lowBits);
}

/// Fails for a value above `maxValue`.
[[nodiscard]] inline std::uint32_t ReadExpGolomb(BitReader& reader, unsigned order,
                                                 std::uint32_t maxValue = ~std::uint32_t{0}) noexcept {
  const unsigned zeros = reader.ReadZeroRun(32 - order);
  const unsigned lowBits = zeros + order;
  const std::uint64_t low = reader.ReadBits(lowBits);
  if (reader.Failed()) {
    return 0;
  }
  const std::uint64_t value = (low | (std::uint64_t{1} << lowBits)) - (std::uint64_t{1} << order);
  if (value > maxValue) {
    reader.MarkFailed();
    return 0;
  }
  return static_cast<std::uint32_t>(value);
}

inline void WriteSignedExpGolomb(BitWriter& writer, std::int32_t value, unsigned order) noexcept {
  WriteExpGolomb(writer, ZigZag(value), order);
}

[[nodiscard]] inline std::int32_t ReadSignedExpGolomb(BitReader& reader, unsigned order) noexcept {
  return UnZigZag(ReadExpGolomb(reader, order));
}

}  // namespace muster::serialization
