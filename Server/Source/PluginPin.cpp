// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginPin.h"

#include "Core/Bytes.h"
#include "Core/Files.h"
#include "PluginHost/Errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

namespace muster::server {

namespace {

constexpr std::size_t kMaxLockBytes = 1 << 20;

}  // namespace

Result<void> HoldToLock(const std::filesystem::path& path, const plugins::PluginLock& loaded, const Logger& log) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    Result<void> written = WriteFileAtomically(path, AsBytes(plugins::WriteLock(loaded)));
    if (written) {
      log.Info("wrote {}: from now on other plugins are refused", path.string());
    }
    return written;
  }
  const auto text = ReadTextFile(path, kMaxLockBytes);
  if (!text) {
    return text.Failure();
  }
  const auto approved = plugins::ReadLock(*text);
  if (!approved) {
    return approved.Failure();
  }
  const std::vector<std::string> differences = plugins::DescribeDifferences(loaded, *approved);
  if (!differences.empty()) {
    return Error{plugins::kLockMismatch, "The plugins are not those this server is pinned to.",
                 fmt::format("Against {}: {}", path.string(), fmt::join(differences, " ")),
                 "Put the approved plugins back, or remove the file to approve those that are there now."};
  }
  return {};
}

}  // namespace muster::server
