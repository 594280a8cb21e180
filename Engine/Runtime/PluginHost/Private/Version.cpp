// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Version.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace muster::plugins {
namespace {

constexpr std::size_t kMaxVersionCharacters = 31;
constexpr std::size_t kMaxRangeCharacters = 256;

[[nodiscard]] bool IsDigit(char letter) noexcept {
  return letter >= '0' && letter <= '9';
}

/// A number without leading zeros at the start of `text`, which moves behind it.
[[nodiscard]] std::optional<std::uint32_t> TakeNumber(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsDigit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0')) {
    return std::nullopt;
  }
  std::uint32_t value = 0;
  const auto [rest, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc{} || rest != digits.data() + digits.size()) {
    return std::nullopt;
  }
  text.remove_prefix(digits.size());
  return value;
}

[[nodiscard]] bool TakeDot(std::string_view& text) {
  if (text.empty() || text.front() != '.') {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

/// The part of `text` before its first dot; `text` moves behind the dot.
[[nodiscard]] std::string_view TakeIdentifier(std::string_view& text) {
  const std::size_t dot = text.find('.');
  const std::string_view identifier = text.substr(0, dot);
  text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  return identifier;
}

[[nodiscard]] bool IsNumeric(std::string_view identifier) {
  return !identifier.empty() && std::all_of(identifier.begin(), identifier.end(), IsDigit);
}

[[nodiscard]] bool IsPreRelease(std::string_view text) {
  if (text.empty() || text.back() == '.') {
    return false;
  }
  while (!text.empty()) {
    const std::string_view identifier = TakeIdentifier(text);
    const bool isWord = !identifier.empty() && std::all_of(identifier.begin(), identifier.end(), [](char letter) {
      return IsDigit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '-';
    });
    if (!isWord || (IsNumeric(identifier) && identifier.size() > 1 && identifier.front() == '0')) {
      return false;
    }
  }
  return true;
}

/// Order of pre-releases by semver 2.0.0 §11: none is the highest, numbers below words, fewer parts below more.
[[nodiscard]] std::strong_ordering ComparePreRelease(std::string_view left, std::string_view right) {
  if (left.empty() || right.empty()) {
    return left.empty() <=> right.empty();
  }
  while (!left.empty() && !right.empty()) {
    const std::string_view a = TakeIdentifier(left);
    const std::string_view b = TakeIdentifier(right);
    const bool numericA = IsNumeric(a);
    const bool numericB = IsNumeric(b);
    std::strong_ordering order = std::strong_ordering::equal;
    if (numericA != numericB) {
      order = numericB <=> numericA;
    } else if (numericA && a.size() != b.size()) {
      order = a.size() <=> b.size();
    } else {
      order = a <=> b;
    }
    if (order != std::strong_ordering::equal) {
      return order;
    }
  }
  return right.empty() <=> left.empty();
}

}  // namespace

std::optional<Version> Version::Parse(std::string_view text) {
  if (text.size() > kMaxVersionCharacters) {
    return std::nullopt;
  }
  Version version;
  const auto major = TakeNumber(text);
  if (!major || !TakeDot(text)) {
    return std::nullopt;
  }
  const auto minor = TakeNumber(text);
  if (!minor || !TakeDot(text)) {
    return std::nullopt;
  }
  const auto patch = TakeNumber(text);
  if (!patch) {
    return std::nullopt;
  }
  version.major = *major;
  version.minor = *minor;
  version.patch = *patch;
  if (!text.empty()) {
    if (text.front() != '-' || !IsPreRelease(text.substr(1))) {
      return std::nullopt;
    }
    version.preRelease = text.substr(1);
  }
  return version;
}

std::string Version::ToString() const {
  return preRelease.empty() ? fmt::format("{}.{}.{}", major, minor, patch)
                            : fmt::format("{}.{}.{}-{}", major, minor, patch, preRelease);
}

std::strong_ordering operator<=>(const Version& left, const Version& right) noexcept {
  if (const auto order = left.major <=> right.major; order != std::strong_ordering::equal) {
    return order;
  }
  if (const auto order = left.minor <=> right.minor; order != std::strong_ordering::equal) {
    return order;
  }
  if (const auto order = left.patch <=> right.patch; order != std::strong_ordering::equal) {
    return order;
  }
  return ComparePreRelease(left.preRelease, right.preRelease);
}

bool VersionRange::AppendConditions(std::string_view word, std::vector<Condition>& out) {
  if (word == "*") {
    return true;
  }
  const auto startsWith = [&word](std::string_view prefix) {
    if (word.substr(0, prefix.size()) != prefix) {
      return false;
    }
    word.remove_prefix(prefix.size());
    return true;
  };
  const bool isCaret = startsWith("^");
  const bool isTilde = !isCaret && startsWith("~");
  Relation relation = Relation::Equal;
  if (!isCaret && !isTilde) {
    relation = startsWith(">=")   ? Relation::AtLeast
               : startsWith("<=") ? Relation::AtMost
               : startsWith(">")  ? Relation::Above
               : startsWith("<")  ? Relation::Below
                                  : Relation::Equal;
  }
  const std::optional<Version> version = Version::Parse(word);
  if (!version) {
    return false;
  }
  if (!isCaret && !isTilde) {
    out.push_back({relation, *version});
    return true;
  }
  Version end{};
  if (isCaret && version->major > 0) {
    if (version->major == UINT32_MAX) {
      return false;
    }
    end.major = version->major + 1;
  } else {
    if (version->minor == UINT32_MAX) {
      return false;
    }
    end.major = version->major;
    end.minor = version->minor + 1;
  }
  // A pre-release of the end is not yet the end, but it is no part of the range either.
  end.preRelease = "0";
  out.push_back({Relation::AtLeast, *version});
  out.push_back({Relation::Below, end});
  return true;
}

std::optional<VersionRange> VersionRange::Parse(std::string_view text) {
  if (text.empty() || text.size() > kMaxRangeCharacters) {
    return std::nullopt;
  }
  VersionRange range;
  range.m_text = text;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (word.empty() || !AppendConditions(word, range.m_conditions)) {
      return std::nullopt;
    }
    if (space == std::string_view::npos) {
      return range;
    }
    text.remove_prefix(space + 1);
  }
  return std::nullopt;
}

bool VersionRange::Contains(const Version& version) const noexcept {
  return std::all_of(m_conditions.begin(), m_conditions.end(), [&version](const Condition& condition) {
    switch (condition.relation) {
      case Relation::Equal:
        return version == condition.version;
      case Relation::AtLeast:
        return version >= condition.version;
      case Relation::Above:
        return version > condition.version;
      case Relation::AtMost:
        return version <= condition.version;
      case Relation::Below:
        return version < condition.version;
    }
    return false;
  });
}

}  // namespace muster::plugins
