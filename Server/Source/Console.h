// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The operator's commands. One line in, text for people out.
//
// The table in Console.cpp is the list, and `help` is made of it. Docs/Guides/Operator.md explains the same commands.
//
// Threads: [sim] between two ticks (TickThread::Ask).
#pragma once

#include "GameServer.h"
#include "TickThread.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::server {

/// What commands need beside the world.
struct ConsoleActions {
  std::function<TickFigures()> figures;
  /// Begins the end of the process; the reason is told to players.
  std::function<void(std::string reason)> shutdown;
  /// Reads the configuration again; the answer says what changed.
  std::function<std::string()> reloadConfig;
};

class Console {
 public:
  /// Longer lines are refused.
  static constexpr std::size_t kMaxLineBytes = 4'096;

  Console(GameServer& server, ConsoleActions actions);

  /// The answer ends with a line end unless it is empty. Never throws for what the line holds.
  std::string Execute(std::string_view line);

 private:
  using Words = std::vector<std::string_view>;
  struct Command {
    std::string_view name;
    std::string_view arguments;
    std::string_view help;
    std::size_t minWords;
    std::size_t maxWords;
    std::string (Console::*run)(const Words&);
  };

  static const std::vector<Command>& Commands();
  static std::string Unknown(std::string_view name);

  std::string Help(const Words& words);
  std::string Status(const Words& words);
  std::string TickStats(const Words& words);
  std::string Peers(const Words& words);
  std::string Kick(const Words& words);
  std::string Spawn(const Words& words);
  std::string Kill(const Words& words);
  std::string Plugin(const Words& words);
  std::string PluginList() const;
  std::string ReloadConfig(const Words& words);
  std::string Record(const Words& words);
  std::string Pause(const Words& words);
  std::string Resume(const Words& words);
  std::string Shutdown(const Words& words);

  GameServer& m_server;
  ConsoleActions m_actions;
};

}  // namespace muster::server
