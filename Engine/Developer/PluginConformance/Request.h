// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The part of a suite's command line that says who is to be judged:
//
//   --plugin FOLDER    the plugin in this folder and nobody else; also by the variable MUSTER_CONFORMANCE_PLUGIN
//   --set KEY=VALUE    a setting of the plugins' own: true, false, a number, or text; may be repeated
//
// In main, before GoogleTest sees the arguments:
//
//   std::optional<Request> request = TakeRequest(argc, argv);   // empty: print kRequestUsage
//   ::testing::InitGoogleTest(&argc, argv);
#pragma once

#include <filesystem>
#include <optional>

#include "PluginHost/PluginHost.h"

namespace muster::conformance {

struct Request {
  std::optional<std::filesystem::path> plugin;  ///< absolute, with no slash at its end
  plugins::PluginSettings settings;
};

inline constexpr const char* kRequestUsage = "usage: [--plugin FOLDER] [--set KEY=VALUE]... and what GoogleTest takes";

/// Takes its own arguments out of `argv` and leaves the rest. Empty when one of them lacks its value. [main]
[[nodiscard]] std::optional<Request> TakeRequest(int& argc, char** argv);

}  // namespace muster::conformance
