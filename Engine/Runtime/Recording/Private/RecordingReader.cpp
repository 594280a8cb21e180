// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Recording/RecordingReader.h"

#include "Format.h"
#include "Source.h"

#include "Serialization/ByteReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace muster::recording {
namespace {

Error Malformed(const std::string& name, const std::string& cause) {
  return Error{kRecordingMalformed, fmt::format("{} is no recording that can be read.", name), cause,
               "Name a file that `record start` or recording.path wrote."};
}

/// False when it does not read as columns.
bool ReadColumns(serialization::ByteReader& in, std::vector<ColumnDescription>& columns) {
  const std::uint16_t count = in.ReadU16();
  for (std::uint16_t i = 0; i < count && !in.Failed() && i <= kMaxColumns; ++i) {
    ColumnDescription column;
    column.type = static_cast<ElementType>(in.ReadU8());
    column.elementBytes = in.ReadU8();
    column.name = in.ReadText8(kMaxNameBytes);
    column.unit = in.ReadText8(kMaxNameBytes);
    columns.push_back(std::move(column));
  }
  return !in.Failed();
}

}  // namespace

RecordingReader::RecordingReader(std::unique_ptr<Source> source) : m_source{std::move(source)} {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

Result<RecordingReader> RecordingReader::Open(const std::filesystem::path& path) {
  auto source = Source::OfFile(path);
  if (!source) {
    return std::move(source).Failure();
  }
  return Begin(std::move(*source));
}

Result<RecordingReader> RecordingReader::FromBytes(std::vector<std::uint8_t> bytes, std::string name) {
  return Begin(Source::OfBytes(std::move(bytes), std::move(name)));
}

Result<RecordingReader> RecordingReader::Begin(std::unique_ptr<Source> source) {
  RecordingReader reader{std::move(source)};
  const std::string& name = reader.m_source->Name();
  reader.m_size = reader.m_source->SizeBytes();
  std::array<std::uint8_t, kFileHeadBytes> head{};
  if (reader.m_size < head.size()) {
    return Malformed(name, "It is shorter than the head of a recording.");
  }
  if (Result<void> read = reader.m_source->Read(0, head); !read) {
    return std::move(read).Failure();
  }
  if (!std::equal(kMagic.begin(), kMagic.end(), head.begin(),
                  [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; })) {
    return Malformed(name, "It does not begin as recordings do.");
  }
  serialization::ByteReader rest{std::span{head}.subspan(kMagic.size())};
  if (const std::uint32_t version = rest.ReadU32(); version != kFormatVersion) {
    return Error{kRecordingVersion, fmt::format("{} was not read.", name),
                 fmt::format("It has version {} of the format, and this program reads {}.", version, kFormatVersion),
                 "Use the program that wrote it."};
  }
  reader.m_offset = kFileHeadBytes;
  Result<std::optional<Chunk>> first = reader.ReadChunk();
  if (!first) {
    return std::move(first).Failure();
  }
  if (!first->has_value() || (*first)->tag != kSchemaTag) {
    return Malformed(name, "It ends before it says what it holds.");
  }
  if (Result<void> taken = reader.TakeSchema((*first)->payload); !taken) {
    return std::move(taken).Failure();
  }
  return reader;
}

Error RecordingReader::Damaged(const std::string& cause) const {
  return Error{kRecordingDamaged,
               fmt::format("{} cannot be read beyond byte {}, after {} ticks.", m_source->Name(), m_offset, m_ticks),
               cause, "Use what stands before that place; the file was changed after it was written."};
}

Result<std::optional<RecordingReader::Chunk>> RecordingReader::ReadChunk() {
  const std::uint64_t left = m_size - m_offset;
  if (left < kChunkHeadBytes) {
    return std::optional<Chunk>{};
  }
  std::array<std::uint8_t, kChunkHeadBytes> headBytes{};
  if (Result<void> read = m_source->Read(m_offset, headBytes); !read) {
    return std::move(read).Failure();
  }
  serialization::ByteReader head{headBytes};
  const std::uint32_t tag = head.ReadU32();
  const std::uint32_t bytes = head.ReadU32();
  const std::uint64_t index = head.ReadU64();
  const std::uint64_t hash = head.ReadU64();
  if ((tag != kSchemaTag && tag != kTickTag && tag != kEndTag) || bytes > kMaxChunkBytes || index != m_chunkIndex) {
    return Damaged("There is no chunk where the next one should begin.");
  }
  if (bytes > left - kChunkHeadBytes) {
    return std::optional<Chunk>{};
  }
  if (m_buffer.size() < bytes) {
    m_buffer.resize(bytes);
  }
  const std::span<std::uint8_t> payload = std::span{m_buffer}.first(bytes);
  if (Result<void> read = m_source->Read(m_offset + kChunkHeadBytes, payload); !read) {
    return std::move(read).Failure();
  }
  if (ChunkHash(tag, index, payload) != hash) {
    return Damaged("A chunk does not have the hash that stands before it.");
  }
  ++m_chunkIndex;
  return std::optional<Chunk>{Chunk{tag, payload}};
}

Result<void> RecordingReader::TakeSchema(std::span<const std::uint8_t> payload) {
  serialization::ByteReader in{payload};
  m_schema.seed = in.ReadU64();
  m_schema.slotCapacity = in.ReadU32();
  m_schema.everyTicks = in.ReadU32();
  std::vector<ColumnDescription> inputs;
  if (!ReadColumns(in, m_schema.columns) || !ReadColumns(in, inputs) || !in.IsComplete()) {
    return Malformed(m_source->Name(), "What it says of its columns does not decode.");
  }
  if (const char* const problem = FindProblem(m_schema)) {
    return Malformed(m_source->Name(), fmt::format("In what it says of itself {}.", problem));
  }
  if (inputs != InputColumns()) {
    return Malformed(m_source->Name(), "Its inputs have other columns than this program knows.");
  }
  m_columnOffsets.assign(1, 0);
  for (const ColumnDescription& column : m_schema.columns) {
    m_columnOffsets.push_back(m_columnOffsets.back() + column.elementBytes);
  }
  m_offset += kChunkHeadBytes + payload.size();
  return {};
}

Result<void> RecordingReader::TakeTick(std::span<const std::uint8_t> payload) {
  serialization::ByteReader in{payload};
  const Tick tick{in.ReadU64()};
  const std::uint64_t leftOut = in.ReadU64();
  const std::uint32_t entities = in.ReadU32();
  const std::uint32_t inputs = in.ReadU32();
  const bool hasWorld = entities != kNoWorld;
  const std::uint64_t count = hasWorld ? entities : 0;
  if (in.Failed() || count > m_schema.slotCapacity || inputs > kMaxInputs ||
      in.BytesLeft() != count * (kHandleBytes + m_columnOffsets.back()) + inputs * kInputRowBytes) {
    return Damaged("A tick has another length than its counts say.");
  }
  if ((m_ticks > 0 && tick <= m_current.tick) || leftOut < m_current.leftOut) {
    return Damaged("Ticks or their counts go backward.");
  }
  m_current.handles.clear();
  std::uint64_t leastSlot = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto handle = world::EntityHandle::FromValue(in.ReadU64());
    if (handle.Slot() < leastSlot || handle.Slot() >= m_schema.slotCapacity || handle.Generation() % 2 == 0) {
      return Damaged("An entity has a handle that no entity can have there.");
    }
    leastSlot = std::uint64_t{handle.Slot()} + 1;
    m_current.handles.push_back(handle);
  }
  m_columns = in.ReadBytes(count * m_columnOffsets.back());
  m_current.inputs.assign(inputs, InputRow{});
  for (InputRow& row : m_current.inputs) {
    row.session = SessionId{in.ReadU32()};
  }
  for (InputRow& row : m_current.inputs) {
    row.entity = world::EntityHandle::FromValue(in.ReadU64());
  }
  for (float InputRow::*field : {&InputRow::throttle, &InputRow::elevator, &InputRow::aileron, &InputRow::rudder}) {
    for (InputRow& row : m_current.inputs) {
      row.*field = in.ReadF32();
    }
  }
  for (InputRow& row : m_current.inputs) {
    row.buttons = in.ReadU32();
  }
  MUSTER_ASSERT(in.IsComplete(), "the length was checked");
  m_current.tick = tick;
  m_current.leftOut = leftOut;
  m_current.hasWorld = hasWorld;
  ++m_ticks;
  return {};
}

