// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ToolRun.h"

#include "GateErrors.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kToolRunLook{100};
constexpr double kSayEverySeconds = 30;

}  // namespace

Result<ToolEnding> RunTool(const CheckContext& context, const ProcessSpec& spec, double limitSeconds) {
  auto process = ChildProcess::Start(spec);
  if (!process) {
    return std::move(process).Failure();
  }
  const std::string name = spec.program.filename().string();
  const auto begin = Clock::now();
  double nextSay = kSayEverySeconds;
  while (!process->ExitStatus()) {
    if (context.stop.load(std::memory_order_relaxed)) {
      return Interrupted();
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (seconds > limitSeconds) {
      return Error{kProcessSilent, fmt::format("{} did not end.", name),
                   fmt::format("It has had {:.0f} s.", limitSeconds), "Run it by hand and see where it stands."};
    }
    if (seconds >= nextSay) {
      nextSay += kSayEverySeconds;
      context.say(fmt::format("{} has run for {:.0f} s", name, seconds));
    }
    process->Pump(kToolRunLook);
  }
  process->Pump(std::chrono::milliseconds{0});
  return ToolEnding{*process->ExitStatus(), process->Output(), process->ErrorText()};
}

}  // namespace muster::gate
