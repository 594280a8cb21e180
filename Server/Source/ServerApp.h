// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The process around a server: command line, configuration, console on standard input, signals, metrics, and an orderly
// end.
//
// Exit status: 0 a wanted end, 1 the server could not go on, 2 the command line or the configuration is wrong.
#pragma once

#include "ServerConfig.h"

#include "Config/Load.h"

#include <filesystem>
#include <string>
#include <vector>

namespace muster::server {

inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;

struct CommandLine {
  config::Sources sources;
  std::vector<std::filesystem::path> pluginRoots;
  std::filesystem::path content;
  bool checkConfig = false;
  bool printConfig = false;
  bool printReference = false;           ///< the Markdown reference of all keys
  std::filesystem::path printRecording;  ///< a summary of this recording; empty: none
  bool hasConsole = true;
  std::filesystem::path addressFile;  ///< the address really bound is written there; empty: nowhere
};

/// Puts /dev/null on those of 0, 1 and 2 that are closed, so that no socket gets their number and with it log lines.
/// First thing in main.
void OpenStandardDescriptors();

/// Docs/Reference/ServerConfig.md. [any]
std::string ConfigReference();

/// Runs until told to stop; the exit status. [main]
int RunServer(const CommandLine& commandLine);

}  // namespace muster::server
