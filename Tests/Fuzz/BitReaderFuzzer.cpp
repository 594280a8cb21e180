// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The input is a script and the bytes it is read from: BitReader must agree with a model that takes one bit at a time,
// stay inside its bytes (AddressSanitizer looks), and stay failed once it failed.
#include "Serialization/BitReader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

namespace {

using muster::serialization::BitReader;

/// Reads bits the slow and plain way. Once a read does not fit it is finished and gives nothing.
class Model {
 public:
  explicit Model(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

  std::optional<std::uint64_t> Read(unsigned count) {
    if (m_finished || count > 64 || count > m_bytes.size() * 8 - m_position) {
      m_finished = true;
      return std::nullopt;
    }
    std::uint64_t value = 0;
    for (unsigned bit = 0; bit < count; ++bit, ++m_position) {
      const std::uint64_t byte = m_bytes[m_position / 8];
      const std::uint64_t isSet = (byte >> (m_position % 8)) & 1U;
      value |= isSet << bit;
    }
    return value;
  }

  void Follow(const BitReader& reader) {
    m_position = reader.Position();
    m_finished = reader.Failed();
  }

  bool Finished() const { return m_finished; }
  std::size_t Position() const { return m_position; }

 private:
  std::span<const std::uint8_t> m_bytes;
  std::size_t m_position = 0;
  bool m_finished = false;
};

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// One operation; `argument` is any byte.
void Step(BitReader& reader, Model& model, std::uint8_t operation, std::uint8_t argument, std::size_t totalBits) {
  const std::size_t before = reader.Position();
  switch (operation % 6) {
    case 0: {
      const unsigned count = argument % 66U;
      const std::optional<std::uint64_t> expected = model.Read(count);
      Require(reader.ReadBits(count) == expected.value_or(0));
      Require(reader.Failed() == model.Finished());
      break;
    }
    case 1: {
      const std::uint64_t limit = (std::uint64_t{1} << (argument % 63U)) - 1;
      Require(reader.ReadVarUint(limit, 1 + argument % 8U) <= limit);
      break;
    }
    case 2: {
      const std::uint64_t limit = std::uint64_t{1} << (argument % 62U);
      const std::int64_t value = reader.ReadSigned(limit);
      Require(value <= static_cast<std::int64_t>(limit) && value >= -static_cast<std::int64_t>(limit));
      break;
    }
    case 3:
      Require(reader.ReadZeroRun(argument % 64U) <= argument % 64U);
      break;
    case 4: {
      const std::span<const std::uint8_t> view = reader.ReadAlignedBytes(argument);
      Require(view.size() == (reader.Failed() ? 0U : argument));
      break;
    }
    default:
      reader.Skip(argument);
      break;
  }
  model.Follow(reader);
  Require(reader.Position() >= before && reader.Position() <= totalBits);
  Require(reader.BitsLeft() == (reader.Failed() ? 0 : totalBits - reader.Position()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) {
    return 0;
  }
  // First byte: how many two-byte operations follow; the rest is what they read.
  const std::span<const std::uint8_t> input(data, size);
  const std::size_t operations = data[0] % 64U;
  if (size < 1 + operations * 2) {
    return 0;
  }
  const std::span<const std::uint8_t> bytes = input.subspan(1 + operations * 2);
  BitReader reader(bytes);
  Model model(bytes);
  for (std::size_t index = 0; index < operations; ++index) {
    const bool hadFailed = reader.Failed();
    Step(reader, model, data[1 + index * 2], data[2 + index * 2], bytes.size() * 8);
    Require(!hadFailed || reader.Failed());
  }
  return 0;
}
