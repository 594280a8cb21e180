// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Writes a world into a file while it runs: chosen columns of the live entities each n-th tick, and the players' inputs
// of every tick.
//
//   auto sink = CreateRecordingFile("flight.rec");                    // fails where there is a file already
//   RecordingWriter writer{std::move(*sink), store, columns, {.everyTicks = 3}};
//   writer.Record(tick, inputs);                                      // [sim] after each tick
//   writer.Finish();                                                  // [sim] the rest is written behind
//   if (writer.IsFinished()) { ... }                                  // then it can go without a wait
//
// Record copies into a ring of preallocated frames and never waits, locks or allocates; a thread of the writer's own adds
// hashes and writes. When the disk is slow and the ring full, whole ticks are left out and counted, never parts of one.
// Memory is bounded by the world's capacity: at most kMaxRingBytes, or three frames where even those are more.
// A file is readable up to its last whole chunk whenever and however the process ends.
//
// Another destination: derive from IRecordingSink.
#pragma once

#include "Core/Result.h"
#include "Core/Tick.h"
#include "Recording/RecordingSchema.h"
#include "World/EntityStore.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace muster::recording {

inline constexpr std::size_t kMaxRingBytes = std::size_t{256} << 20U;

/// Where a recording's bytes go. Called by the writer's thread alone.
class IRecordingSink {
 public:
  virtual ~IRecordingSink() = default;
  /// All of it or an error, after which nothing more comes.
  virtual Result<void> Write(std::span<const std::uint8_t> bytes) = 0;
};

/// A new file, mode 0644. Fails with kRecordingExists or kRecordingNotCreated. [any]
Result<std::unique_ptr<IRecordingSink>> CreateRecordingFile(const std::filesystem::path& path);

struct RecordingConfig {
  std::uint32_t everyTicks = 1;            ///< at least 1
  std::uint64_t maxBytes = 1'000'000'000;  ///< the recording ends, in order, before it is larger
  std::uint32_t maxInputs = 1'024;         ///< rows of a tick, at most kMaxInputs
  std::uint64_t seed = 0;                  ///< of the world; only written down
};

enum class RecordingState : std::uint8_t {
  Running,
  Finishing,  ///< no more ticks are taken; what was taken is being written
  Stopped,    ///< ended in order
  Full,       ///< reached maxBytes and ended in order
  Failed      ///< the sink failed; see Failure()
};

struct RecordingStatus {
  RecordingState state = RecordingState::Running;
  std::uint64_t ticks = 0;    ///< written
  std::uint64_t leftOut = 0;  ///< ticks for which there was no frame
  std::uint64_t bytes = 0;    ///< written
};

class RecordingWriter {
 public:
  /// `store` outlives the writer. Columns are those of the store (asserted), at most kMaxColumns.
  RecordingWriter(std::unique_ptr<IRecordingSink> sink, const world::EntityStore& store,
                  std::vector<RecordedColumn> columns, const RecordingConfig& config);
  /// Finishes, and waits for the sink.
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  /// [sim] Ticks ascend. Does nothing once the recording has ended, for whatever reason.
  void Record(Tick tick, std::span<const InputRow> inputs);

  /// [sim] Never waits.
  void Finish();

  /// Everything that will be written is written. [any]
  [[nodiscard]] bool IsFinished() const;

  [[nodiscard]] RecordingStatus Status() const;
  /// Why the sink failed; only once IsFinished with RecordingState::Failed. [any]
  [[nodiscard]] const Error& Failure() const;

 private:
  class FrameRing;
  void Fill(std::span<std::uint8_t> frame, std::size_t bytes, Tick tick, bool hasWorld,
            std::span<const InputRow> inputs);
  void Write();
  RecordingState WriteAll();
  bool Put(std::span<const std::uint8_t> bytes);

  std::unique_ptr<IRecordingSink> m_sink;
  const world::EntityStore& m_store;
  std::vector<RecordedColumn> m_columns;
  RecordingConfig m_config;
  std::size_t m_rowBytes;  ///< of an entity: its handle and its columns
  std::unique_ptr<FrameRing> m_ring;

  std::atomic<RecordingState> m_state{RecordingState::Running};
  std::atomic<bool> m_isAsked{false};  ///< to finish
  std::atomic<std::uint64_t> m_ticks{0};
  std::atomic<std::uint64_t> m_leftOut{0};
  std::atomic<std::uint64_t> m_bytes{0};
  std::optional<Error> m_failure;  ///< the thread's until m_state says Failed

  std::thread m_thread;
};

}  // namespace muster::recording
