// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginConformance/Request.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace muster::conformance {

namespace {

plugins::SettingValue ValueOf(std::string_view text) {
  if (text == "true" || text == "false") {
    return text == "true";
  }
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto read = std::from_chars(text.data(), end, integer); read.ec == std::errc{} && read.ptr == end) {
    return integer;
  }
  double number = 0.0;
  if (const auto read = std::from_chars(text.data(), end, number); read.ec == std::errc{} && read.ptr == end) {
    return number;
  }
  return std::string{text};
}

std::filesystem::path FolderOf(std::string_view text) {
  const std::filesystem::path path = std::filesystem::absolute(text).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

std::optional<Request> TakeRequest(int& argc, char** argv) {
  Request request;
  if (const char* const folder = std::getenv("MUSTER_CONFORMANCE_PLUGIN"); folder != nullptr && *folder != '\0') {
    request.plugin = FolderOf(folder);
  }
  int kept = 0;
  for (int index = 0; index < argc; ++index) {
    const std::string_view word = argv[index];
    const bool isPlugin = word == "--plugin";
    if (index == 0 || (!isPlugin && word != "--set")) {
      argv[kept++] = argv[index];
      continue;
    }
    const std::string_view value = index + 1 < argc ? argv[++index] : "";
    const std::size_t equals = value.find('=');
    if (value.empty() || (!isPlugin && (equals == 0 || equals == std::string_view::npos))) {
      return std::nullopt;
    }
    if (isPlugin) {
      request.plugin = FolderOf(value);
    } else {
      request.settings.insert_or_assign(std::string{value.substr(0, equals)}, ValueOf(value.substr(equals + 1)));
    }
  }
  argc = kept;
  argv[argc] = nullptr;
  return request;
}

}  // namespace muster::conformance
