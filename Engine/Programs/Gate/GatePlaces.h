// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Where the gate finds what it runs, and whether it was told to stop.
#pragma once

#include "Core/Result.h"

#include <atomic>
#include <filesystem>

namespace muster::gate {

struct Places {
  std::filesystem::path build;   ///< bin/, Plugins/, tests/, HotReload/
  std::filesystem::path source;  ///< Server/Config, Content, Tests/Load

  [[nodiscard]] std::filesystem::path Program(const char* name) const { return build / "bin" / name; }
  [[nodiscard]] std::filesystem::path SampleConfig() const { return source / "Server" / "Config" / "sample.toml"; }
};

/// A path as people are shown it: relative where it lies below the folder they are in.
std::filesystem::path ShownPath(const std::filesystem::path& path);

/// Set by a signal; whatever waits looks at it.
using StopFlag = std::atomic<bool>;

/// What a wait ends with when the flag is set: kGateInterrupted.
Error Interrupted();

}  // namespace muster::gate
