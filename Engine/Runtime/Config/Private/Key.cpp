// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Config/Key.h"

#include "Core/Assert.h"
#include "EditDistance.h"
#include "TypeWords.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace muster::config {

namespace {

bool IsKeyWord(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string Upper(std::string_view word) {
  std::string upper{word};
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return upper;
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string RangeOf(const Key& key) {
  if (key.type == ValueType::Integer) {
    return fmt::format("{} to {}", key.minInteger, key.maxInteger);
  }
  const bool isBounded =
      key.type == ValueType::Number && (key.minNumber > static_cast<double>(std::numeric_limits<float>::lowest()) ||
                                        key.maxNumber < static_cast<double>(std::numeric_limits<float>::max()));
  if (isBounded) {
    return fmt::format("{} to {}", key.minNumber, key.maxNumber);
  }
  return fmt::format("{}", fmt::join(key.allowed, ", "));
}

/// A cell of a Markdown table holds no pipe and no line end.
std::string Cell(std::string text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') {
      out += "\\|";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

}  // namespace

std::string Key::Path() const {
  return section + "." + name;
}

std::string Key::EnvironmentName() const {
  return "MUSTER_" + Upper(section) + "_" + Upper(name);
}

std::string Key::Allowed() const {
  std::string text{WordsFor(type)};
  const std::string range = RangeOf(*this);
  if (!range.empty()) {
    text += type == ValueType::Text ? ": one of " + range : " from " + range;
  }
  if (!unit.empty()) {
    text += " (" + unit + ")";
  }
  return text;
}

Key& KeySet::Add(Key key) {
  MUSTER_ASSERT_ALWAYS(IsKeyWord(key.section) && IsKeyWord(key.name), "keys are lower-case words");
  MUSTER_ASSERT_ALWAYS(!Find(key.section, key.name), "the key exists already");
  m_keys.push_back(std::move(key));
  return m_keys.back();
}

std::optional<std::size_t> KeySet::Find(std::string_view section, std::string_view name) const {
  const auto found = std::find_if(m_keys.begin(), m_keys.end(),
                                  [&](const Key& key) { return key.section == section && key.name == name; });
  return found == m_keys.end() ? std::nullopt
                               : std::optional<std::size_t>{static_cast<std::size_t>(found - m_keys.begin())};
}

bool KeySet::HasSection(std::string_view section) const {
  return std::any_of(m_keys.begin(), m_keys.end(), [section](const Key& key) { return key.section == section; });
}

std::string KeySet::Nearest(std::string_view section, std::string_view name) const {
  // Words longer than any key are not typing errors, and the distance costs their product.
  constexpr std::size_t kLongestWord = 64;
  if (section.size() > kLongestWord || name.size() > kLongestWord) {
    return {};
  }
  const Key* nearest = nullptr;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (const Key& key : m_keys) {
    // The right key in the wrong section is one mistake, however far the sections are from each other.
    const std::size_t sectionDistance = std::min<std::size_t>(EditDistance(section, key.section), 2);
    const std::size_t distance = 2 * EditDistance(name, key.name) + sectionDistance;
    if (distance < best) {
      best = distance;
      nearest = &key;
    }
  }
  const std::size_t tolerance = 2 * std::max<std::size_t>(2, name.size() / 3) + 2;
  return nearest != nullptr && best <= tolerance ? nearest->Path() : std::string{};
}

std::string ToToml(const Value& value) {
  struct Writer {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
    std::string operator()(double number) const {
      const std::string text = fmt::format("{}", number);
      return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    std::string operator()(const std::string& text) const { return Quoted(text); }
    std::string operator()(const std::vector<std::string>& list) const {
      std::string text = "[";
      for (const std::string& entry : list) {
        text += (text.size() == 1 ? "" : ", ") + Quoted(entry);
      }
      return text + "]";
    }
  };
  return std::visit(Writer{}, value);
}

std::string MarkdownReference(const KeySet& keys) {
  constexpr std::array<std::string_view, 5> kTypes{"boolean", "integer", "number", "text", "list of texts"};
  std::vector<std::string> sections;
  for (const Key& key : keys.Keys()) {
    if (std::find(sections.begin(), sections.end(), key.section) == sections.end()) {
      sections.push_back(key.section);
    }
  }
  std::string text;
  for (const std::string& section : sections) {
    text += fmt::format("{}## `[{}]`\n\n| key | type | default | range | unit | a change applies | meaning |\n",
                        text.empty() ? "" : "\n", section);
    text += "|---|---|---|---|---|---|---|\n";
    for (const Key& key : keys.Keys()) {
      if (key.section == section) {
        text += fmt::format("| `{}` | {} | `{}` | {} | {} | {} | {} |\n", key.name,
                            kTypes[static_cast<std::size_t>(key.type)],
                            key.isSecret ? "secret" : Cell(ToToml(key.fallback)), Cell(RangeOf(key)), Cell(key.unit),
                            key.reload == Reload::Live ? "at reload" : "at restart", Cell(key.help));
      }
    }
  }
  return text;
}

}  // namespace muster::config
