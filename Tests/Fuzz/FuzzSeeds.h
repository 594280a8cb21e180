// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// How a target whose inputs are binary makes its seeds. The replay program writes them (`--make-seeds FOLDER`) and, at
// every replay, holds the committed ones against what this version would make, so that a corpus cannot go stale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::fuzz {

/// Builds one seed the way FuzzInput reads it.
class Script {
 public:
  Script& U8(std::size_t value) { return Number(value, 1); }
  Script& U16(std::size_t value) { return Number(value, 2); }
  Script& U32(std::uint64_t value) { return Number(value, 4); }
  Script& U64(std::uint64_t value) { return Number(value, 8); }
  Script& Bytes(std::span<const std::uint8_t> bytes) {
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Script& Bytes(std::span<const std::byte> bytes) {
    return Bytes(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  }
  Script& Text(std::string_view text) {
    return Bytes(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  }
  Script& Sized8(std::string_view text) { return U8(text.size()).Text(text); }
  Script& Sized16(std::span<const std::byte> bytes) { return U16(bytes.size()).Bytes(bytes); }
  Script& Sized16(std::span<const std::uint8_t> bytes) { return U16(bytes.size()).Bytes(bytes); }
  Script& Append(const Script& other) { return Bytes(std::span(other.m_bytes)); }
  Script& Repeat(std::size_t times, const Script& other) {
    for (std::size_t i = 0; i < times; ++i) {
      Append(other);
    }
    return *this;
  }

  [[nodiscard]] const std::vector<std::uint8_t>& Result() const { return m_bytes; }

 private:
  Script& Number(std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      m_bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    return *this;
  }

  std::vector<std::uint8_t> m_bytes;
};

/// Seeds by the name of their file.
using Seeds = std::map<std::string, std::vector<std::uint8_t>>;

/// Defined by targets whose seeds are made; others keep theirs by hand.
[[gnu::weak]] Seeds MakeSeeds();

}  // namespace muster::fuzz
