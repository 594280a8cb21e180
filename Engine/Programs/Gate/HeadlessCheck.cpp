// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "headless": the preset configures and builds in an empty folder while CMake is forbidden to find any package
// that draws, and nothing that is compiled or linked names one. Figures: "configured" and "built" (yes, no),
// "mentions".
#include "CheckKinds.h"

#include "ChildProcess.h"
#include "GateErrors.h"
#include "ServerProcess.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <utility>

namespace muster::gate {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxBuildFileBytes = 256 << 20;
constexpr std::chrono::milliseconds kHeadlessCheckLook{200};
constexpr std::array<const char*, 7> kPackages{"Qt6", "Qt5", "Vulkan", "glfw3", "imgui", "glm", "meshoptimizer"};
/// Folders and libraries of those packages as a compiler's command line has them.
constexpr std::array<std::string_view, 8> kTraces{"/qt6/", "-lqt6", "libqt6", "vulkan",
                                                  "glfw",  "imgui", "/qt5/",  "libqt5"};

class HeadlessCheck final : public ICheck {
 public:
  HeadlessCheck(std::vector<std::string> targets, double limitSeconds)
      : m_targets(std::move(targets)), m_limitSeconds(limitSeconds) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto directory = TemporaryDirectory::Create("muster-gate");
    if (!directory) {
      return std::move(directory).Failure();
    }
    const std::filesystem::path build = directory->Path() / "build";
    const auto configured = RunCMake(context, ConfigureArguments(build));
    if (!configured) {
      return configured.Failure();
    }
    std::vector<Figure> figures{{.name = "configured", .value = std::string{*configured ? "yes" : "no"}},
                                {.name = "built"},
                                {.name = "mentions"}};
    if (!*configured) {
      return figures;
    }
    figures[2].value = static_cast<double>(CountTraces(build / "build.ninja"));
    std::vector<std::string> arguments{"--build", build.string(), "--target"};
    arguments.insert(arguments.end(), m_targets.begin(), m_targets.end());
    const auto built = RunCMake(context, arguments);
    if (!built) {
      return built.Failure();
    }
    figures[1].value = std::string{*built ? "yes" : "no"};
    return figures;
  }

 private:
  static std::vector<std::string> ConfigureArguments(const std::filesystem::path& build) {
    std::vector<std::string> arguments{"--preset", "headless", "-B", build.string()};
    for (const char* package : kPackages) {
      arguments.push_back(fmt::format("-DCMAKE_DISABLE_FIND_PACKAGE_{}=ON", package));
    }
    return arguments;
  }

  Result<bool> RunCMake(const CheckContext& context, std::vector<std::string> arguments) const {
    auto process = ChildProcess::Start(
        {.program = "cmake", .arguments = std::move(arguments), .directory = context.places.source});
    if (!process) {
      return std::move(process).Failure();
    }
    const auto begin = Clock::now();
    while (!process->ExitStatus()) {
      if (context.stop.load(std::memory_order_relaxed)) {
        return Interrupted();
      }
      if (Clock::now() - begin > std::chrono::duration<double>{m_limitSeconds}) {
        return Error{kProcessSilent, "cmake did not end.", fmt::format("It has had {:.0f} s.", m_limitSeconds),
                     "Raise limit_s, or run it on a machine with more cores."};
      }
      process->Pump(kHeadlessCheckLook);
    }
    process->Pump(std::chrono::milliseconds{0});
    if (*process->ExitStatus() != 0) {
      context.say(LastLines(process->Output() + process->ErrorText(), 8));
    }
    return *process->ExitStatus() == 0;
  }

  static std::size_t CountTraces(const std::filesystem::path& buildFile) {
    auto text = ReadTextFile(buildFile, kMaxBuildFileBytes).ValueOr(std::string{});
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    std::size_t count = text.empty() ? 1 : 0;  // a file that cannot be read proves nothing
    for (const std::string_view trace : kTraces) {
      for (auto at = text.find(trace); at != std::string::npos; at = text.find(trace, at + 1)) {
        ++count;
      }
    }
    return count;
  }

  std::vector<std::string> m_targets;
  double m_limitSeconds;
};

}  // namespace

std::unique_ptr<ICheck> MakeHeadlessCheck(StrictObject& parameters) {
  auto targets = parameters.TextsOr("targets", {"all"});
  return std::make_unique<HeadlessCheck>(std::move(targets), parameters.Number("limit_s", 1'800));
}

}  // namespace muster::gate
