// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ChildProcess.h"

#include "GateErrors.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxKeptBytes = 4 << 20;
constexpr std::chrono::seconds kEndPatience{2};
constexpr std::chrono::milliseconds kPumpInterval{20};

struct Pipe {
  int readEnd = -1;
  int writeEnd = -1;

  Pipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
      readEnd = ends[0];
      writeEnd = ends[1];
    }
  }
  ~Pipe() {
    Close(readEnd);
    Close(writeEnd);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool IsOpen() const { return readEnd >= 0; }
  static int Take(int& end) { return std::exchange(end, -1); }
  static void Close(int& end) {
    if (end >= 0) {
      ::close(std::exchange(end, -1));
    }
  }
};

/// Everything the child needs between fork and exec, where nothing may allocate.
struct Launch {
  const char* program = nullptr;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  const char* directory = nullptr;
  int input = -1;
  int output = -1;
  int errors = -1;
  int failure = -1;  ///< takes errno when the program cannot be run
  pid_t parent = -1;
};

[[noreturn]] void BecomeProgram(const Launch& launch) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  bool isReady = ::getppid() == launch.parent;
  isReady = isReady && ::dup2(launch.input, STDIN_FILENO) >= 0 && ::dup2(launch.output, STDOUT_FILENO) >= 0 &&
            ::dup2(launch.errors, STDERR_FILENO) >= 0;
  isReady = isReady && (launch.directory == nullptr || ::chdir(launch.directory) == 0);
  if (isReady) {
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) {
      std::signal(signal, SIG_DFL);
    }
    ::execvpe(launch.program, launch.arguments.data(), launch.environment.data());
  }
  const int error = errno;
  (void)!::write(launch.failure, &error, sizeof error);
  ::_exit(127);
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& additions) {
  const auto nameOf = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool isReplaced = std::any_of(additions.begin(), additions.end(), [&](const std::string& addition) {
      return nameOf(addition) == nameOf(*entry);
    });
    if (!isReplaced) {
      entries.emplace_back(*entry);
    }
  }
  entries.insert(entries.end(), additions.begin(), additions.end());
  return entries;
}

Error NotStarted(const std::filesystem::path& program, int error) {
  return {kProcessNotStarted, fmt::format("{} could not be started.", program.string()),
          fmt::format("{}.", std::strerror(error)), "Build it, and check --build-dir."};
}

}  // namespace

Result<ChildProcess> ChildProcess::Start(const ProcessSpec& spec) {
  Pipe input;
  Pipe output;
  Pipe errors;
  Pipe failure;
  if (!input.IsOpen() || !output.IsOpen() || !errors.IsOpen() || !failure.IsOpen()) {
    return NotStarted(spec.program, errno);
  }
  std::vector<std::string> words{spec.program.string()};
  words.insert(words.end(), spec.arguments.begin(), spec.arguments.end());
  std::vector<std::string> environment = EnvironmentWith(spec.environment);
  const std::string program = spec.program.string();
  const std::string directory = spec.directory.string();
  Launch launch;
  launch.program = program.c_str();
  launch.arguments = Pointers(words);
  launch.environment = Pointers(environment);
  launch.directory = directory.empty() ? nullptr : directory.c_str();
  launch.input = input.readEnd;
  launch.output = output.writeEnd;
  launch.errors = errors.writeEnd;
  launch.failure = failure.writeEnd;
  launch.parent = ::getpid();

  const pid_t pid = ::fork();
  if (pid < 0) {
    return NotStarted(spec.program, errno);
  }
  if (pid == 0) {
    BecomeProgram(launch);
  }
  Pipe::Close(failure.writeEnd);
  int error = 0;
  ssize_t size = 0;
  do {
    size = ::read(failure.readEnd, &error, sizeof error);
  } while (size < 0 && errno == EINTR);
  if (size > 0) {
    ::waitpid(pid, nullptr, 0);
    return NotStarted(spec.program, error);
  }

  ChildProcess child;
  child.m_pid = pid;
  child.m_input = spec.hasInput ? Pipe::Take(input.writeEnd) : -1;
  child.m_output.descriptor = Pipe::Take(output.readEnd);
  child.m_errors.descriptor = Pipe::Take(errors.readEnd);
  for (const int descriptor : {child.m_output.descriptor, child.m_errors.descriptor}) {
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept {
  *this = std::move(other);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    End();
    m_pid = std::exchange(other.m_pid, -1);
    m_status = std::exchange(other.m_status, std::nullopt);
    m_input = std::exchange(other.m_input, -1);
    m_output = {std::exchange(other.m_output.descriptor, -1), std::move(other.m_output.text)};
    m_errors = {std::exchange(other.m_errors.descriptor, -1), std::move(other.m_errors.text)};
  }
  return *this;
}

ChildProcess::~ChildProcess() {
  End();
}

void ChildProcess::End() {
  if (m_pid > 0 && !ExitStatus()) {
    Signal(SIGTERM);
    if (!WaitFor(kEndPatience)) {
      Signal(SIGKILL);
      int status = 0;
      ::waitpid(m_pid, &status, 0);
    }
  }
  CloseAll();
  m_pid = -1;
}

void ChildProcess::CloseAll() {
  Pipe::Close(m_input);
  Pipe::Close(m_output.descriptor);
  Pipe::Close(m_errors.descriptor);
}

void ChildProcess::ReadFrom(Stream& stream) {
  std::array<char, 16'384> buffer{};
  while (stream.descriptor >= 0) {
    const ssize_t size = ::read(stream.descriptor, buffer.data(), buffer.size());
    if (size > 0) {
      stream.text.append(buffer.data(), static_cast<std::size_t>(size));
      if (stream.text.size() > kMaxKeptBytes) {
        stream.text.erase(0, stream.text.size() - kMaxKeptBytes);
      }
    } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
      Pipe::Close(stream.descriptor);
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

void ChildProcess::Pump(std::chrono::milliseconds patience) {
  std::array<pollfd, 2> waits{{{m_output.descriptor, POLLIN, 0}, {m_errors.descriptor, POLLIN, 0}}};
  ::poll(waits.data(), waits.size(), static_cast<int>(patience.count()));
  ReadFrom(m_output);
  ReadFrom(m_errors);
}

bool ChildProcess::WriteLine(std::string_view line) {
  const std::string text = std::string{line} + "\n";
  std::size_t written = 0;
  while (m_input >= 0 && written < text.size()) {
    const ssize_t size = ::write(m_input, text.data() + written, text.size() - written);
    if (size < 0 && errno != EINTR) {
      Pipe::Close(m_input);
    }
    written += size > 0 ? static_cast<std::size_t>(size) : 0U;
  }
  return m_input >= 0;
}

std::optional<int> ChildProcess::ExitStatus() {
  int status = 0;
  if (!m_status && m_pid > 0 && ::waitpid(m_pid, &status, WNOHANG) == m_pid) {
    m_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return m_status;
}

std::optional<int> ChildProcess::WaitFor(std::chrono::milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  while (!ExitStatus() && Clock::now() < deadline) {
    // With both streams closed Pump waits for the time alone.
    Pump(kPumpInterval);
  }
  Pump(std::chrono::milliseconds{0});
  return m_status;
}

void ChildProcess::Signal(int signal) {
  if (m_pid > 0 && !ExitStatus()) {
    ::kill(m_pid, signal);
  }
}

}  // namespace muster::gate
