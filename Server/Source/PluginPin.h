// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Pins a server to the plugins it was approved with: plugins.lock.
#pragma once

#include "Core/Log.h"
#include "Core/Result.h"
#include "PluginHost/PluginLock.h"

#include <filesystem>

namespace muster::server {

/// With no file at `path`, writes what is loaded now and says so in the log. With one, compares: fails with
/// plugins::kLockMismatch, which lists every difference, or with the error of an unreadable file. [main]
Result<void> HoldToLock(const std::filesystem::path& path, const plugins::PluginLock& loaded, const Logger& log);

}  // namespace muster::server
