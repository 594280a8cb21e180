// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "UdpSocket.h"

#include "GateErrors.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string>

namespace muster::gate {

namespace {

constexpr std::uint32_t kLoopbackNet = 0x7f000000;

sockaddr_in LoopbackAddress(std::uint8_t host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(kLoopbackNet + host);
  return address;
}

Error SocketFailed(const char* what) {
  return {kSocketFailed, std::string{"A socket of the gate could not be "} + what + ".",
          std::string{std::strerror(errno)} + ".", "See whether the loopback interface is up and files may be opened."};
}

}  // namespace

Result<int> OpenLoopbackSocket(std::uint8_t host) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) {
    return SocketFailed("made");
  }
  const sockaddr_in address = LoopbackAddress(host, 0);
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    Error error = SocketFailed("bound");
    ::close(socket);
    return error;
  }
  return socket;
}

std::uint16_t PortOfSocket(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port)
                                                                                  : std::uint16_t{0};
}

Result<void> ConnectSocket(int socket, std::uint16_t port) {
  const sockaddr_in address = LoopbackAddress(1, port);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return SocketFailed("connected");
  }
  return {};
}

}  // namespace muster::gate
