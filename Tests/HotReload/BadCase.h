// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The rejection corpus: one folder of Bad/ is one case. Bad/README.md describes the form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::plugins::test {

struct BadCase {
  /// One change of the library's bytes.
  struct Damage {
    std::optional<std::uint64_t> keepBytes{};
    std::optional<std::uint64_t> keepPerMille{};
    std::uint64_t at = 0;
    std::string bytes{};    ///< put there
    std::string replace{};  ///< when not empty: every such text, by `bytes`, which is as long
  };
  /// One thing done to the plugin root before it is searched; paths are relative to it.
  struct Arrangement {
    std::string path;
    std::string from{};  ///< moved to `path`
    std::string link{};  ///< what a symbolic link at `path` holds
    std::string mode{};  ///< octal
  };

  std::string name;
  std::string wrong;
  std::string error;  ///< the name in Docs/Reference/Errors.md; empty for the control
  std::string inCause;
  bool runs = false;  ///< only a call could tell, so that the library's code ran
  std::string step = "load";
  std::string id{};       ///< that is asked for
  std::string library{};  ///< "none" for no library at all
  std::string path = "plugin.so";
  std::string hash{};  ///< "other" for that of other bytes
  std::string layout{};
  std::string root{};
  std::string start{};
  std::string lock{};
  bool strict = false;
  std::vector<std::string> disabled{};
  std::vector<Damage> damage{};
  std::vector<Arrangement> paths{};

  [[nodiscard]] std::filesystem::path Folder() const;
  /// The library that was built for it, or the good one.
  [[nodiscard]] std::filesystem::path BuiltLibrary() const;
  [[nodiscard]] bool HasOwnLibrary() const;
  /// Those bytes with the damage done.
  [[nodiscard]] std::string LibraryBytes() const;

  /// Copies descriptors and library below a plugin root and arranges them.
  void Install(const std::filesystem::path& pluginRoot) const;
};

void PrintTo(const BadCase& badCase, std::ostream* stream);

/// Every case, by name. Throws std::runtime_error for one that does not read.
[[nodiscard]] std::vector<BadCase> ReadCorpus();

[[nodiscard]] std::string ReadText(const std::filesystem::path& path);

}  // namespace muster::plugins::test
