// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "second-server": while clients play, another server is started on the same port; it must end in its named error,
// and the first must not feel it. Parameters: those of ReadLoadSpec. Figures: "second_server" (its error, with what is
// wrong about it behind), "ticks_of_the_first" meanwhile, those of Scene.
#include "CheckKinds.h"

#include "ErrorText.h"
#include "Scene.h"

#include <chrono>
#include <utility>

namespace muster::gate {

namespace {

constexpr std::chrono::seconds kSecondServerPatience{20};
constexpr double kCalmSeconds = 1;

class SecondServerCheck final : public ICheck {
 public:
  explicit SecondServerCheck(LoadSpec spec) : m_spec(std::move(spec)) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    auto scene = Scene::Open(context, m_spec);
    if (!scene) {
      return std::move(scene).Failure();
    }
    const auto before = scene->Server().Status();
    if (!before) {
      return before.Failure();
    }
    const std::string port = std::to_string(scene->Server().Port());
    ProcessSpec second{.program = context.places.Program("muster-server")};
    second.arguments = {"--no-console", "--config", context.places.SampleConfig().string(), "--port", port};
    for (const std::string& setting : ServerFor(m_spec).overrides) {
      second.arguments.insert(second.arguments.end(), {"--set", setting});
    }
    auto process = ChildProcess::Start(second);
    if (!process) {
      return std::move(process).Failure();
    }
    const auto status = process->WaitFor(kSecondServerPatience);
    const std::string ending = DescribeEnding(process->Output() + "\n" + process->ErrorText(), {port}, status);
    if (Result<void> calm = scene->Watch(kCalmSeconds); !calm) {
      return std::move(calm).Failure();
    }
    const auto after = scene->Server().Status();
    if (!after) {
      return after.Failure();
    }
    auto figures = scene->Close();
    if (!figures) {
      return figures;
    }
    figures->push_back({.name = "second_server", .value = ending});
    figures->push_back({.name = "ticks_of_the_first", .value = static_cast<double>(after->tick - before->tick)});
    return figures;
  }

 private:
  LoadSpec m_spec;
};

}  // namespace

std::unique_ptr<ICheck> MakeSecondServerCheck(StrictObject& parameters) {
  return std::make_unique<SecondServerCheck>(ReadLoadSpec(parameters, {.clients = 8, .agents = 50}));
}

}  // namespace muster::gate
