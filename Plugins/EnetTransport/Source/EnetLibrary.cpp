// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "EnetLibrary.h"

#include <algorithm>
#include <cstring>

#include "PluginApi/PluginHostAccess.h"

namespace muster::enet {

namespace {

constexpr std::size_t kIpv4Offset = 12;

/// ENet keeps the host in network byte order; this gives its first byte, the a of a.b.c.d.
std::uint8_t FirstByte(const ENetAddress& address) noexcept {
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), &address.host, bytes.size());
  return bytes[0];
}

}  // namespace

std::mutex EnetLibrary::s_mutex;
std::uint32_t EnetLibrary::s_users = 0;

EnetLibrary::EnetLibrary() {
  const std::lock_guard<std::mutex> lock{s_mutex};
  if (s_users == 0 && enet_initialize() != 0) {
    throw plugin::Failure{MU_E_FAILED, "The ENet library could not be initialised."};
  }
  ++s_users;
}

EnetLibrary::~EnetLibrary() {
  const std::lock_guard<std::mutex> lock{s_mutex};
  if (--s_users == 0) {
    enet_deinitialize();
  }
}

mu_address FromEnet(const ENetAddress& address) noexcept {
  mu_address out{};
  out.ip[10] = 0xff;
  out.ip[11] = 0xff;
  std::memcpy(&out.ip[kIpv4Offset], &address.host, sizeof(address.host));
  out.port = address.port;
  return out;
}

std::optional<ENetAddress> ToEnet(const mu_address& address) noexcept {
  const bool leadsWithZeros = std::all_of(&address.ip[0], &address.ip[10], [](std::uint8_t byte) { return byte == 0; });
  const bool isMapped = address.ip[10] == 0xff && address.ip[11] == 0xff;
  const bool isAny = std::all_of(&address.ip[10], &address.ip[16], [](std::uint8_t byte) { return byte == 0; });
  if (!leadsWithZeros || !(isMapped || isAny)) {
    return std::nullopt;
  }
  ENetAddress out{};
  std::memcpy(&out.host, &address.ip[kIpv4Offset], sizeof(out.host));
  out.port = address.port;
  return out;
}

bool IsUnicast(const ENetAddress& address) noexcept {
  constexpr std::uint8_t kFirstMulticast = 224;
  const std::uint8_t first = FirstByte(address);
  return address.port != 0 && first != 0 && first < kFirstMulticast;
}

}  // namespace muster::enet
