// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "named-errors": programs are started wrongly on purpose, and each must end with the error it is known for. One
// figure for each case, under its name: the error's code and name, with what is wrong about it behind (it has no
// action, the program went on, it ended as if all was well).
//
// A case: {"name", "program", "arguments", "server": a server runs already at {port}, "files": {name: content},
// "plugins": [{"folder", "from": a built plugin, "descriptor": merge patch, "library": "foreign"}], "says": [texts that
// the error holds]}. Arguments and texts may use {port}, {build}, {source} and {dir}, the case's own folder with files
// and Plugins/ in it.
#include "CheckKinds.h"

#include "ChildProcess.h"
#include "ErrorText.h"
#include "GateErrors.h"
#include "PluginFolder.h"
#include "ServerProcess.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <utility>

namespace muster::gate {

namespace {

constexpr std::chrono::seconds kPatience{20};

struct ErrorCase {
  std::string name;
  std::string program;
  std::vector<std::string> arguments;
  bool hasServer = false;
  std::map<std::string, std::string> files;
  std::vector<PluginFolder> plugins;
  std::vector<std::string> says;
};

std::string Replaced(std::string text, std::string_view what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

class NamedErrorsCheck final : public ICheck {
 public:
  explicit NamedErrorsCheck(std::vector<ErrorCase> cases) : m_cases(std::move(cases)) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    std::vector<Figure> figures;
    for (const ErrorCase& errorCase : m_cases) {
      auto found = Provoke(errorCase, context);
      if (!found) {
        return std::move(found).Failure();
      }
      figures.push_back({.name = errorCase.name, .value = std::move(*found)});
    }
    return figures;
  }

 private:
  static Result<std::string> Provoke(const ErrorCase& errorCase, const CheckContext& context) {
    if (context.stop.load(std::memory_order_relaxed)) {
      return Interrupted();
    }
    auto directory = TemporaryDirectory::Create("muster-gate");
    if (!directory) {
      return std::move(directory).Failure();
    }
    for (const auto& [name, content] : errorCase.files) {
      if (Result<void> written = WriteFileAtomically(directory->Path() / name, content); !written) {
        return std::move(written).Failure();
      }
    }
    for (const PluginFolder& plugin : errorCase.plugins) {
      if (Result<void> made = MakePluginFolder(plugin, context.places.build, directory->Path() / "Plugins"); !made) {
        return std::move(made).Failure();
      }
    }
    std::optional<ServerProcess> server;
    if (errorCase.hasServer) {
      auto started = ServerProcess::Start(context.places, {}, context.stop);
      if (!started) {
        return std::move(started).Failure();
      }
      server.emplace(std::move(*started));
    }
    const auto filled = [&](std::vector<std::string> texts) {
      for (std::string& text : texts) {
        text = Replaced(std::move(text), "{port}", std::to_string(server ? server->Port() : 0));
        text = Replaced(std::move(text), "{build}", context.places.build.string());
        text = Replaced(std::move(text), "{source}", context.places.source.string());
        text = Replaced(std::move(text), "{dir}", directory->Path().string());
      }
      return texts;
    };
    auto process = ChildProcess::Start(
        {.program = context.places.Program(errorCase.program.c_str()), .arguments = filled(errorCase.arguments)});
    if (!process) {
      return std::move(process).Failure();
    }
    const auto status = process->WaitFor(kPatience);
    return DescribeEnding(process->Output() + "\n" + process->ErrorText(), filled(errorCase.says), status);
  }

  std::vector<ErrorCase> m_cases;
};

}  // namespace

std::unique_ptr<ICheck> MakeNamedErrorsCheck(StrictObject& parameters) {
  std::vector<ErrorCase> cases;
  for (StrictObject& object : parameters.Objects("cases")) {
    ErrorCase errorCase;
    errorCase.name = object.Text("name");
    errorCase.program = object.Text("program");
    errorCase.arguments = object.Texts("arguments");
    errorCase.hasServer = object.Flag("server", false);
    errorCase.says = object.TextsOr("says", {});
    if (const auto& files = object.Any("files"); files.is_object()) {
      for (const auto& [name, content] : files.items()) {
        if (!content.is_string() || name.find('/') != std::string::npos) {
          object.Refuse("\"files\" maps plain names to texts.");
          continue;
        }
        errorCase.files[name] = content.get<std::string>();
      }
    }
    if (object.Has("plugins")) {
      for (StrictObject& plugin : object.Objects("plugins")) {
        errorCase.plugins.push_back(ReadPluginFolder(plugin));
        if (Result<void> read = plugin.Finish(); !read) {
          object.Refuse(read.Failure().ToString());
        }
      }
    }
    if (Result<void> read = object.Finish(); !read) {
      parameters.Refuse(read.Failure().ToString());
    }
    cases.push_back(std::move(errorCase));
  }
  return std::make_unique<NamedErrorsCheck>(std::move(cases));
}

}  // namespace muster::gate
