// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LinkSim/UdpRelay.h"

#include "Core/Hash.h"
#include "Core/Mutex.h"
#include "Link/Address.h"
#include "RelaySocket.h"

#include <fmt/format.h>

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

namespace muster::linksim {

namespace {

constexpr std::size_t kLargestDatagram = 65'536;
/// Datagrams of one socket in one pump, so that one of them cannot keep the others waiting.
constexpr int kDatagramsPerSocket = 512;
constexpr std::uint64_t kFrontTag = UINT64_MAX;

Error Unavailable(const char* what, int reason) {
  return Error{kRelayUnavailable, fmt::format("The relay between clients and server has no {}.", what),
               std::strerror(reason), "Raise the limit of open files if that is the cause, or use fewer clients."};
}

}  // namespace

class UdpRelay::Impl {
 public:
  Impl(const UdpRelayConfig& config, const IClock& clock, RelaySocket front)
      : m_config(config),
        m_clock(clock),
        m_opened(clock.Now()),
        m_front(std::move(front)),
        m_address(m_front.Bound()),
        m_epoll(::epoll_create1(EPOLL_CLOEXEC)),
        m_toServer(config.toServer),
        m_toClient(config.toClient),
        m_room(kLargestDatagram) {
    Watch(m_front, kFrontTag);
  }

  [[nodiscard]] bool CanWait() const noexcept { return m_epoll.Get() >= 0; }
  [[nodiscard]] const mu_address& Address() const noexcept { return m_address; }
  [[nodiscard]] int WaitHandle() const noexcept { return m_epoll.Get(); }

  void SetConditions(const LinkConditions& toServer, const LinkConditions& toClient) {
    const MutexLock lock(m_mutex);
    m_toServer = toServer;
    m_toClient = toClient;
  }
  [[nodiscard]] UdpRelayStats Stats() const {
    const MutexLock lock(m_mutex);
    return m_published;
  }

  std::optional<MonotonicTime> Pump();

 private:
  /// One direction of one client.
  struct Way {
    std::uint64_t seed = 0;
    std::uint64_t index = 0;
    MonotonicTime freeAt{};  ///< when the line has carried what was given to it
  };
  struct Client {
    std::size_t index = 0;
    mu_address address{};
    RelaySocket upstream;
    Way toServer{};
    Way toClient{};
  };
  struct Held {
    MonotonicTime due{};
    std::uint64_t order = 0;
    std::size_t client = 0;
    bool isToServer = false;
    std::vector<std::uint8_t> bytes{};
  };

  static bool Later(const Held& left, const Held& right) noexcept {
    return std::tie(left.due, left.order) > std::tie(right.due, right.order);
  }
  void Watch(const RelaySocket& socket, std::uint64_t tag) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = tag;
    ::epoll_ctl(m_epoll.Get(), EPOLL_CTL_ADD, socket.Handle(), &event);
  }
  Client* ClientOf(const mu_address& address);
  void TakeConditions(MonotonicTime now);
  void ReceiveFromClients(MonotonicTime now);
  void ReceiveFromServer(Client& client, MonotonicTime now);
  void Judge(Client& client, bool isToServer, std::span<const std::uint8_t> bytes, MonotonicTime now);
  void Hold(const Client& client, bool isToServer, std::span<const std::uint8_t> bytes, MonotonicTime due);
  void Release(MonotonicTime now);

  const UdpRelayConfig m_config;
  const IClock& m_clock;
  const MonotonicTime m_opened;
  RelaySocket m_front;
  const mu_address m_address;
  Descriptor m_epoll;
  mutable Mutex m_mutex;
  LinkConditions m_toServer MUSTER_GUARDED_BY(m_mutex);
  LinkConditions m_toClient MUSTER_GUARDED_BY(m_mutex);
  UdpRelayStats m_published MUSTER_GUARDED_BY(m_mutex);

  // Of the thread that pumps.
  LinkConditions m_nowToServer;
  LinkConditions m_nowToClient;
  UdpRelayStats m_stats;
  std::vector<std::unique_ptr<Client>> m_clients;
  std::vector<std::size_t> m_byAddress;  ///< indices of m_clients, sorted by address
  std::vector<Held> m_heap;
  std::size_t m_queuedBytes = 0;
  std::uint64_t m_order = 0;
  std::vector<std::uint8_t> m_room;
};

UdpRelay::Impl::Client* UdpRelay::Impl::ClientOf(const mu_address& address) {
  const auto isBefore = [](const mu_address& left, const mu_address& right) {
    const int order = std::memcmp(left.ip, right.ip, sizeof left.ip);
    return order != 0 ? order < 0 : left.port < right.port;
  };
  const auto place = std::lower_bound(
      m_byAddress.begin(), m_byAddress.end(), address,
      [&](std::size_t index, const mu_address& wanted) { return isBefore(m_clients[index]->address, wanted); });
  if (place != m_byAddress.end() && link::SameEndpoint(m_clients[*place]->address, address)) {
    return m_clients[*place].get();
  }
  if (m_clients.size() >= m_config.maxClients) {
    return nullptr;
  }
  auto client = std::make_unique<Client>();
  client->index = m_clients.size();
  client->address = address;
  client->upstream = RelaySocket::ConnectedTo(m_config.server);
  if (!client->upstream.IsOpen()) {
    return nullptr;
  }
  client->toServer.seed = Mix64(m_config.seed + Mix64(client->index * 2 + 1));
  client->toClient.seed = Mix64(m_config.seed + Mix64(client->index * 2 + 2));
  Watch(client->upstream, client->index);
  m_byAddress.insert(place, client->index);
  m_clients.push_back(std::move(client));
  m_stats.clients = m_clients.size();
  return m_clients.back().get();
}

