// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/Log.h"

#include "Core/NonBlockingWrite.h"
#include "Core/Utf8.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace muster {
namespace {

/// False when it could not be written whole.
bool WriteLine(int descriptor, const LogRecord& record) {
  return WriteWithoutWaiting(descriptor, FormatLogLine(record) + '\n');
}

}  // namespace

std::string_view ToString(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::Trace:
      return "trace";
    case LogLevel::Debug:
      return "debug";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warning:
      return "warning";
    case LogLevel::Error:
      return "error";
  }
  return "unknown";
}

std::string FormatLogLine(const LogRecord& record) {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(record.time.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(milliseconds);
  const std::time_t wholeSeconds = seconds.count();
  std::tm utc{};
  gmtime_r(&wholeSeconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z {} {}: {}", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, (milliseconds - seconds).count(),
                     ToString(record.level), record.component, record.text);
}

void StderrSink::Write(const LogRecord& record) {
  if (IsEnabled(record.level)) {
    // A line that nobody takes is dropped: whoever logs, the tick thread among them, never waits for a reader.
    if (!WriteLine(STDERR_FILENO, record)) {
      m_dropped.fetch_add(1, std::memory_order_relaxed);
    }
  }
}

FileSink::FileSink(const std::string& path, LogLevel least)
    : LevelledSink(least), m_descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644)) {}

FileSink::~FileSink() {
  if (IsOpen()) {
    ::close(m_descriptor);
  }
}

void FileSink::Write(const LogRecord& record) {
  if (IsEnabled(record.level) && (!IsOpen() || !WriteLine(m_descriptor, record))) {
    m_lost.fetch_add(1, std::memory_order_relaxed);
  }
}

void MemorySink::Write(const LogRecord& record) {
  if (!IsEnabled(record.level) || m_capacity == 0) {
    return;
  }
  const MutexLock lock(m_mutex);
  if (m_entries.size() == m_capacity) {
    m_entries.pop_front();
  }
  m_entries.push_back({record.level, std::string(record.component), std::string(record.text)});
}

std::vector<MemorySink::Entry> MemorySink::Entries() const {
  const MutexLock lock(m_mutex);
  return {m_entries.begin(), m_entries.end()};
}

bool MemorySink::Contains(std::string_view part) const {
  const MutexLock lock(m_mutex);
  return std::any_of(m_entries.begin(), m_entries.end(),
                     [part](const Entry& entry) { return entry.text.find(part) != std::string::npos; });
}

void TeeSink::Write(const LogRecord& record) {
  for (ILogSink* sink : m_sinks) {
    if (sink->IsEnabled(record.level)) {
      sink->Write(record);
    }
  }
}

bool TeeSink::IsEnabled(LogLevel level) const noexcept {
  return std::any_of(m_sinks.begin(), m_sinks.end(), [level](const ILogSink* sink) { return sink->IsEnabled(level); });
}

void Logger::WriteText(LogLevel level, std::string_view text) const {
  if (!m_sink->IsEnabled(level)) {
    return;
  }
  const std::string line = EscapeControl(text);
  m_sink->Write(LogRecord{std::chrono::system_clock::now(), level, m_component, line});
}

void Logger::WriteFormatted(LogLevel level, fmt::string_view text, fmt::format_args args) const {
  WriteText(level, fmt::vformat(text, args));
}

}  // namespace muster
