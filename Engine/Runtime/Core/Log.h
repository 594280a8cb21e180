// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Logging without a global: whoever logs is handed a `Logger`, which names a component and writes to a sink.
//
//     StderrSink sink;
//     Logger log(sink, "Link");
//     log.Info("{} peers on port {}", peers, port);       // the format string is checked by the compiler
//
// One event is one line: control characters and bytes that are no UTF-8 are escaped before a sink sees them, so that
// a player's name cannot forge a line. Formatting allocates: nothing logs per tick or per packet without a
// `LogThrottle`. To provide your own sink, implement `ILogSink`; `Write` may come from any thread.
#pragma once

#include "Core/Mutex.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace muster {

enum class LogLevel : std::uint8_t { Trace, Debug, Info, Warning, Error };

/// `trace`, `debug`, `info`, `warning`, `error`.
[[nodiscard]] std::string_view ToString(LogLevel level) noexcept;

/// One event. The texts live until `Write` returns.
struct LogRecord {
  std::chrono::system_clock::time_point time{};  ///< For people only; nothing is computed from it.
  LogLevel level = LogLevel::Info;
  std::string_view component{};
  std::string_view text{};  ///< One line, escaped, without its line end.
};

/// `2026-01-31T09:15:00.123Z warning Link: text`, without a line end. [any]
[[nodiscard]] std::string FormatLogLine(const LogRecord& record);

class ILogSink {
 public:
  virtual ~ILogSink() = default;
  /// Takes one event. Does not throw for what it cannot write. [any]
  virtual void Write(const LogRecord& record) = 0;
  /// False when an event of this level would be dropped, so that it need not be formatted. [any]
  [[nodiscard]] virtual bool IsEnabled(LogLevel level) const noexcept = 0;
};

/// What the engine's sinks share: a least level, which may be changed while others log.
class LevelledSink : public ILogSink {
 public:
  explicit LevelledSink(LogLevel least) noexcept : m_least(least) {}
  [[nodiscard]] bool IsEnabled(LogLevel level) const noexcept final {
    return level >= m_least.load(std::memory_order_relaxed);
  }
  /// [any]
  void SetLevel(LogLevel least) noexcept { m_least.store(least, std::memory_order_relaxed); }

 private:
  std::atomic<LogLevel> m_least;
};

/// Standard error, one system call a line, so that lines of several threads do not mix.
class StderrSink final : public LevelledSink {
 public:
  explicit StderrSink(LogLevel least = LogLevel::Info) noexcept : LevelledSink(least) {}
  void Write(const LogRecord& record) override;
  /// Lines that nobody took: writing never waits for a reader.
  [[nodiscard]] std::uint64_t Dropped() const noexcept { return m_dropped.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> m_dropped{0};
};

/// Appends to a file, which is created if it is missing. Check `IsOpen()` after construction. Lines that could not
/// be written are counted.
class FileSink final : public LevelledSink {
 public:
  explicit FileSink(const std::string& path, LogLevel least = LogLevel::Info);
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  ~FileSink() override;

  [[nodiscard]] bool IsOpen() const noexcept { return m_descriptor >= 0; }
  [[nodiscard]] std::uint64_t LostLines() const noexcept { return m_lost.load(std::memory_order_relaxed); }
  void Write(const LogRecord& record) override;

 private:
  int m_descriptor;
  std::atomic<std::uint64_t> m_lost{0};
};

/// Keeps the newest events in memory, for tests and for showing a tail. [any]
class MemorySink final : public LevelledSink {
 public:
  struct Entry {
    LogLevel level;
    std::string component;
    std::string text;
  };

  explicit MemorySink(LogLevel least = LogLevel::Trace, std::size_t capacity = 4096) noexcept
      : LevelledSink(least), m_capacity(capacity) {}
  void Write(const LogRecord& record) override;
  [[nodiscard]] std::vector<Entry> Entries() const;
  /// True when some entry's text contains `part`.
  [[nodiscard]] bool Contains(std::string_view part) const;

 private:
  std::size_t m_capacity;
  mutable Mutex m_mutex;
  std::deque<Entry> m_entries MUSTER_GUARDED_BY(m_mutex);
};

/// Hands every event to several sinks, each with its own level. The sinks outlive it.
class TeeSink final : public ILogSink {
 public:
  explicit TeeSink(std::vector<ILogSink*> sinks) noexcept : m_sinks(std::move(sinks)) {}
  void Write(const LogRecord& record) override;
  [[nodiscard]] bool IsEnabled(LogLevel level) const noexcept override;

 private:
  std::vector<ILogSink*> m_sinks;
};

/// A cheap, copyable handle on a sink, which outlives it. Methods are thread-safe. [any]
class Logger {
 public:
  Logger(ILogSink& sink, std::string_view component) : m_sink(&sink), m_component(component) {}

  /// The same sink under another component's name.
  [[nodiscard]] Logger For(std::string_view component) const { return Logger(*m_sink, component); }
  [[nodiscard]] bool IsEnabled(LogLevel level) const noexcept { return m_sink->IsEnabled(level); }

  template <class... Args>
  void Trace(fmt::format_string<Args...> text, Args&&... args) const {
    Log(LogLevel::Trace, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void Debug(fmt::format_string<Args...> text, Args&&... args) const {
    Log(LogLevel::Debug, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void Info(fmt::format_string<Args...> text, Args&&... args) const {
    Log(LogLevel::Info, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void Warning(fmt::format_string<Args...> text, Args&&... args) const {
    Log(LogLevel::Warning, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void Error(fmt::format_string<Args...> text, Args&&... args) const {
    Log(LogLevel::Error, text, std::forward<Args>(args)...);
  }
  template <class... Args>
  void Log(LogLevel level, fmt::format_string<Args...> text, Args&&... args) const {
    if (m_sink->IsEnabled(level)) {
      WriteFormatted(level, text, fmt::make_format_args(args...));
    }
  }

  /// Text that is already put together, a plugin's for instance; it is escaped like any other.
  void WriteText(LogLevel level, std::string_view text) const;

 private:
  void WriteFormatted(LogLevel level, fmt::string_view text, fmt::format_args args) const;

  ILogSink* m_sink;
  std::string m_component;
};

}  // namespace muster
