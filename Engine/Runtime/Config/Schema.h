// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The configuration of a program, declared once:
//
//     struct ServerConfig {
//         struct { std::uint32_t maxPeers = 32; } server;
//         struct { double radiusMeters = 2000.0; } interest;
//     };
//
//     Schema<ServerConfig> MakeSchema() {
//         Schema<ServerConfig> schema;
//         schema.Add("server", "max_peers", [](ServerConfig& c) -> auto& { return c.server.maxPeers; })
//             .Range(1, 1024).Unit("peers").Live().Help("Players that may be connected at once.");
//         schema.Add("interest", "radius_m", [](ServerConfig& c) -> auto& { return c.interest.radiusMeters; })
//             .Range(1.0, 1e6).Unit("m").Help("How far a player sees.");
//         return schema;
//     }
//
//     Loaded loaded = Load(schema.Keys(), sources);       // Load.h
//     if (!loaded.IsUsable()) { print(loaded.ErrorText()); return 2; }
//     ServerConfig config = schema.Bind(loaded.config);
//
// Defaults are the struct's own initialisers. The member's type decides the key's: bool, any integer that fits int64,
// float or double, std::string, std::vector<std::string>. A schema is built once and only read afterwards. [any]
#pragma once

#include "Config/EffectiveConfig.h"
#include "Config/Key.h"
#include "Core/Assert.h"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::config {

namespace detail {

template <class M>
inline constexpr bool kIsInteger = std::integral<M> && !std::same_as<M, bool> && !std::same_as<M, std::uint64_t>;

template <class M>
concept Bindable = std::same_as<M, bool> || kIsInteger<M> || std::floating_point<M> || std::same_as<M, std::string> ||
    std::same_as<M, std::vector<std::string>>;

template <Bindable M>
[[nodiscard]] Value ToValue(const M& member) {
  if constexpr (kIsInteger<M>) {
    return static_cast<std::int64_t>(member);
  } else if constexpr (std::floating_point<M>) {
    return static_cast<double>(member);
  } else {
    return member;
  }
}

template <Bindable M>
void FromValue(const Value& value, M& member) {
  if constexpr (kIsInteger<M>) {
    member = static_cast<M>(std::get<std::int64_t>(value));
  } else if constexpr (std::floating_point<M>) {
    member = static_cast<M>(std::get<double>(value));
  } else {
    member = std::get<M>(value);
  }
}

}  // namespace detail

/// Finishes the declaration of a key. Lives only within the statement that adds it.
template <class M>
class KeyOptions {
 public:
  explicit KeyOptions(Key& key) : m_key{key} {}

  /// Bounds, both inclusive. Without them an integer may be what its member can hold, a number anything finite.
  KeyOptions& Range(M low, M high) requires detail::kIsInteger<M> {
    m_key.minInteger = static_cast<std::int64_t>(low);
    m_key.maxInteger = static_cast<std::int64_t>(high);
    CheckRange(low, high);
    return *this;
  }
  KeyOptions& Range(M low, M high) requires std::floating_point<M> {
    m_key.minNumber = static_cast<double>(low);
    m_key.maxNumber = static_cast<double>(high);
    CheckRange(low, high);
    return *this;
  }
  /// The words that the text may be.
  KeyOptions& OneOf(std::vector<std::string> words) requires std::same_as<M, std::string> {
    m_key.allowed = std::move(words);
    return *this;
  }
  KeyOptions& MaxCharacters(std::size_t bytes) {
    m_key.maxCharacters = bytes;
    return *this;
  }
  KeyOptions& Unit(std::string unit) {
    m_key.unit = std::move(unit);
    return *this;
  }
  /// A reload applies it. Without this a change needs a restart.
  KeyOptions& Live() {
    m_key.reload = Reload::Live;
    return *this;
  }
  /// Its value is never printed.
  KeyOptions& Secret() {
    m_key.isSecret = true;
    return *this;
  }
  KeyOptions& Help(std::string sentence) {
    m_key.help = std::move(sentence);
    return *this;
  }

 private:
  void CheckRange(M low, M high) {
    MUSTER_ASSERT_ALWAYS(low <= high, "an empty range");
    const M fallback = [this] {
      M value{};
      detail::FromValue(m_key.fallback, value);
      return value;
    }();
    MUSTER_ASSERT_ALWAYS(fallback >= low && fallback <= high, "the default lies outside the range");
  }

  Key& m_key;
};

/// The keys of `T` and how to fill it.
template <class T>
class Schema {
 public:
  /// `access` is T& -> Member&. Section and name are lower-case words as in the file. Asserts that the key is new.
  template <class Access>
  auto Add(std::string section, std::string name, Access access)
      -> KeyOptions<std::remove_reference_t<std::invoke_result_t<Access, T&>>> {
    using M = std::remove_reference_t<std::invoke_result_t<Access, T&>>;
    static_assert(std::is_lvalue_reference_v<std::invoke_result_t<Access, T&>>, "access returns a reference");
    static_assert(detail::Bindable<M>, "no key can hold a member of this type");
    Key key;
    key.section = std::move(section);
    key.name = std::move(name);
    key.fallback = detail::ToValue(access(m_defaults));
    key.type = static_cast<ValueType>(key.fallback.index());
    if constexpr (detail::kIsInteger<M>) {
      key.minInteger = static_cast<std::int64_t>(std::numeric_limits<M>::min());
      key.maxInteger = static_cast<std::int64_t>(std::numeric_limits<M>::max());
    } else if constexpr (std::floating_point<M>) {
      key.minNumber = static_cast<double>(std::numeric_limits<M>::lowest());
      key.maxNumber = static_cast<double>(std::numeric_limits<M>::max());
    }
    m_setters.push_back([access](T& target, const Value& value) { detail::FromValue(value, access(target)); });
    return KeyOptions<M>{m_keys.Add(std::move(key))};
  }

  [[nodiscard]] const KeySet& Keys() const noexcept { return m_keys; }

  /// The struct with every value in its member. `config` must come from this schema's keys and have no errors.
  [[nodiscard]] T Bind(const EffectiveConfig& config) const {
    MUSTER_ASSERT(config.Entries().size() == m_setters.size(), "a configuration of another schema");
    T target{};
    for (std::size_t i = 0; i < m_setters.size(); ++i) {
      m_setters[i](target, config.Entries()[i].value);
    }
    return target;
  }

 private:
  T m_defaults{};
  KeySet m_keys;
  std::vector<std::function<void(T&, const Value&)>> m_setters;
};

}  // namespace muster::config
