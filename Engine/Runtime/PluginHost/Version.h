// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Semantic versions and ranges of them, as plugin.json writes them.
//
//   VersionRange::Parse(">=1.2.0 <2.0.0")->Contains(*Version::Parse("1.4.7"))   // true
//
// Values; no threads, no locks. [any]
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::plugins {

/// `major.minor.patch` with an optional pre-release (`1.0.0-rc.1`), ordered by the rules of semver.org 2.0.0. Build
/// metadata is not accepted: two plugins that differ only there could not be told apart.
struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  std::string preRelease{};

  /// Nothing unless the whole text is a version of at most 31 characters.
  [[nodiscard]] static std::optional<Version> Parse(std::string_view text);
  [[nodiscard]] std::string ToString() const;

  friend bool operator==(const Version&, const Version&) = default;
  friend std::strong_ordering operator<=>(const Version& left, const Version& right) noexcept;
};

/// Conditions that must all hold, separated by spaces: `1.2.3` (exactly), `>=1.2.0`, `>1.2.0`, `<2.0.0`, `<=1.9.9`,
/// `^1.2.0` (same major, or same minor below 1.0.0), `~1.2.0` (same minor), `*` (any).
class VersionRange {
 public:
  /// Any version.
  VersionRange() = default;
  [[nodiscard]] static std::optional<VersionRange> Parse(std::string_view text);

  [[nodiscard]] bool Contains(const Version& version) const noexcept;
  /// As it was written.
  [[nodiscard]] const std::string& ToString() const noexcept { return m_text; }

 private:
  enum class Relation : std::uint8_t { Equal, AtLeast, Above, AtMost, Below };
  struct Condition {
    Relation relation;
    Version version;
  };
  [[nodiscard]] static bool AppendConditions(std::string_view word, std::vector<Condition>& out);

  std::vector<Condition> m_conditions;
  std::string m_text = "*";
};

}  // namespace muster::plugins
