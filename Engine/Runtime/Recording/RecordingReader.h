// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Reads what a RecordingWriter wrote, from a file that nobody vouches for.
//
//   Result<RecordingReader> reader = RecordingReader::Open("flight.rec");
//   std::vector<double> x;
//   for (Result<bool> more = reader->Next(); more && *more; more = reader->Next()) {
//     const RecordedTick& tick = reader->Current();
//     if (tick.hasWorld) { reader->ReadColumn(*reader->FindColumn("position_x"), x); }   // in the order of tick.handles
//   }
//
// Every length is checked against what is there before anything is read or allocated; a chunk counts only when its hash
// is right. A file that ends in the middle of a chunk was cut off: reading ends before that chunk, in order, and
// IsComplete() is false. Anything else that is wrong is an error, after which Next() gives the same error.
//
// Memory: one chunk. Threads: a value, one thread at a time.
#pragma once

#include "Core/Assert.h"
#include "Core/Result.h"
#include "Core/Tick.h"
#include "Recording/RecordingSchema.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muster::recording {

struct RecordedTick {
  Tick tick{};
  std::uint64_t leftOut = 0;                 ///< ticks left out since the recording began
  bool hasWorld = false;                     ///< false: only the inputs of this tick were recorded
  std::vector<world::EntityHandle> handles;  ///< live entities, by ascending slot
  std::vector<InputRow> inputs;
};

class RecordingReader {
 public:
  /// Fails with kRecordingUnreadable, kRecordingMalformed, kRecordingVersion or kRecordingDamaged.
  static Result<RecordingReader> Open(const std::filesystem::path& path);
  /// The same over bytes in memory; `name` stands in errors as the file's.
  static Result<RecordingReader> FromBytes(std::vector<std::uint8_t> bytes, std::string name);

  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) noexcept;
  ~RecordingReader();

  [[nodiscard]] const RecordingSchema& Schema() const { return m_schema; }
  [[nodiscard]] std::optional<std::size_t> FindColumn(std::string_view name) const;

  /// True: Current() is the next tick. False: there is no more. Fails with kRecordingDamaged or kRecordingUnreadable.
  Result<bool> Next();

  /// Valid after Next() gave true, until the next call.
  [[nodiscard]] const RecordedTick& Current() const { return m_current; }

  /// One element after the other, as many as Current().handles; empty when the tick has no world.
  [[nodiscard]] std::span<const std::uint8_t> ColumnBytes(std::size_t column) const;

  /// The same as values. T must have the column's size (asserted).
  template <class T>
  void ReadColumn(std::size_t column, std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    MUSTER_ASSERT(sizeof(T) == m_schema.columns[column].elementBytes, "a column of another type");
    const std::span<const std::uint8_t> bytes = ColumnBytes(column);
    values.resize(bytes.size() / sizeof(T));
    if (!bytes.empty()) {
      std::memcpy(values.data(), bytes.data(), bytes.size());
    }
  }

  /// The recording was ended in order and was read to its end.
  [[nodiscard]] bool IsComplete() const { return m_isComplete; }
  /// Of the file.
  [[nodiscard]] std::uint64_t SizeBytes() const { return m_size; }

 private:
  class Source;
  explicit RecordingReader(std::unique_ptr<Source> source);
  struct Chunk {
    std::uint32_t tag = 0;
    std::span<const std::uint8_t> payload;
  };
  static Result<RecordingReader> Begin(std::unique_ptr<Source> source);
  /// Empty: the file ends here, whole or cut.
  Result<std::optional<Chunk>> ReadChunk();
  Result<void> TakeSchema(std::span<const std::uint8_t> payload);
  Result<void> TakeTick(std::span<const std::uint8_t> payload);
  Result<void> TakeEnd(std::span<const std::uint8_t> payload);
  [[nodiscard]] Error Damaged(const std::string& cause) const;

  std::unique_ptr<Source> m_source;
  std::uint64_t m_size = 0;
  std::uint64_t m_offset = 0;
  std::uint64_t m_chunkIndex = 0;
  std::uint64_t m_ticks = 0;
  RecordingSchema m_schema;
  std::vector<std::size_t> m_columnOffsets;  ///< bytes of an entity before each column
  std::vector<std::uint8_t> m_buffer;
  std::span<const std::uint8_t> m_columns;  ///< of the current tick, in m_buffer
  RecordedTick m_current;
  bool m_isComplete = false;
  bool m_isAtEnd = false;
  std::optional<Error> m_failure;
};

/// What a recording holds, read to its end or as far as it can be.
struct RecordingSummary {
  RecordingSchema schema;
  std::uint64_t ticks = 0;
  std::uint64_t worldTicks = 0;
  Tick firstTick{};
  Tick lastTick{};
  std::uint64_t leftOut = 0;
  std::uint64_t mostEntities = 0;  ///< in one tick
  std::uint64_t entityRows = 0;
  std::uint64_t inputRows = 0;
  std::uint64_t bytes = 0;
  bool isComplete = false;
  std::optional<Error> damage;
};

RecordingSummary Summarise(RecordingReader& reader);
/// For people, with a final newline.
std::string ToText(const RecordingSummary& summary);

}  // namespace muster::recording
