// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A recording's reader over a file of any bytes, or of chunks that the target seals, so that what stands behind the hashes
// is reached. It ends, allocates by what is there, gives ticks and handles in order, and says what is wrong in plain text.
#include "FuzzInput.h"
#include "FuzzSeeds.h"

#include "Format.h"

#include "Core/Utf8.h"
#include "Recording/RecordingReader.h"
#include "Serialization/ByteWriter.h"

#include <string>
#include <vector>

namespace muster::fuzz {
namespace {

using recording::RecordingReader;
using Bytes = std::vector<std::uint8_t>;

void Append(Bytes& file, std::span<const std::uint8_t> bytes) {
  file.insert(file.end(), bytes.begin(), bytes.end());
}

recording::RecordingSchema SomeSchema(std::uint8_t shape) {
  recording::RecordingSchema schema;
  schema.seed = 7;
  schema.slotCapacity = 1U + shape % 64U;
  schema.everyTicks = 1U + shape / 64U;
  schema.columns = {{"position_x", recording::ElementType::F64, "m", 8},
                    {"health", recording::ElementType::F32, "", 4}};
  return schema;
}

/// A chunk's tag, index and hash are right unless `lie` says which of them is not.
void AppendChunk(Bytes& file, std::uint32_t tag, std::uint64_t index, std::uint8_t lie,
                 std::span<const std::uint8_t> payload) {
  Bytes chunk(recording::kChunkHeadBytes);
  Append(chunk, payload);
  recording::SealChunk(chunk, tag, index + (lie % 16 == 15 ? 1U : 0U));
  if (lie % 16 == 14) {
    chunk[recording::kChunkHeadBytes - 1] ^= 1U;
  }
  Append(file, chunk);
}

Bytes TickPayload(FuzzInput& input, std::uint64_t tick, std::size_t rowBytes) {
  const std::uint8_t shape = input.U8();
  const std::uint32_t entities = (shape & 1U) != 0 ? recording::kNoWorld : shape >> 4U;
  const std::uint32_t inputs = (shape >> 1U) % 4U;
  const std::size_t rows = entities == recording::kNoWorld ? 0 : entities;
  Bytes payload(recording::kTickHeadBytes + rows * (recording::kHandleBytes + rowBytes) +
                inputs * recording::kInputRowBytes);
  serialization::ByteWriter out{payload};
  out.WriteU64(tick);
  out.WriteU64(input.U8());
  out.WriteU32(entities);
  out.WriteU32(inputs);
  std::uint32_t slot = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint8_t step = input.U8();
    slot += step % 8U;
    out.WriteU64(world::EntityHandle::FromValue(std::uint64_t{step < 240 ? 1U : 2U} << 32U | slot++).Value());
  }
  const auto rest = input.Take(payload.size() - out.Position());
  out.WriteBytes(rest);
  return payload;
}

Bytes MakeFile(FuzzInput& input) {
  Bytes file;
  const std::uint8_t kind = input.U8();
  if (kind == 0) {
    Append(file, input.Rest());
    return file;
  }
  Append(file, recording::FileHead());
  std::uint64_t index = 0;
  std::size_t rowBytes = 12;
  if (kind % 4 == 1) {  // any schema
    AppendChunk(file, recording::kSchemaTag, index++, 0, input.Sized8());
    rowBytes = input.U8();
  } else {
    Bytes chunk = recording::SchemaChunk(SomeSchema(input.U8()));
    recording::SealChunk(chunk, recording::kSchemaTag, index++);
    Append(file, chunk);
  }
  std::uint64_t tick = 0;
  std::uint64_t ticks = 0;
  while (!input.IsEmpty()) {
    const std::uint8_t operation = input.U8();
    if (operation % 4 == 0) {  // any payload
      AppendChunk(file, operation >= 128 ? recording::kEndTag : recording::kTickTag, index++, operation,
                  input.Sized8());
    } else if (operation % 4 == 3 && operation >= 0xC0) {
      Bytes end(16);
      serialization::ByteWriter out{end};
      out.WriteU64(ticks);
      out.WriteU64(255);
      AppendChunk(file, recording::kEndTag, index++, 0, end);
    } else {
      tick += operation % 4;
      ++ticks;
      AppendChunk(file, recording::kTickTag, index++, operation >> 4U, TickPayload(input, tick, rowBytes));
    }
  }
  return file;
}

void CheckError(const Error& error) {
  Require(error.code.number != 0 && !error.sentence.empty(), "what is wrong is named");
  const std::string line = error.ToString();
  Require(EscapeControl(line) == line && IsValidUtf8(line), "an error is one line of text");
}

void CheckTick(const RecordingReader& reader) {
  const recording::RecordedTick& tick = reader.Current();
  Require(tick.hasWorld || tick.handles.empty(), "a tick without its world has no entities");
  Require(tick.handles.size() <= reader.Schema().slotCapacity, "no more entities than slots");
  for (std::size_t i = 1; i < tick.handles.size(); ++i) {
    Require(tick.handles[i - 1].Slot() < tick.handles[i].Slot(), "entities stand by their slots");
  }
  for (std::size_t column = 0; column < reader.Schema().columns.size(); ++column) {
    const std::size_t bytes = reader.ColumnBytes(column).size();
    Require(bytes == tick.handles.size() * reader.Schema().columns[column].elementBytes,
            "a column has a value for each entity");
  }
}

void Read(const Bytes& file) {
  auto reader = RecordingReader::FromBytes(file, "fuzz.rec");
  if (!reader) {
    CheckError(reader.Failure());
    return;
  }
  std::uint64_t ticks = 0;
  Tick last{};
  Result<bool> more = reader->Next();
  for (; more && *more; more = reader->Next()) {
    Require(ticks == 0 || reader->Current().tick > last, "ticks ascend");
    last = reader->Current().tick;
    ++ticks;
    CheckTick(*reader);
  }
  const Result<bool> after = reader->Next();
  Require(after.HasValue() == more.HasValue() && (!after || !*after), "what is at its end stays there");
  if (!more) {
    CheckError(more.Failure());
    Require(!reader->IsComplete(), "what is damaged is not complete");
  }
  auto again = RecordingReader::FromBytes(file, "fuzz.rec");
  const recording::RecordingSummary summary = recording::Summarise(*again);
  Require(summary.ticks == ticks && summary.isComplete == reader->IsComplete(), "a summary counts what can be read");
  const std::string text = recording::ToText(summary);
  Require(!text.empty() && text.back() == '\n' && IsValidUtf8(text), "a summary is text");
  std::string oneLine = text;
  std::replace(oneLine.begin(), oneLine.end(), '\n', ' ');
  Require(EscapeControl(oneLine) == oneLine, "a summary is text without tricks");
}

}  // namespace

