// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A program that the gate starts, feeds and always ends.
//
//   auto child = ChildProcess::Start({.program = "bin/muster-server", .arguments = {"--port", "0"}, .hasInput = true});
//   child->WriteLine("status");
//   child->Pump(std::chrono::milliseconds{50});            // takes in what it printed
//   child->Signal(SIGTERM);
//   std::optional<int> status = child->WaitFor(std::chrono::seconds{10});
//
// The child stands in a process group of its own, so that an interrupt from the keyboard reaches only the gate, which
// ends it in order; should the gate be killed, the kernel ends the child. Not for use from two threads, and every child
// must be started by the thread that lives longest (the kernel ties it to that thread).
#pragma once

#include "Core/Result.h"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

struct ProcessSpec {
  std::filesystem::path program;  ///< with a folder; PATH is searched for a bare name
  std::vector<std::string> arguments{};
  bool hasInput = false;                   ///< a pipe on its standard input; otherwise it reads nothing
  std::filesystem::path directory{};       ///< to run in; empty: the caller's
  std::vector<std::string> environment{};  ///< NAME=VALUE, beside the caller's own
};

class ChildProcess {
 public:
  /// Fails with kProcessNotStarted.
  static Result<ChildProcess> Start(const ProcessSpec& spec);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends it: SIGTERM, after two seconds SIGKILL.
  ~ChildProcess();

  [[nodiscard]] pid_t Id() const { return m_pid; }

  /// Waits at most so long for output and takes it in.
  void Pump(std::chrono::milliseconds patience);

  /// What it has printed so far, at most the newest 4 MiB of each.
  [[nodiscard]] const std::string& Output() const { return m_output.text; }
  [[nodiscard]] const std::string& ErrorText() const { return m_errors.text; }

  /// False when it no longer reads.
  bool WriteLine(std::string_view line);

  /// Its exit status once it has ended, 128 and the signal's number where one ended it; without waiting.
  std::optional<int> ExitStatus();

  /// The same, pumping its output until it ends or the time is up.
  std::optional<int> WaitFor(std::chrono::milliseconds patience);

  /// Nothing once it has ended.
  void Signal(int signal);

 private:
  struct Stream {
    int descriptor = -1;
    std::string text;
  };

  ChildProcess() = default;
  static void ReadFrom(Stream& stream);
  void End();
  void CloseAll();

  pid_t m_pid = -1;
  std::optional<int> m_status;
  int m_input = -1;
  Stream m_output;
  Stream m_errors;
};

}  // namespace muster::gate
