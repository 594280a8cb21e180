// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The server's configuration from all its layers. The input is the file's text; behind a line of `%set`, one `--set` option
// a line; behind a line of `%env`, one environment variable a line. What is wrong is named on one line each; what is right,
// printed and read again, is the same.
#include "FuzzInput.h"

#include "ServerConfigCheck.h"
#include "ServerConfigSchema.h"

#include "Config/Load.h"
#include "Core/Utf8.h"

#include <string>
#include <vector>

namespace muster::fuzz {
namespace {

const config::Schema<server::ServerConfig>& Schema() {
  static const config::Schema<server::ServerConfig> schema = server::MakeServerSchema();
  return schema;
}

std::string_view TakeLine(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

void CheckErrors(const std::vector<Error>& errors) {
  for (const Error& error : errors) {
    Require(error.code.number != 0 && !error.sentence.empty() && !error.action.empty(), "what is wrong is named");
    const std::string line = error.ToString();
    Require(EscapeControl(line) == line && IsValidUtf8(line), "an error is one line of text");
  }
}

void CheckSound(const config::EffectiveConfig& effective) {
  CheckErrors(server::CheckServerConfig(Schema().Bind(effective)));
  const std::string printed = effective.Print();
  const config::Loaded again = config::LoadText(Schema().Keys(), printed, "printed.toml");
  Require(again.IsUsable(), "what is printed can be read");
  // Secrets are printed as stars, and only plugins' tables can hold any here.
  for (const config::Change& change : config::Differences(effective, again.config)) {
    Require(change.path.starts_with("plugins."), "what is printed says the same");
  }
  Require(again.config.Plugins().size() <= effective.Plugins().size(), "no plugin's table is made up");
}

void Run(std::string_view input) {
  std::string file;
  config::Sources sources;
  std::vector<std::string>* list = nullptr;
  while (!input.empty()) {
    const std::string_view line = TakeLine(input);
    if (line == "%set") {
      list = &sources.overrides;
    } else if (line == "%env") {
      list = &sources.environment;
    } else if (list != nullptr) {
      list->emplace_back(line);
    } else {
      file.append(line).append("\n");
    }
  }
  const config::Loaded loaded = config::LoadText(Schema().Keys(), file, "fuzz.toml", sources);
  CheckErrors(loaded.errors);
  if (loaded.IsUsable()) {
    CheckSound(loaded.config);
  } else {
    Require(!loaded.ErrorText().empty(), "what is wrong can be shown");
  }
}

}  // namespace
}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::fuzz::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
