// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The operator's console on a small server: a command a line, ticks in between. Every line gets an answer that is text and
// nothing else; what is no command, or has the wrong number of words, does nothing to the world.
#include "FuzzInput.h"

#include "Console.h"
#include "GameServer.h"

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Core/Utf8.h"

#include <memory>
#include <string>

namespace muster::fuzz {
namespace {

constexpr std::uint32_t kCapacity = 128;
constexpr std::size_t kMaxLines = 8;

/// One server for all inputs, since making one takes longer than a thousand lines; emptied after each.
class Stage {
 public:
  Stage() {
    server::ServerConfig config;
    config.network.transport = "muster.transport.loopback";
    config.plugins.spatialIndex = "builtin.linear";
    config.plugins.codec = "builtin.raw";
    config.plugins.controllers = {};
    config.world.simWorkerThreads = 1;
    config.world.entityCapacity = kCapacity;
    config.server.port = 1;
    config.server.maxPeers = 1;
    auto made = server::GameServer::Create(
        config, {.clock = m_clock,
                 .logSink = m_sink,
                 .pluginRoots = {{std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "Plugins"}},
                 .contentDirectory = std::filesystem::path{MUSTER_TEST_SOURCE_DIR} / "Content"});
    if (!made) {
      std::fprintf(stderr, "%s\n", made.Failure().ToString().c_str());
      std::abort();
    }
    m_server = std::move(*made);
    Require(m_server->Listen().HasValue(), "the server listens");
    m_console = std::make_unique<server::Console>(
        *m_server, server::ConsoleActions{.figures = [] { return server::TickFigures{}; },
                                          .shutdown = [](std::string reason) { CheckText(reason); },
                                          .reloadConfig = [] { return std::string{"Nothing differs.\n"}; }});
  }

  void Run(std::string_view input) {
    for (std::size_t lines = 0; lines < kMaxLines && !input.empty(); ++lines) {
      const std::size_t end = input.find('\n');
      Line(input.substr(0, end));
      input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
      Tick();
    }
    Empty();
  }

 private:
  void Line(std::string_view line) {
    if (line.find("record") != std::string_view::npos && line.find("start") != std::string_view::npos) {
      return;  // would write files of any name
    }
    const std::uint64_t before = m_server->World().StateDigest();
    const std::string answer = m_console->Execute(line);
    const bool isBlank = line.find_first_not_of(" \t\r\n") == std::string_view::npos;
    Require(answer.empty() == isBlank, "every line gets an answer");
    if (isBlank) {
      return;
    }
    Require(answer.back() == '\n', "an answer ends its line");
    Require(answer.size() < std::size_t{64} << 10U, "an answer is bounded");
    CheckText(answer);
    const bool isRefused = answer.starts_with("There is no command") || answer.starts_with("usage:") ||
                           answer.starts_with("A line may have");
    Require(!isRefused || m_server->World().StateDigest() == before, "what is no command does nothing");
  }

  /// Lines of text and nothing that a terminal would act on.
  static void CheckText(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      Require(IsValidUtf8(line) && EscapeControl(line) == line, "an answer is text without tricks");
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

  void Tick() {
    m_clock.Advance(kTickDuration);
    m_server->Link().Service();
    m_server->RunTick(++m_tick);
  }

  void Empty() {
    m_console->Execute("resume");
    simulation::Simulation& world = m_server->World();
    for (const std::uint32_t slot : world.Store().LiveSlots()) {
      world.RequestDespawn(world.Store().HandleAt(slot));
    }
    Tick();
    Tick();
    Require(world.Store().LiveCount() == 0, "the world is empty again");
  }

  ManualClock m_clock;
  MemorySink m_sink{LogLevel::Warning, 64};
  std::unique_ptr<server::GameServer> m_server;
  std::unique_ptr<server::Console> m_console;
  muster::Tick m_tick{};
};

}  // namespace
}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static muster::fuzz::Stage stage;
  stage.Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
