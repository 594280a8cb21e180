// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "TransportBench.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "PluginApi/Entry.h"

namespace muster::conformance {

namespace {

std::uint64_t g_nowNs = 1'000'000'000;
std::string g_lastError;

void WriteLog(void*, std::uint32_t, mu_text) {}
void SetError(void*, mu_text sentence) {
  g_lastError.assign(sentence.data, sentence.size);
}
std::uint64_t NowNs(void*) {
  return g_nowNs;
}

constexpr mu_host_log_v0 kLog{sizeof(mu_host_log_v0), 0, &WriteLog};
constexpr mu_host_error_v0 kError{sizeof(mu_host_error_v0), 0, &SetError};
constexpr mu_host_clock_v0 kClock{sizeof(mu_host_clock_v0), 0, &NowNs};

const void* FindService(void*, const char* id) {
  const std::string_view wanted{id};
  if (wanted == MU_HOST_LOG_V0) {
    return &kLog;
  }
  if (wanted == MU_HOST_ERROR_V0) {
    return &kError;
  }
  return wanted == MU_HOST_CLOCK_V0 ? &kClock : nullptr;
}

constexpr mu_host kHost{sizeof(mu_host), 0, nullptr, &FindService};

}  // namespace

TransportLibrary::TransportLibrary(const std::filesystem::path& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw std::runtime_error{dlerror()};
  }
  const auto* entry = static_cast<const mu_plugin_entry*>(dlsym(library, MU_ENTRY_SYMBOL));
  if (entry == nullptr || entry->magic != MU_ENTRY_MAGIC || entry->init(&kHost) != MU_OK) {
    throw std::runtime_error{path.string() + " has no usable entry"};
  }
  m_table = static_cast<const mu_transport_v0*>(entry->get_interface(MU_TRANSPORT_V0));
  if (m_table == nullptr) {
    throw std::runtime_error{path.string() + " provides no transport"};
  }
}

TransportLibrary& TransportLibrary::At(const std::filesystem::path& path) {
  static std::map<std::filesystem::path, std::unique_ptr<TransportLibrary>> libraries;
  std::unique_ptr<TransportLibrary>& library = libraries[path];
  if (library == nullptr) {
    library.reset(new TransportLibrary{path});
  }
  return *library;
}

TransportLibrary& TransportLibrary::Of(const std::string& name) {
  return At(std::filesystem::path{MUSTER_TEST_BINARY_DIR} / "Plugins" / name / ("lib" + name + ".so"));
}

const std::string& TransportLibrary::LastError() {
  return g_lastError;
}

void AdvanceClock(std::uint64_t milliseconds) {
  g_nowNs += milliseconds * 1'000'000;
}

IClock& BenchClock() {
  class Clock final : public IClock {
   public:
    MonotonicTime Now() const override { return MonotonicTime{} + std::chrono::nanoseconds{g_nowNs}; }
    void SleepUntil(MonotonicTime deadline) override {
      g_nowNs = std::max(g_nowNs, static_cast<std::uint64_t>(deadline.time_since_epoch().count()));
    }
  };
  static Clock clock;
  return clock;
}

mu_transport_params DefaultParams() {
  mu_transport_params params{};
  params.struct_size = sizeof(params);
  params.max_connections = 64;
  params.max_datagram_bytes = 1'200;
  params.reliable_backlog_bytes = 256 * 1'024;
  params.max_message_bytes = 64 * 1'024;
  params.timeout_ms = 5'000;
  params.seed = 42;
  return params;
}

mu_address LocalAddress(std::uint16_t port) {
  mu_address address{};
  address.ip[10] = 0xff;
  address.ip[11] = 0xff;
  address.ip[12] = 127;
  address.ip[15] = 1;
  address.port = port;
  return address;
}

End::End(const link::TransportSource& source, const mu_transport_params& params)
    : m_table{*source.table}, m_self{nullptr, Destroyer{source.table}} {
  mu_transport* self = nullptr;
  const mu_status status = source.create ? source.create(params, &self) : m_table.create(&params, &self);
  EXPECT_EQ(status, MU_OK) << TransportLibrary::LastError();
  m_self.reset(self);
}