void UdpRelay::Impl::TakeConditions(MonotonicTime now) {
  const auto since = now - m_opened;
  const bool isBad = !m_config.window ||
                     (since >= m_config.window->start && since < m_config.window->start + m_config.window->duration);
  const MutexLock lock(m_mutex);
  m_nowToServer = isBad ? m_toServer : LinkConditions{};
  m_nowToClient = isBad ? m_toClient : LinkConditions{};
}

std::optional<MonotonicTime> UdpRelay::Impl::Pump() {
  const MonotonicTime now = m_clock.Now();
  TakeConditions(now);
  std::array<epoll_event, 256> events{};
  const int count = ::epoll_wait(m_epoll.Get(), events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
    if (tag == kFrontTag) {
      ReceiveFromClients(now);
    } else {
      ReceiveFromServer(*m_clients[tag], now);
    }
  }
  Release(now);
  const MutexLock lock(m_mutex);
  m_published = m_stats;
  return m_heap.empty() ? std::nullopt : std::optional{m_heap.front().due};
}

void UdpRelay::Impl::ReceiveFromClients(MonotonicTime now) {
  std::size_t size = 0;
  mu_address from{};
  for (int i = 0; i < kDatagramsPerSocket && m_front.Receive(m_room, size, from); ++i) {
    ++m_stats.fromClients;
    if (Client* client = ClientOf(from)) {
      Judge(*client, true, std::span(m_room).first(size), now);
    } else {
      ++m_stats.strangers;
    }
  }
}

void UdpRelay::Impl::ReceiveFromServer(Client& client, MonotonicTime now) {
  std::size_t size = 0;
  mu_address from{};
  for (int i = 0; i < kDatagramsPerSocket && client.upstream.Receive(m_room, size, from); ++i) {
    ++m_stats.fromServer;
    Judge(client, false, std::span(m_room).first(size), now);
  }
}

void UdpRelay::Impl::Judge(Client& client, bool isToServer, std::span<const std::uint8_t> bytes, MonotonicTime now) {
  const LinkConditions& conditions = isToServer ? m_nowToServer : m_nowToClient;
  Way& way = isToServer ? client.toServer : client.toClient;
  const Fate fate = Decide(conditions, way.seed, way.index++);
  if (fate.isLost) {
    ++m_stats.lost;
    return;
  }
  MonotonicTime leaves = now;
  if (conditions.bytesPerSecond > 0) {
    leaves = std::max(now, way.freeAt);
    if (leaves - now > conditions.queueTime) {
      ++m_stats.overRate;
      return;
    }
    const double seconds = static_cast<double>(bytes.size()) / conditions.bytesPerSecond;
    leaves += std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
    way.freeAt = leaves;
  }
  m_stats.reordered += fate.isReordered ? 1U : 0U;
  Hold(client, isToServer, bytes, leaves + fate.delay);
  if (fate.isDuplicated) {
    ++m_stats.duplicated;
    Hold(client, isToServer, bytes, leaves + fate.duplicateDelay);
  }
}

void UdpRelay::Impl::Hold(const Client& client, bool isToServer, std::span<const std::uint8_t> bytes,
                          MonotonicTime due) {
  if (m_queuedBytes + UdpRelayConfig::kHeldOverheadBytes + bytes.size() > m_config.maxQueuedBytes) {
    ++m_stats.overflowed;
    return;
  }
  m_queuedBytes += UdpRelayConfig::kHeldOverheadBytes + bytes.size();
  m_heap.push_back({due, m_order++, client.index, isToServer, {bytes.begin(), bytes.end()}});
  std::push_heap(m_heap.begin(), m_heap.end(), &Later);
}

void UdpRelay::Impl::Release(MonotonicTime now) {
  while (!m_heap.empty() && m_heap.front().due <= now) {
    std::pop_heap(m_heap.begin(), m_heap.end(), &Later);
    const Held held = std::move(m_heap.back());
    m_heap.pop_back();
    m_queuedBytes -= UdpRelayConfig::kHeldOverheadBytes + held.bytes.size();
    const Client& client = *m_clients[held.client];
    const bool hasLeft =
        held.isToServer ? client.upstream.Send(held.bytes) : m_front.SendTo(client.address, held.bytes);
    ++(hasLeft ? m_stats.delivered : m_stats.unsendable);
  }
}

UdpRelay::UdpRelay(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}

UdpRelay::~UdpRelay() = default;

Result<std::unique_ptr<UdpRelay>> UdpRelay::Open(const UdpRelayConfig& config, const IClock& clock) {
  RelaySocket front = RelaySocket::Loopback(config.server);
  if (!front.IsOpen()) {
    return Unavailable("socket for the clients", errno);
  }
  auto impl = std::make_unique<Impl>(config, clock, std::move(front));
  if (!impl->CanWait()) {
    return Unavailable("epoll descriptor", errno);
  }
  return std::unique_ptr<UdpRelay>(new UdpRelay(std::move(impl)));
}

mu_address UdpRelay::Address() const noexcept {
  return m_impl->Address();
}

void UdpRelay::SetConditions(const LinkConditions& toServer, const LinkConditions& toClient) {
  m_impl->SetConditions(toServer, toClient);
}

UdpRelayStats UdpRelay::Stats() const {
  return m_impl->Stats();
}

std::optional<MonotonicTime> UdpRelay::Pump() {
  return m_impl->Pump();
}

int UdpRelay::WaitHandle() const noexcept {
  return m_impl->WaitHandle();
}

}  // namespace muster::linksim
