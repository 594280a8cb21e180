// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Format.h"

#include "Core/Assert.h"
#include "Core/Hash.h"
#include "Serialization/ByteWriter.h"

#include <algorithm>

namespace muster::recording {
namespace {

struct TypeRow {
  std::string_view name;
  std::size_t bytes;
};

/// By ElementType; zero is none.
constexpr std::array<TypeRow, 8> kTypes{
    {{"", 0}, {"u8", 1}, {"u16", 2}, {"u32", 4}, {"u64", 8}, {"f32", 4}, {"f64", 8}, {"bytes", 0}}};

void WriteColumns(serialization::ByteWriter& out, const std::vector<ColumnDescription>& columns) {
  out.WriteU16(static_cast<std::uint16_t>(columns.size()));
  for (const ColumnDescription& column : columns) {
    out.WriteU8(static_cast<std::uint8_t>(column.type));
    out.WriteU8(static_cast<std::uint8_t>(column.elementBytes));
    out.WriteText8(column.name);
    out.WriteText8(column.unit);
  }
}

const char* FindProblem(const ColumnDescription& column) {
  const auto type = static_cast<std::size_t>(column.type);
  if (type == 0 || type >= kTypes.size()) {
    return "a column has a type that does not exist";
  }
  if (column.elementBytes == 0 || column.elementBytes > kMaxElementBytes ||
      (column.type != ElementType::Bytes && column.elementBytes != kTypes[type].bytes)) {
    return "a column's elements have another size than its type";
  }
  if (column.name.empty() || column.name.size() > kMaxNameBytes || column.unit.size() > kMaxNameBytes) {
    return "a column's name or unit is empty or too long";
  }
  return nullptr;
}

}  // namespace

std::string_view ElementTypeName(ElementType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kTypes.size() ? kTypes[index].name : std::string_view{};
}

std::size_t ElementBytes(ElementType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kTypes.size() ? kTypes[index].bytes : 0;
}

const std::vector<ColumnDescription>& InputColumns() {
  static const std::vector<ColumnDescription> kColumns{
      {"session", ElementType::U32, "", 4},  {"entity", ElementType::U64, "", 8},
      {"throttle", ElementType::F32, "", 4}, {"elevator", ElementType::F32, "", 4},
      {"aileron", ElementType::F32, "", 4},  {"rudder", ElementType::F32, "", 4},
      {"buttons", ElementType::U32, "", 4}};
  return kColumns;
}

std::uint64_t ChunkHash(std::uint32_t tag, std::uint64_t index, std::span<const std::uint8_t> payload) {
  return Hash64(std::as_bytes(payload), (std::uint64_t{tag} << 32U | payload.size()) ^ Mix64(index + 1));
}

void SealChunk(std::span<std::uint8_t> chunk, std::uint32_t tag, std::uint64_t index) {
  const std::span<std::uint8_t> payload = chunk.subspan(kChunkHeadBytes);
  serialization::ByteWriter head{chunk.first(kChunkHeadBytes)};
  head.WriteU32(tag);
  head.WriteU32(static_cast<std::uint32_t>(payload.size()));
  head.WriteU64(index);
  head.WriteU64(ChunkHash(tag, index, payload));
}

std::array<std::uint8_t, kFileHeadBytes> FileHead() {
  std::array<std::uint8_t, kFileHeadBytes> bytes{};
  serialization::ByteWriter out{bytes};
  out.WriteBytes({reinterpret_cast<const std::uint8_t*>(kMagic.data()), kMagic.size()});
  out.WriteU32(kFormatVersion);
  return bytes;
}

std::vector<std::uint8_t> SchemaChunk(const RecordingSchema& schema) {
  constexpr std::size_t columnBytes = 2 + 2 * (1 + kMaxNameBytes);
  std::vector<std::uint8_t> chunk(kChunkHeadBytes + 20 + (schema.columns.size() + InputColumns().size()) * columnBytes);
  serialization::ByteWriter out{std::span{chunk}.subspan(kChunkHeadBytes)};
  out.WriteU64(schema.seed);
  out.WriteU32(schema.slotCapacity);
  out.WriteU32(schema.everyTicks);
  WriteColumns(out, schema.columns);
  WriteColumns(out, InputColumns());
  MUSTER_ASSERT(!out.Overflowed(), "a schema within its limits fits");
  chunk.resize(kChunkHeadBytes + out.Position());
  return chunk;
}

const char* FindProblem(const RecordingSchema& schema) {
  if (schema.slotCapacity == 0 || schema.slotCapacity > kMaxSlots) {
    return "the slot capacity is zero or too large";
  }
  if (schema.everyTicks == 0) {
    return "the world is recorded every zeroth tick";
  }
  if (schema.columns.size() > kMaxColumns) {
    return "there are too many columns";
  }
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    if (const char* const problem = FindProblem(schema.columns[i])) {
      return problem;
    }
    const auto earlier = schema.columns.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(schema.columns.begin(), earlier,
                    [&](const ColumnDescription& other) { return other.name == schema.columns[i].name; })) {
      return "two columns have one name";
    }
  }
  return nullptr;
}

}  // namespace muster::recording