Seeds MakeSeeds() {
  Seeds seeds;
  const Script world = Script{}.U8(1).U8(0x20).U8(0).U8(0).U8(1).Bytes(std::span<const std::uint8_t>(Bytes(24, 1)));
  const Script inputs = Script{}.U8(1).U8(0x03).U8(0).Bytes(std::span<const std::uint8_t>(Bytes(32, 2)));
  const Script end = Script{}.U8(0xC3);
  seeds["world_and_inputs"] = Script{}.U8(2).U8(40).Append(world).Append(inputs).Append(world).Append(end).Result();
  seeds["cut_off"] = Script{}.U8(2).U8(40).Append(world).Append(inputs).Result();
  seeds["behind_the_end"] = Script{}.U8(2).U8(40).Append(world).Append(end).Append(world).Result();
  seeds["wrong_hash"] = Script{}.U8(2).U8(40).Append(world).U8(0xE1).U8(1).U8(0).Append(end).Result();
  seeds["wrong_index"] = Script{}.U8(2).U8(40).Append(world).U8(0xF1).U8(1).U8(0).Append(end).Result();
  seeds["counts_that_lie"] =
      Script{}.U8(2).U8(40).U8(0).U8(24).U64(1).U64(0).U32(0xFFFF'FFFE).U32(0xFFFF'FFFF).Append(end).Result();
  seeds["tick_goes_back"] =
      Script{}.U8(2).U8(40).Append(world).U8(0).U8(24).U64(0).U64(0).U32(0xFFFF'FFFF).U32(0).Result();
  Bytes schema = recording::SchemaChunk(SomeSchema(0));
  seeds["own_schema"] = Script{}
                            .U8(1)
                            .U8(schema.size() - recording::kChunkHeadBytes)
                            .Bytes(std::span<const std::uint8_t>(schema).subspan(recording::kChunkHeadBytes))
                            .U8(12)
                            .Append(world)
                            .Append(end)
                            .Result();
  Bytes file;
  Append(file, recording::FileHead());
  recording::SealChunk(schema, recording::kSchemaTag, 0);
  Append(file, schema);
  seeds["whole_file"] = Script{}.U8(0).Bytes(std::span<const std::uint8_t>(file)).Result();
  return seeds;
}

}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::fuzz::FuzzInput input(data, size);
  muster::fuzz::Read(muster::fuzz::MakeFile(input));
  return 0;
}
