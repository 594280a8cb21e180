// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "TickThread.h"

#include "Core/ThreadName.h"
#include "Telemetry/ProcessStats.h"

#include <exception>
#include <memory>
#include <utility>

namespace muster::server {

namespace {

/// A tick that began late is the machine's doing when its thread stood in the run queue for so much of a step.
constexpr std::chrono::nanoseconds kWaitThatExplains = kTickDuration / 8;

}  // namespace

struct TickThread::Question {
  Job job;
  Mutex mutex;
  CondVar answered;
  bool isAnswered MUSTER_GUARDED_BY(mutex) = false;
  std::string answer MUSTER_GUARDED_BY(mutex);
};

TickThread::TickThread(GameServer& server, IClock& clock, const simulation::FixedStepConfig& loop, const Logger& log)
    : m_server(server), m_log(log), m_loop(clock, loop), m_thread([this] { Run(); }) {}

TickThread::~TickThread() {
  Stop();
}

void TickThread::Stop() {
  m_stop.store(true, std::memory_order_release);
  if (m_thread.joinable()) {
    m_thread.join();
  }
}

std::optional<std::string> TickThread::Ask(Job job, std::chrono::milliseconds patience) {
  const auto question = std::make_shared<Question>();
  question->job = std::move(job);
  {
    const MutexLock lock{m_mutex};
    m_questions.push_back(question);
  }
  m_hasQuestions.store(true, std::memory_order_release);

  const auto deadline = std::chrono::steady_clock::now() + patience;
  const MutexLock lock{question->mutex};
  while (!question->isAnswered) {
    const auto left = deadline - std::chrono::steady_clock::now();
    if (left <= std::chrono::nanoseconds{0} || !IsRunning()) {
      return std::nullopt;
    }
    question->answered.WaitFor(question->mutex, std::chrono::duration_cast<std::chrono::nanoseconds>(left));
  }
  return std::move(question->answer);
}

void TickThread::Run() {
  try {
    NameThisThread("muster-tick");
    m_server.Workers().PinCaller();
    const telemetry::ThreadSchedulerMeter meter;
    while (!m_stop.load(std::memory_order_acquire)) {
      m_loop.Step([&](Tick tick) {
        // Counted before the tick: what this thread waited for so far is why it begins late.
        const auto times = meter.Read();
        const auto waited = times ? times->waiting : std::chrono::nanoseconds{0};
        const std::uint64_t late = m_loop.LateTicks();
        if (late > m_lateSeen && waited - m_waitSeen >= kWaitThatExplains) {
          m_lateWaiting.fetch_add(late - m_lateSeen, std::memory_order_relaxed);
        }
        m_lateSeen = late;
        m_waitSeen = waited;
        m_waitNanos.store(waited.count(), std::memory_order_relaxed);
        RunTick(tick);
      });
    }
  } catch (const std::exception& exception) {
    m_log.Error("The tick thread ended: {}", exception.what());
  }
  m_isRunning.store(false, std::memory_order_release);
  Answer();
}

void TickThread::RunTick(Tick tick) {
  if (m_hasQuestions.exchange(false, std::memory_order_acq_rel)) {
    Answer();
  }
  m_server.RunTick(tick);
  Publish(tick);
}

void TickThread::Answer() {
  std::vector<std::shared_ptr<Question>> questions;
  {
    const MutexLock lock{m_mutex};
    questions.swap(m_questions);
  }
  for (const auto& question : questions) {
    std::string answer;
    try {
      answer = question->job();
    } catch (const std::exception& exception) {
      answer = std::string{"failed: "} + exception.what();
    }
    const MutexLock lock{question->mutex};
    question->answer = std::move(answer);
    question->isAnswered = true;
    question->answered.NotifyAll();
  }
}

void TickThread::Publish(Tick tick) {
  m_peers.store(static_cast<std::uint32_t>(m_server.Sessions().ActiveCount()), std::memory_order_relaxed);
  m_entities.store(m_server.World().Store().LiveCount(), std::memory_order_relaxed);
  m_tick.store(tick.Value(), std::memory_order_relaxed);
}

TickFigures TickThread::Figures() const {
  TickFigures figures;
  figures.peers = m_peers.load(std::memory_order_relaxed);
  figures.entities = m_entities.load(std::memory_order_relaxed);
  figures.tick = m_tick.load(std::memory_order_relaxed);
  figures.droppedTicks = m_loop.DroppedTicks();
  figures.lateTicks = m_loop.LateTicks();
  figures.lateTicksWaiting = m_lateWaiting.load(std::memory_order_relaxed);
  figures.runQueueWait = std::chrono::nanoseconds{m_waitNanos.load(std::memory_order_relaxed)};
  return figures;
}

}  // namespace muster::server