Result<void> RecordingReader::TakeEnd(std::span<const std::uint8_t> payload) {
  serialization::ByteReader in{payload};
  const std::uint64_t ticks = in.ReadU64();
  const std::uint64_t leftOut = in.ReadU64();
  if (!in.IsComplete() || ticks != m_ticks || leftOut < m_current.leftOut) {
    return Damaged("The last chunk counts other ticks than there are.");
  }
  if (m_offset + kChunkHeadBytes + payload.size() != m_size) {
    return Damaged("Something stands behind the last chunk.");
  }
  m_current.leftOut = leftOut;
  m_isComplete = true;
  return {};
}

Result<bool> RecordingReader::Next() {
  if (m_failure) {
    return *m_failure;
  }
  if (m_isAtEnd) {
    return false;
  }
  m_columns = {};
  const auto fail = [this](Error error) -> Result<bool> {
    m_failure = error;
    return error;
  };
  Result<std::optional<Chunk>> chunk = ReadChunk();
  if (!chunk) {
    return fail(std::move(chunk).Failure());
  }
  if (!chunk->has_value()) {
    m_isAtEnd = true;
    return false;
  }
  const Chunk& next = **chunk;
  if (next.tag == kSchemaTag) {
    return fail(Damaged("It says twice what it holds."));
  }
  const Result<void> taken = next.tag == kTickTag ? TakeTick(next.payload) : TakeEnd(next.payload);
  if (!taken) {
    return fail(taken.Failure());
  }
  m_offset += kChunkHeadBytes + next.payload.size();
  m_isAtEnd = next.tag == kEndTag;
  return !m_isAtEnd;
}

std::optional<std::size_t> RecordingReader::FindColumn(std::string_view name) const {
  const auto found = std::find_if(m_schema.columns.begin(), m_schema.columns.end(),
                                  [name](const ColumnDescription& column) { return column.name == name; });
  if (found == m_schema.columns.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - m_schema.columns.begin());
}

std::span<const std::uint8_t> RecordingReader::ColumnBytes(std::size_t column) const {
  MUSTER_ASSERT(column < m_schema.columns.size(), "a column that the recording does not have");
  if (m_columns.empty()) {
    return {};
  }
  const std::size_t rows = m_current.handles.size();
  return m_columns.subspan(rows * m_columnOffsets[column], rows * m_schema.columns[column].elementBytes);
}

}  // namespace muster::recording
