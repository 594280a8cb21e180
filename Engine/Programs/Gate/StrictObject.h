// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Reads a JSON object whose every key must be known: a misspelt threshold that is passed over would never bite.
//
//   StrictObject object{json, "checks[2]"};
//   const std::string binary = object.Text("binary");
//   const double seconds = object.Number("seconds", 5.0);
//   if (Result<void> read = object.Finish(); !read) { ... }      // the first thing that was wrong
//
// A key that is missing or of the wrong kind yields an empty value and an error from Finish.
#pragma once

#include "Core/Result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

class StrictObject {
 public:
  /// `where` names the object in errors. The JSON outlives the reader.
  StrictObject(const nlohmann::json& json, std::string where);

  std::string Text(const std::string& key);
  std::string Text(const std::string& key, std::string_view fallback);
  double Number(const std::string& key);
  double Number(const std::string& key, double fallback);
  std::uint32_t Count(const std::string& key, std::uint32_t fallback);
  bool Flag(const std::string& key, bool fallback);
  std::vector<std::string> Texts(const std::string& key);
  std::vector<std::string> TextsOr(const std::string& key, std::vector<std::string> fallback);
  /// Any value; null when it is absent.
  const nlohmann::json& Any(const std::string& key);
  /// The objects of an array; must be there and hold at least one.
  std::vector<StrictObject> Objects(const std::string& key);

  [[nodiscard]] bool Has(const std::string& key) const { return m_json.is_object() && m_json.contains(key); }
  [[nodiscard]] const std::string& Where() const { return m_where; }

  /// To be found wrong by whoever understands the values; only the first counts.
  void Refuse(std::string cause);

  /// kCheckUnknownKey for a key that nobody asked for, kCheckListMalformed for everything else.
  [[nodiscard]] Result<void> Finish() const;

 private:
  const nlohmann::json* Find(const std::string& key);
  const nlohmann::json* Require(const std::string& key);
  void WrongKind(const std::string& key, std::string_view wanted);

  const nlohmann::json& m_json;
  std::string m_where;
  std::set<std::string> m_known;
  std::optional<std::string> m_cause;
};

}  // namespace muster::gate
