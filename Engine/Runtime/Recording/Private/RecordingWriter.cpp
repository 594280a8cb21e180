// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Recording/RecordingWriter.h"

#include "Format.h"
#include "FrameRing.h"

#include "Core/Assert.h"
#include "Core/ThreadName.h"
#include "Serialization/ByteWriter.h"
#include "World/LiveRuns.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

namespace muster::recording {
namespace {

constexpr std::size_t kMostFrames = 16;
constexpr std::size_t kLeastFrames = 3;
/// Looked for work so often instead of being woken, because waking costs the tick a lock or a system call. A third of
/// a tick.
constexpr std::chrono::milliseconds kPollTime{5};

std::size_t RowBytes(const std::vector<RecordedColumn>& columns) {
  std::size_t bytes = kHandleBytes;
  for (const RecordedColumn& column : columns) {
    bytes += column.description.elementBytes;
  }
  return bytes;
}

RecordingSchema SchemaOf(const std::vector<RecordedColumn>& columns, const world::EntityStore& store,
                         const RecordingConfig& config) {
  RecordingSchema schema;
  schema.seed = config.seed;
  schema.slotCapacity = store.Capacity();
  schema.everyTicks = config.everyTicks;
  for (const RecordedColumn& column : columns) {
    schema.columns.push_back(column.description);
  }
  return schema;
}

std::size_t FrameCount(std::size_t frameBytes) {
  return std::clamp(kMaxRingBytes / frameBytes, kLeastFrames, kMostFrames);
}

/// One column of the inputs, from a member of each row.
template <class Get>
void WriteInputs(serialization::ByteWriter& out, std::span<const InputRow> inputs, Get get) {
  for (const InputRow& row : inputs) {
    const auto value = get(row);
    if constexpr (sizeof(value) == 8) {
      out.WriteU64(value);
    } else if constexpr (std::is_same_v<decltype(value), const float>) {
      out.WriteF32(value);
    } else {
      out.WriteU32(value);
    }
  }
}

}  // namespace

RecordingWriter::RecordingWriter(std::unique_ptr<IRecordingSink> sink, const world::EntityStore& store,
                                 std::vector<RecordedColumn> columns, const RecordingConfig& config)
    : m_sink{std::move(sink)},
      m_store{store},
      m_columns{std::move(columns)},
      m_config{config},
      m_rowBytes{RowBytes(m_columns)} {
  MUSTER_ASSERT(FindProblem(SchemaOf(m_columns, store, config)) == nullptr, "columns that cannot be recorded");
  MUSTER_ASSERT(config.maxInputs <= kMaxInputs, "more inputs than a tick may have");
  for (const RecordedColumn& column : m_columns) {
    MUSTER_ASSERT(store.ColumnStride(column.index) == column.description.elementBytes, "a column of another store");
  }
  const std::size_t frameBytes = kChunkHeadBytes + kTickHeadBytes + std::size_t{store.Capacity()} * m_rowBytes +
                                 std::size_t{config.maxInputs} * kInputRowBytes;
  MUSTER_ASSERT(frameBytes <= kMaxChunkBytes, "a world too large for one chunk");
  m_ring = std::make_unique<FrameRing>(FrameCount(frameBytes), frameBytes);
  m_thread = std::thread{[this] { Write(); }};
}

RecordingWriter::~RecordingWriter() {
  Finish();
  m_thread.join();
}

void RecordingWriter::Record(Tick tick, std::span<const InputRow> inputs) {
  if (m_state.load(std::memory_order_acquire) != RecordingState::Running) {
    return;
  }
  MUSTER_ASSERT(inputs.size() <= m_config.maxInputs, "more inputs than the recording was made for");
  const std::span<std::uint8_t> frame = m_ring->Free();
  if (frame.empty()) {
    m_leftOut.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const bool hasWorld = tick.Value() % m_config.everyTicks == 0;
  const std::size_t bytes = kChunkHeadBytes + kTickHeadBytes + (hasWorld ? m_store.LiveCount() * m_rowBytes : 0) +
                            inputs.size() * kInputRowBytes;
  Fill(frame, bytes, tick, hasWorld, inputs);
  m_ring->Publish(bytes);
}

void RecordingWriter::Fill(std::span<std::uint8_t> frame, std::size_t bytes, Tick tick, bool hasWorld,
                           std::span<const InputRow> inputs) {
  serialization::ByteWriter out{frame.first(bytes).subspan(kChunkHeadBytes)};
  out.WriteU64(tick.Value());
  out.WriteU64(m_leftOut.load(std::memory_order_relaxed));
  out.WriteU32(hasWorld ? m_store.LiveCount() : kNoWorld);
  out.WriteU32(static_cast<std::uint32_t>(inputs.size()));
  if (hasWorld) {
    const std::span<const std::uint64_t> live = m_store.LiveBits();
    world::ForEachLive(live, [&](std::uint32_t slot) { out.WriteU64(m_store.HandleAt(slot).Value()); });
    for (const RecordedColumn& column : m_columns) {
      const auto* const data = static_cast<const std::uint8_t*>(m_store.ColumnData(column.index));
      const std::size_t width = column.description.elementBytes;
      world::ForEachRun(live, [&](std::uint32_t first, std::uint32_t count) {
        out.WriteBytes({data + first * width, count * width});
      });
    }
  }
  WriteInputs(out, inputs, [](const InputRow& row) { return row.session.Value(); });
  WriteInputs(out, inputs, [](const InputRow& row) { return row.entity.Value(); });
  WriteInputs(out, inputs, [](const InputRow& row) { return row.throttle; });
  WriteInputs(out, inputs, [](const InputRow& row) { return row.elevator; });
  WriteInputs(out, inputs, [](const InputRow& row) { return row.aileron; });
  WriteInputs(out, inputs, [](const InputRow& row) { return row.rudder; });
  WriteInputs(out, inputs, [](const InputRow& row) { return row.buttons; });
  MUSTER_ASSERT(!out.Overflowed() && out.BytesLeft() == 0, "the frame is as long as what stands in it");
}

void RecordingWriter::Finish() {
  m_isAsked.store(true, std::memory_order_release);
  RecordingState running = RecordingState::Running;
  m_state.compare_exchange_strong(running, RecordingState::Finishing, std::memory_order_acq_rel);
}

bool RecordingWriter::IsFinished() const {
  const RecordingState state = m_state.load(std::memory_order_acquire);
  return state != RecordingState::Running && state != RecordingState::Finishing;
}

RecordingStatus RecordingWriter::Status() const {
  return {m_state.load(std::memory_order_acquire), m_ticks.load(std::memory_order_relaxed),
          m_leftOut.load(std::memory_order_relaxed), m_bytes.load(std::memory_order_relaxed)};
}

const Error& RecordingWriter::Failure() const {
  MUSTER_ASSERT(m_state.load(std::memory_order_acquire) == RecordingState::Failed, "nothing failed");
  return *m_failure;
}

void RecordingWriter::Write() {
  NameThisThread("muster-record");
  RecordingState end = RecordingState::Failed;
  try {
    end = WriteAll();
  } catch (const std::exception& exception) {
    m_failure = Error{kRecordingWriteFailed, "The recording ended early.", exception.what(),
                      "What was written so far can be read."};
  }
  m_sink.reset();
  m_state.store(end, std::memory_order_release);
}

RecordingState RecordingWriter::WriteAll() {
  std::vector<std::uint8_t> schema = SchemaChunk(SchemaOf(m_columns, m_store, m_config));
  std::uint64_t index = 0;
  SealChunk(schema, kSchemaTag, index++);
  if (!Put(FileHead()) || !Put(schema)) {
    return RecordingState::Failed;
  }
  constexpr std::size_t endBytes = kChunkHeadBytes + 16;
  RecordingState end = RecordingState::Stopped;
  for (;;) {
    // Asked first: what was published before the question is seen by the look that follows.
    const bool isAsked = m_isAsked.load(std::memory_order_acquire);
    const std::span<std::uint8_t> frame = m_ring->Oldest();
    if (frame.empty()) {
      if (isAsked) {
        break;
      }
      std::this_thread::sleep_for(kPollTime);
      continue;
    }
    if (m_bytes.load(std::memory_order_relaxed) + frame.size() + endBytes > m_config.maxBytes) {
      end = RecordingState::Full;
      break;
    }
    SealChunk(frame, kTickTag, index++);
    if (!Put(frame)) {
      return RecordingState::Failed;
    }
    m_ticks.fetch_add(1, std::memory_order_relaxed);
    m_ring->Pop();
  }
  std::array<std::uint8_t, endBytes> last{};
  serialization::ByteWriter out{std::span{last}.subspan(kChunkHeadBytes)};
  out.WriteU64(m_ticks.load(std::memory_order_relaxed));
  out.WriteU64(m_leftOut.load(std::memory_order_relaxed));
  SealChunk(last, kEndTag, index);
  return Put(last) ? end : RecordingState::Failed;
}

bool RecordingWriter::Put(std::span<const std::uint8_t> bytes) {
  if (Result<void> written = m_sink->Write(bytes); !written) {
    m_failure = std::move(written).Failure();
    return false;
  }
  m_bytes.fetch_add(bytes.size(), std::memory_order_relaxed);
  return true;
}

}  // namespace muster::recording
