// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The server's recording: begun by the configuration or by the console, one at a time, fed once a tick.
//
//   Result<void> begun = recorder.Start("flight.rec");
//   recorder.Record(tick);        // RecordStage, last of a tick
//   recorder.Stop();
//
// Opening the file is all that the tick thread ever does with the disk.
//
// Threads: [sim].
#pragma once

#include "Core/Log.h"
#include "Core/Result.h"
#include "Core/Tick.h"
#include "Recording/RecordingWriter.h"
#include "Sessions/SessionDirectory.h"
#include "Simulation/Simulation.h"
#include "Simulation/TickPipeline.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace muster::server {

inline constexpr ErrorCode kRecordingRunning{3201, "RecordingRunning"};

struct RecorderConfig {
  std::uint32_t everyTicks = 6;
  std::vector<std::string> columns;  ///< none: all
  std::uint64_t maxBytes = 1'024'000'000;
  std::uint32_t maxPlayers = 32;
};

class WorldRecorder {
 public:
  /// World and sessions outlive the recorder.
  WorldRecorder(simulation::Simulation& world, const sessions::SessionDirectory& sessions, RecorderConfig config,
                const Logger& log);

  /// Fails with kRecordingRunning, kRecordingColumnUnknown, recording::kRecordingExists or kRecordingNotCreated.
  Result<void> Start(const std::filesystem::path& path);
  /// The same with the first of PATH, PATH.1, PATH.2, ... that is free, so that a restart keeps what was recorded.
  Result<void> StartBeside(const std::filesystem::path& path);
  /// False when nothing runs. What was recorded is still being written then.
  bool Stop();

  void Record(Tick tick);

  /// One line for people.
  [[nodiscard]] std::string Describe() const;

 private:
  void NoteEnd();

  simulation::Simulation& m_world;
  const sessions::SessionDirectory& m_sessions;
  RecorderConfig m_config;
  Logger m_log;
  std::filesystem::path m_path;
  std::unique_ptr<recording::RecordingWriter> m_writer;
  std::vector<recording::InputRow> m_inputs;
  bool m_isEndNoted = true;
};

/// Not paused with the world: players' inputs go on.
class RecordStage final : public simulation::IStage {
 public:
  /// `recorder` outlives the stage.
  explicit RecordStage(WorldRecorder& recorder) : m_recorder{recorder} {}

  /// It hands over, as the packets' stage does.
  telemetry::Phase Phase() const override { return telemetry::Phase::Serialize; }
  void Run(simulation::TickContext& context) override { m_recorder.Record(context.tick); }

 private:
  WorldRecorder& m_recorder;
};

}  // namespace muster::server
