// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Config/Load.h"

#include "Core/Files.h"
#include "Core/Utf8.h"
#include "FileLayer.h"
#include "ValueCheck.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace muster::config {

namespace {

constexpr std::string_view kPluginPrefix = "plugins.\"";
/// A file that is no configuration at all can be wrong in every line; nobody reads more than this.
constexpr std::size_t kMaxShownErrors = 50;

void SetChecked(Loaded& loaded, std::size_t index, std::string_view text, const Origin& origin,
                std::string_view place) {
  const Key& key = loaded.config.Keys().Keys()[index];
  Result<Value> value = ParseValue(key, text, place);
  if (value) {
    value = CheckValue(key, std::move(value).Value(), place);
  }
  if (value) {
    loaded.config.Set(index, std::move(value).Value(), origin);
  } else {
    loaded.errors.push_back(std::move(value).Failure());
  }
}

/// MUSTER_ variables of other tools are left alone; one that begins like a section is a typing error.
void ApplyVariable(Loaded& loaded, std::string_view name, std::string_view text) {
  const std::vector<Key>& keys = loaded.config.Keys().Keys();
  const auto found =
      std::find_if(keys.begin(), keys.end(), [name](const Key& key) { return key.EnvironmentName() == name; });
  if (found != keys.end() && !IsValidUtf8(text)) {
    loaded.errors.push_back(Error{kConfigWrongType,
                                  fmt::format("{}: {} has a value that it cannot have.", name, found->Path()),
                                  "It is not valid UTF-8.", fmt::format("Set it to {}.", found->Allowed())});
    return;
  }
  if (found != keys.end()) {
    SetChecked(loaded, static_cast<std::size_t>(found - keys.begin()), text,
               Origin{Layer::Environment, std::string{name}}, name);
    return;
  }
  for (const Key& key : keys) {
    const std::string prefix = key.EnvironmentName().substr(0, key.EnvironmentName().size() - key.name.size());
    if (name.starts_with(prefix)) {
      std::string word{name.substr(prefix.size())};
      std::transform(word.begin(), word.end(), word.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
      loaded.errors.push_back(UnknownKey(loaded.config.Keys(), key.section, word, name));
      return;
    }
  }
}

Error BadOverride(std::string_view text) {
  return Error{kConfigBadOverride, "A --set option cannot be read.",
               fmt::format("\"{}\" is not UTF-8 text of the form section.key=value.", text.substr(0, 200)),
               "Write it as --set server.max_peers=64, or --set 'plugins.\"<id>\".key=value' for a plugin."};
}

void ApplyPluginOverride(Loaded& loaded, std::string_view path, std::string_view text, std::string_view whole) {
  const std::size_t idEnd = path.find("\".", kPluginPrefix.size());
  const bool isWhole = idEnd != std::string_view::npos && idEnd > kPluginPrefix.size() && idEnd + 2 < path.size();
  if (!isWhole) {
    loaded.errors.push_back(BadOverride(whole));
    return;
  }
  loaded.config.SetPlugin(path.substr(kPluginPrefix.size(), idEnd - kPluginPrefix.size()), path.substr(idEnd + 2),
                          GuessValue(text), Origin{Layer::CommandLine, "--set"});
}

void ApplyOverride(Loaded& loaded, std::string_view whole) {
  const std::size_t equals = whole.find('=');
  const std::string_view path = whole.substr(0, equals);
  if (equals == std::string_view::npos || whole.size() > kMaxConfigLineBytes || !IsValidUtf8(whole)) {
    loaded.errors.push_back(BadOverride(whole));
    return;
  }
  const std::string_view text = whole.substr(equals + 1);
  if (path.starts_with(kPluginPrefix)) {
    ApplyPluginOverride(loaded, path, text, whole);
    return;
  }
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == path.size()) {
    loaded.errors.push_back(BadOverride(whole));
    return;
  }
  const std::string place = fmt::format("--set {}", path);
  const std::string_view section = path.substr(0, dot);
  const std::string_view name = path.substr(dot + 1);
  if (const auto index = loaded.config.Keys().Find(section, name)) {
    SetChecked(loaded, *index, text, Origin{Layer::CommandLine, "--set"}, place);
  } else {
    loaded.errors.push_back(UnknownKey(loaded.config.Keys(), section, name, place));
  }
}

void ApplyOthers(Loaded& loaded, const Sources& sources) {
  for (const std::string& variable : sources.environment) {
    const std::size_t equals = variable.find('=');
    if (variable.starts_with("MUSTER_") && equals != std::string::npos) {
      const std::string_view view{variable};
      ApplyVariable(loaded, view.substr(0, equals), view.substr(equals + 1));
    }
  }
  for (const std::string& whole : sources.overrides) {
    ApplyOverride(loaded, whole);
  }
}

}  // namespace

std::string Loaded::ErrorText() const {
  std::string text;
  std::size_t shown = 0;
  for (const Error& error : errors) {
    if (shown++ == kMaxShownErrors) {
      text += "... and " + std::to_string(errors.size() - kMaxShownErrors) + " more\n";
      break;
    }
    text += error.ToString() + "\n";
  }
  return text;
}

Loaded Load(const KeySet& keys, const Sources& sources) {
  Loaded loaded{EffectiveConfig{keys}, {}};
  if (sources.file) {
    const std::string name = sources.file->string();
    // One byte more than allowed, so that the bound is told in the words of this module.
    const Result<std::string> text = ReadTextFile(*sources.file, kMaxConfigBytes + 1);
    if (text) {
      ApplyFile(loaded, *text, name);
    } else if (text.Failure().code == kFileTooLarge) {
      loaded.errors.push_back(Error{kConfigTooLarge, fmt::format("{} is too large.", name),
                                    fmt::format("It has more than {} bytes.", kMaxConfigBytes),
                                    "Check that this is the right file."});
    } else {
      loaded.errors.push_back(Error{kConfigUnreadable, fmt::format("The configuration {} cannot be read.", name),
                                    text.Failure().sentence + " " + text.Failure().cause,
                                    "Check the path given with --config and the file's permissions."});
    }
  }
  ApplyOthers(loaded, sources);
  return loaded;
}

Loaded LoadText(const KeySet& keys, std::string_view text, std::string_view name, const Sources& others) {
  Loaded loaded{EffectiveConfig{keys}, {}};
  ApplyFile(loaded, text, name);
  ApplyOthers(loaded, others);
  return loaded;
}

std::vector<std::string> ProcessEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

}  // namespace muster::config