std::uint16_t End::Listen(std::uint16_t port) {
  const mu_address bind = LocalAddress(port);
  mu_address bound{};
  EXPECT_EQ(m_table.listen(m_self.get(), &bind, &bound), MU_OK) << TransportLibrary::LastError();
  return bound.port;
}

mu_connection End::Connect(const mu_address& remote) {
  mu_connection connection = 0;
  EXPECT_EQ(m_table.connect(m_self.get(), &remote, &connection), MU_OK) << TransportLibrary::LastError();
  EXPECT_NE(connection, 0u);
  return connection;
}

mu_status End::Send(mu_connection connection, std::uint32_t channel, std::string_view message) {
  mu_transport_send item{};
  item.connection = connection;
  item.channel = channel;
  item.message = mu_bytes{reinterpret_cast<const std::uint8_t*>(message.data()), message.size()};
  m_table.send(m_self.get(), &item, 1);
  return item.status;
}

void End::Service(std::uint32_t capacity) {
  std::vector<mu_transport_event> events(capacity);
  std::uint32_t count = 0;
  do {
    count = 0;
    ASSERT_EQ(m_table.service(m_self.get(), events.data(), capacity, &count), MU_OK) << TransportLibrary::LastError();
    ASSERT_LE(count, capacity);
    for (std::uint32_t i = 0; i < count; ++i) {
      SeenEvent seen{events[i], {}};
      if (events[i].message.size != 0) {
        seen.message.assign(reinterpret_cast<const char*>(events[i].message.data), events[i].message.size);
      }
      m_events.push_back(seen);
    }
  } while (count == capacity);
}

mu_transport_stats End::Stats() {
  mu_transport_stats stats{};
  stats.struct_size = sizeof(stats);
  m_table.stats(m_self.get(), &stats);
  return stats;
}

std::size_t End::CountOf(std::uint32_t kind) const {
  return static_cast<std::size_t>(std::count_if(m_events.begin(), m_events.end(),
                                                [kind](const SeenEvent& seen) { return seen.event.kind == kind; }));
}

std::vector<std::string> End::MessagesOn(std::uint32_t channel) const {
  std::vector<std::string> messages;
  for (const SeenEvent& seen : m_events) {
    if (seen.event.kind == MU_TRANSPORT_EVENT_MESSAGE && seen.event.channel == channel) {
      messages.push_back(seen.message);
    }
  }
  return messages;
}

mu_transport_event End::First(std::uint32_t kind) const {
  for (const SeenEvent& seen : m_events) {
    if (seen.event.kind == kind) {
      return seen.event;
    }
  }
  ADD_FAILURE() << "no event of kind " << kind;
  return mu_transport_event{};
}

bool PumpUntil(std::initializer_list<End*> ends, const std::function<bool()>& done, std::uint64_t limitMs,
               std::uint64_t stepMs) {
  for (std::uint64_t elapsed = 0; elapsed <= limitMs; elapsed += stepMs) {
    for (End* end : ends) {
      end->Service();
    }
    if (done()) {
      return true;
    }
    AdvanceClock(stepMs);
  }
  return false;
}

void PumpFor(std::initializer_list<End*> ends, std::uint64_t durationMs, std::uint64_t stepMs) {
  PumpUntil(
      ends, [] { return false; }, durationMs, stepMs);
}

mu_connection TransportTest::Join(End& server, End& client, std::uint16_t port, mu_connection* accepted) {
  const std::size_t before = server.CountOf(MU_TRANSPORT_EVENT_CONNECTED);
  const mu_connection connection = client.Connect(port);
  EXPECT_TRUE(PumpUntil({&client, &server}, [&] {
    return server.CountOf(MU_TRANSPORT_EVENT_CONNECTED) > before && client.CountOf(MU_TRANSPORT_EVENT_CONNECTED) > 0;
  }));
  if (accepted != nullptr) {
    for (const SeenEvent& seen : server.Events()) {
      if (seen.event.kind == MU_TRANSPORT_EVENT_CONNECTED) {
        *accepted = seen.event.connection;  // the last one
      }
    }
  }
  return connection;
}

}  // namespace muster::conformance
