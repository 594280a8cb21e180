// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Link/Address.h"

#include <fmt/format.h>

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace muster::link {

namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

bool IsMappedV4(const mu_address& address) noexcept {
  return std::memcmp(address.ip, kMappedPrefix.data(), kMappedPrefix.size()) == 0;
}

Error BadAddress(std::string_view text, std::string_view cause) {
  return Error{kBadAddress, fmt::format("'{}' is no network address.", text), std::string(cause),
               "Write an IPv4 address such as 127.0.0.1, or an IPv6 address such as ::1."};
}

}  // namespace

Result<mu_address> ParseAddress(std::string_view ip, std::uint16_t port) {
  mu_address address{};
  address.port = port;
  const std::string text(ip == "localhost" ? std::string_view{"127.0.0.1"} : ip);
  if (inet_pton(AF_INET, text.c_str(), address.ip + kMappedPrefix.size()) == 1) {
    std::copy(kMappedPrefix.begin(), kMappedPrefix.end(), address.ip);
    return address;
  }
  if (inet_pton(AF_INET6, text.c_str(), address.ip) == 1) {
    return address;
  }
  return BadAddress(ip, "It is neither an IPv4 nor an IPv6 address; names are not looked up.");
}

Result<mu_address> ParseEndpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return BadAddress(text, "It has no port.");
  }
  const std::string_view digits = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (failure != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
    return BadAddress(text, "Its port is no number from 0 to 65535.");
  }
  std::string_view ip = text.substr(0, colon);
  if (ip.size() >= 2 && ip.front() == '[' && ip.back() == ']') {
    ip = ip.substr(1, ip.size() - 2);
  } else if (ip.find(':') != std::string_view::npos) {
    return BadAddress(text, "An IPv6 address with a port stands in brackets.");
  }
  return ParseAddress(ip, port);
}

std::string FormatAddress(const mu_address& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (IsMappedV4(address)) {
    inet_ntop(AF_INET, address.ip + kMappedPrefix.size(), text.data(), static_cast<socklen_t>(text.size()));
    return fmt::format("{}:{}", text.data(), address.port);
  }
  inet_ntop(AF_INET6, address.ip, text.data(), static_cast<socklen_t>(text.size()));
  return fmt::format("[{}]:{}", text.data(), address.port);
}

bool IsLoopback(const mu_address& address) noexcept {
  if (IsMappedV4(address)) {
    return address.ip[12] == 127;
  }
  // ::1, and the in-process address.
  return std::all_of(std::begin(address.ip), std::end(address.ip) - 1, [](std::uint8_t byte) { return byte == 0; }) &&
         address.ip[15] <= 1;
}

bool IsUnicastSource(const mu_address& address) noexcept {
  if (address.port == 0) {
    return false;
  }
  if (IsMappedV4(address)) {
    // 0/8 is nobody, 224/4 is multicast, what is above is reserved or broadcast.
    return address.ip[12] != 0 && address.ip[12] < 224;
  }
  return address.ip[0] != 0xFF;
}

bool SameHost(const mu_address& left, const mu_address& right) noexcept {
  return std::memcmp(left.ip, right.ip, sizeof left.ip) == 0;
}

bool SameEndpoint(const mu_address& left, const mu_address& right) noexcept {
  return left.port == right.port && SameHost(left, right);
}

}  // namespace muster::link
