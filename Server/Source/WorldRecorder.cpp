// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "WorldRecorder.h"

#include "RecordedColumns.h"

#include <fmt/format.h>

#include <utility>

namespace muster::server {

namespace {

constexpr int kMaxSuffix = 999;

std::string_view Word(recording::RecordingState state) {
  switch (state) {
    case recording::RecordingState::Running:
      return "running";
    case recording::RecordingState::Finishing:
      return "finishing";
    case recording::RecordingState::Stopped:
      return "ended";
    case recording::RecordingState::Full:
      return "ended: recording.max_mb is reached";
    case recording::RecordingState::Failed:
      break;
  }
  return "failed";
}

}  // namespace

WorldRecorder::WorldRecorder(simulation::Simulation& world, const sessions::SessionDirectory& sessions,
                             RecorderConfig config, const Logger& log)
    : m_world(world), m_sessions(sessions), m_config(std::move(config)), m_log(log) {
  m_inputs.reserve(m_config.maxPlayers);
}

Result<void> WorldRecorder::Start(const std::filesystem::path& path) {
  if (m_writer && !m_writer->IsFinished()) {
    return Error{kRecordingRunning, "Nothing new is recorded.", fmt::format("{} is not finished.", m_path.string()),
                 "Stop it first with `record stop`; `record status` says when it is written."};
  }
  auto columns = ChooseRecordedColumns(m_world.Columns(), m_config.columns);
  if (!columns) {
    return std::move(columns).Failure();
  }
  auto sink = recording::CreateRecordingFile(path);
  if (!sink) {
    return std::move(sink).Failure();
  }
  m_writer = std::make_unique<recording::RecordingWriter>(std::move(*sink), m_world.Store(), std::move(*columns),
                                                          recording::RecordingConfig{.everyTicks = m_config.everyTicks,
                                                                                     .maxBytes = m_config.maxBytes,
                                                                                     .maxInputs = m_config.maxPlayers,
                                                                                     .seed = m_world.Seed()});
  m_path = path;
  m_isEndNoted = false;
  m_log.Info("Recording to {}", path.string());
  return {};
}

Result<void> WorldRecorder::StartBeside(const std::filesystem::path& path) {
  Result<void> begun = Start(path);
  for (int suffix = 1; !begun && begun.Failure().code == recording::kRecordingExists && suffix <= kMaxSuffix;
       ++suffix) {
    std::filesystem::path next = path;
    next += fmt::format(".{}", suffix);
    begun = Start(next);
  }
  return begun;
}

bool WorldRecorder::Stop() {
  if (!m_writer || m_writer->Status().state != recording::RecordingState::Running) {
    return false;
  }
  m_writer->Finish();
  return true;
}

void WorldRecorder::Record(Tick tick) {
  if (!m_writer || m_isEndNoted) {
    return;
  }
  if (m_writer->IsFinished()) {
    NoteEnd();
    return;
  }
  m_inputs.clear();
  const auto controls = m_world.Store().Column(m_world.Columns().control);
  for (const auto& session : m_sessions.Sessions()) {
    if (session->state != sessions::SessionState::Active || m_inputs.size() == m_config.maxPlayers) {
      continue;
    }
    recording::InputRow row;
    row.session = session->id;
    if (m_world.Store().IsAlive(session->entity)) {
      const mu_control& control = controls[session->entity.Slot()];
      row.entity = session->entity;
      row.throttle = control.throttle;
      row.elevator = control.elevator;
      row.aileron = control.aileron;
      row.rudder = control.rudder;
      row.buttons = control.buttons;
    }
    m_inputs.push_back(row);
  }
  m_writer->Record(tick, m_inputs);
}

void WorldRecorder::NoteEnd() {
  m_isEndNoted = true;
  const recording::RecordingStatus status = m_writer->Status();
  if (status.state == recording::RecordingState::Failed) {
    m_log.Error("{}", m_writer->Failure().ToString());
  } else {
    m_log.Info("{}", Describe());
  }
}

std::string WorldRecorder::Describe() const {
  if (!m_writer) {
    return "nothing was recorded";
  }
  const recording::RecordingStatus status = m_writer->Status();
  std::string text = fmt::format("{}: {}, {} ticks, {} left out, {} bytes", m_path.string(), Word(status.state),
                                 status.ticks, status.leftOut, status.bytes);
  if (status.state == recording::RecordingState::Failed) {
    text += "; " + m_writer->Failure().ToString();
  }
  return text;
}

}  // namespace muster::server
