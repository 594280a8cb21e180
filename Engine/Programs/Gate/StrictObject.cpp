// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "StrictObject.h"

#include "GateErrors.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace muster::gate {

namespace {

using Json = nlohmann::json;

constexpr double kMaxCount = 1e9;

bool IsTexts(const Json& json) {
  if (!json.is_array()) {
    return false;
  }
  for (const Json& element : json) {
    if (!element.is_string()) {
      return false;
    }
  }
  return true;
}

}  // namespace

StrictObject::StrictObject(const Json& json, std::string where) : m_json(json), m_where(std::move(where)) {
  if (!m_json.is_object()) {
    Refuse("It is not an object.");
  }
}

void StrictObject::Refuse(std::string cause) {
  if (!m_cause) {
    m_cause = std::move(cause);
  }
}

void StrictObject::WrongKind(const std::string& key, std::string_view wanted) {
  Refuse(fmt::format("\"{}\" must be {}.", key, wanted));
}

const Json* StrictObject::Find(const std::string& key) {
  m_known.insert(key);
  return Has(key) ? &m_json[key] : nullptr;
}

const Json* StrictObject::Require(const std::string& key) {
  const Json* const found = Find(key);
  if (found == nullptr) {
    Refuse(fmt::format("\"{}\" is missing.", key));
  }
  return found;
}

std::string StrictObject::Text(const std::string& key) {
  const Json* const found = Require(key);
  if (found == nullptr) {
    return {};
  }
  if (!found->is_string() || found->get_ref<const std::string&>().empty()) {
    WrongKind(key, "a text that is not empty");
    return {};
  }
  return found->get<std::string>();
}

std::string StrictObject::Text(const std::string& key, std::string_view fallback) {
  return Find(key) == nullptr ? std::string{fallback} : Text(key);
}

double StrictObject::Number(const std::string& key) {
  const Json* const found = Require(key);
  if (found == nullptr) {
    return 0;
  }
  if (!found->is_number()) {
    WrongKind(key, "a number");
    return 0;
  }
  return found->get<double>();
}

double StrictObject::Number(const std::string& key, double fallback) {
  return Find(key) == nullptr ? fallback : Number(key);
}

std::uint32_t StrictObject::Count(const std::string& key, std::uint32_t fallback) {
  const double number = Number(key, fallback);
  if (number < 0 || number > kMaxCount || number != std::floor(number)) {
    WrongKind(key, "a whole number from 0");
    return 0;
  }
  return static_cast<std::uint32_t>(number);
}

bool StrictObject::Flag(const std::string& key, bool fallback) {
  const Json* const found = Find(key);
  if (found == nullptr) {
    return fallback;
  }
  if (!found->is_boolean()) {
    WrongKind(key, "true or false");
    return fallback;
  }
  return found->get<bool>();
}

std::vector<std::string> StrictObject::Texts(const std::string& key) {
  const Json* const found = Require(key);
  if (found == nullptr) {
    return {};
  }
  if (!IsTexts(*found) || found->empty()) {
    WrongKind(key, "a list of texts");
    return {};
  }
  return found->get<std::vector<std::string>>();
}

std::vector<std::string> StrictObject::TextsOr(const std::string& key, std::vector<std::string> fallback) {
  return Find(key) == nullptr ? std::move(fallback) : Texts(key);
}

const Json& StrictObject::Any(const std::string& key) {
  static const Json kNull;
  const Json* const found = Find(key);
  return found == nullptr ? kNull : *found;
}

std::vector<StrictObject> StrictObject::Objects(const std::string& key) {
  std::vector<StrictObject> objects;
  const Json* const found = Require(key);
  if (found == nullptr) {
    return objects;
  }
  if (!found->is_array() || found->empty()) {
    WrongKind(key, "a list of objects");
    return objects;
  }
  for (std::size_t i = 0; i < found->size(); ++i) {
    objects.emplace_back((*found)[i], fmt::format("{}.{}[{}]", m_where, key, i));
  }
  return objects;
}

Result<void> StrictObject::Finish() const {
  // An unknown key first: it is often the missing one, misspelt.
  if (m_json.is_object()) {
    for (const auto& [key, value] : m_json.items()) {
      if (!m_known.contains(key)) {
        std::string known;
        for (const std::string& name : m_known) {
          known += (known.empty() ? "" : ", ") + name;
        }
        return Error{kCheckUnknownKey, fmt::format("{} has a key \"{}\" that nothing reads.", m_where, key),
                     fmt::format("It may have: {}.", known), "Correct its spelling, or take it out."};
      }
    }
  }
  if (m_cause) {
    return Error{kCheckListMalformed, fmt::format("{} cannot be used.", m_where), *m_cause,
                 "Mend the list of checks; Tests/Load/README.md describes it."};
  }
  return {};
}

}  // namespace muster::gate
