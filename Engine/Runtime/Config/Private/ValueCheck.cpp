// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ValueCheck.h"

#include "Config/Load.h"
#include "TypeWords.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

namespace muster::config {

namespace {

Error Refusal(ErrorCode code, const Key& key, std::string_view place, std::string cause) {
  return Error{code, fmt::format("{}: {} has a value that it cannot have.", place, key.Path()), std::move(cause),
               fmt::format("Set it to {}.", key.Allowed())};
}

/// Secrets are not repeated in messages either.
std::string Quoted(const Key& key, const Value& value) {
  return key.isSecret ? "The value" : "It is " + ToToml(value) + ", which";
}

Result<Value> CheckText(const Key& key, const std::string& text, std::string_view place) {
  if (text.size() > key.maxCharacters) {
    return Refusal(kConfigOutOfRange, key, place,
                   fmt::format("It has {} bytes, more than {}.", text.size(), key.maxCharacters));
  }
  const bool isAllowed =
      key.allowed.empty() || std::find(key.allowed.begin(), key.allowed.end(), text) != key.allowed.end();
  if (!isAllowed) {
    return Refusal(kConfigNotAllowed, key, place, Quoted(key, text) + " is not one of the allowed words.");
  }
  return text;
}

Result<Value> CheckList(const Key& key, std::vector<std::string> list, std::string_view place) {
  if (list.size() > key.maxEntries) {
    return Refusal(kConfigOutOfRange, key, place,
                   fmt::format("It has {} entries, more than {}.", list.size(), key.maxEntries));
  }
  for (const std::string& entry : list) {
    if (const Result<Value> checked = CheckText(key, entry, place); !checked) {
      return checked.Failure();
    }
  }
  return list;
}

template <class Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc{} && stopped == end && !text.empty() ? std::optional<Number>{number} : std::nullopt;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

Error WrongType(const Key& key, std::string_view found, std::string_view place) {
  return Refusal(kConfigWrongType, key, place, fmt::format("It is {}.", found));
}

Result<Value> CheckValue(const Key& key, Value value, std::string_view place) {
  if (key.type == ValueType::Number && std::holds_alternative<std::int64_t>(value)) {
    value = static_cast<double>(std::get<std::int64_t>(value));
  }
  if (value.index() != static_cast<std::size_t>(key.type)) {
    return WrongType(key, WordsFor(static_cast<ValueType>(value.index())), place);
  }
  switch (key.type) {
    case ValueType::Boolean:
      return value;
    case ValueType::Integer: {
      const std::int64_t integer = std::get<std::int64_t>(value);
      if (integer < key.minInteger || integer > key.maxInteger) {
        return Refusal(kConfigOutOfRange, key, place, Quoted(key, value) + " is out of range.");
      }
      return value;
    }
    case ValueType::Number: {
      const double number = std::get<double>(value);
      if (!std::isfinite(number)) {
        return Refusal(kConfigNotFinite, key, place, "It is not a finite number.");
      }
      if (number < key.minNumber || number > key.maxNumber) {
        return Refusal(kConfigOutOfRange, key, place, Quoted(key, value) + " is out of range.");
      }
      return value;
    }
    case ValueType::Text:
      return CheckText(key, std::get<std::string>(value), place);
    case ValueType::TextList:
      return CheckList(key, std::get<std::vector<std::string>>(std::move(value)), place);
  }
  return WrongType(key, "of no known type", place);
}

Result<Value> ParseValue(const Key& key, std::string_view text, std::string_view place) {
  const std::string_view word = Trimmed(text);
  switch (key.type) {
    case ValueType::Boolean:
      if (word == "true" || word == "false") {
        return word == "true";
      }
      break;
    case ValueType::Integer:
      if (const auto integer = ParseWhole<std::int64_t>(word)) {
        return *integer;
      }
      break;
    case ValueType::Number:
      if (const auto number = ParseWhole<double>(word)) {
        return *number;
      }
      break;
    case ValueType::Text:
      return std::string{text};
    case ValueType::TextList: {
      std::vector<std::string> list;
      for (std::size_t start = 0; start < text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        const std::string_view item = Trimmed(text.substr(start, comma - start));
        if (item.find_first_of("[]\"'") != std::string_view::npos) {
          return WrongType(key, "a list as TOML writes it; here entries stand bare, as in a,b", place);
        }
        list.emplace_back(item);
        start = comma + 1;
      }
      return list;
    }
  }
  return WrongType(key, key.isSecret ? "something else" : ToToml(std::string{text}), place);
}

Value GuessValue(std::string_view text) {
  const std::string_view word = Trimmed(text);
  if (word == "true" || word == "false") {
    return Value{word == "true"};
  }
  if (const auto integer = ParseWhole<std::int64_t>(word)) {
    return Value{*integer};
  }
  const auto number = ParseWhole<double>(word);
  return number && std::isfinite(*number) ? Value{*number} : Value{std::string{text}};
}

}  // namespace muster::config
