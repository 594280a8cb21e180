// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Witness.h"

#include "Core/Clock.h"
#include "Core/Log.h"
#include "Link/Address.h"
#include "Link/PluginIdentity.h"
#include "NetClient/Client.h"
#include "PluginHost/PluginHost.h"
#include "Serialization/RecordHeader.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace muster::gate {

namespace {

constexpr const char* kTransport = "muster.transport.enet";
constexpr const char* kCodec = "muster.codec.quantized";
constexpr std::chrono::milliseconds kWitnessLook{4};
constexpr std::chrono::seconds kWitnessLeavePatience{2};

PathPoint PointOf(const netclient::ReplicatedEntity& entity) {
  mu_record_values values{};
  serialization::DequantiseHeader(entity.record, values);
  PathPoint point{.tick = entity.recordTick, .generation = entity.generation};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    point.position[axis] = values.position[axis];
    point.velocity[axis] = static_cast<double>(values.velocity[axis]);
  }
  return point;
}

}  // namespace

class Witness::Impl {
 public:
  Impl() = default;
  ~Impl() { Leave(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Result<void> Start(const Places& places, std::uint16_t port, const WitnessPlugins& plugins);
  WitnessFigures Leave();

 private:
  void Run(const mu_address& server);
  void Look(netclient::Client& client);

  StderrSink m_sink{LogLevel::Error};
  SteadyClock m_clock;
  // The client's plugins outlive the thread that uses them.
  std::unique_ptr<plugins::PluginHost> m_host;
  plugins::Provider<mu_transport_v0> m_transport;
  plugins::Provider<mu_snapshot_codec_v0> m_codec;
  protocol::WireIdentity m_identity;
  PathWatch m_watch;
  WitnessFigures m_figures;
  std::atomic<bool> m_stop{false};
  std::thread m_thread;
};

Result<void> Witness::Impl::Start(const Places& places, std::uint16_t port, const WitnessPlugins& wanted) {
  const std::string transportId = wanted.transport.empty() ? kTransport : wanted.transport;
  const std::string codecId = wanted.codec.empty() ? kCodec : wanted.codec;
  plugins::PluginHostConfig config;
  config.roots.push_back({places.build / "Plugins", plugins::PluginRoot::Layout::Source});
  config.side = plugins::Side::Client;
  auto host = plugins::PluginHost::Create(std::move(config), Logger{m_sink, "witness"}, m_clock);
  if (!host) {
    return std::move(host).Failure();
  }
  m_host = std::move(*host);
  for (const std::string& id : {transportId, codecId}) {
    if (auto loaded = m_host->Load(id); !loaded) {
      return std::move(loaded).Failure();
    }
  }
  auto transport = m_host->Catalog().Find<mu_transport_v0>(transportId);
  if (!transport) {
    return std::move(transport).Failure();
  }
  auto codec = m_host->Catalog().Find<mu_snapshot_codec_v0>(codecId);
  if (!codec) {
    return std::move(codec).Failure();
  }
  m_transport = std::move(*transport);
  m_codec = std::move(*codec);
  m_identity = link::IdentityOf(m_codec, m_transport, m_host->Lock());
  const auto server = link::ParseAddress("127.0.0.1", port);
  if (!server) {
    return server.Failure();
  }
  m_thread = std::thread{[this, address = *server] { Run(address); }};
  return {};
}

void Witness::Impl::Run(const mu_address& server) {
  try {
    netclient::Client client{{.name = "witness", .identity = m_identity}, m_transport.table, *m_codec.table, m_clock};
    (void)client.Connect(server);  // a failure shows as a closed client
    const auto rest = [](Tick) { return mu_control{}; };
    while (!m_stop.load(std::memory_order_relaxed) && client.Phase() != netclient::Client::State::Closed) {
      client.Update(rest);
      Look(client);
      m_clock.SleepUntil(m_clock.Now() + kWitnessLook);
    }
    m_figures.stayed = client.Phase() == netclient::Client::State::Playing;
    m_figures.entities = client.World().EntityCount();
    if (client.Failure()) {
      m_figures.failure = client.Failure()->ToString();
    }
    client.Leave();
    const MonotonicTime giveUp = m_clock.Now() + kWitnessLeavePatience;
    while (client.Phase() != netclient::Client::State::Closed && m_clock.Now() < giveUp) {
      client.Update(rest);
      m_clock.SleepUntil(m_clock.Now() + kWitnessLook);
    }
  } catch (const std::exception& exception) {
    m_figures.failure = exception.what();
  }
}

void Witness::Impl::Look(netclient::Client& client) {
  for (const netclient::EntityEvent& event : client.World().Events()) {
    m_watch.Forget(event.netId);
  }
  client.World().ClearEvents();
  client.World().ForEachEntity(
      [this](const netclient::ReplicatedEntity& entity) { m_watch.Observe(entity.netId, PointOf(entity)); });
}

WitnessFigures Witness::Impl::Leave() {
  m_stop.store(true);
  if (m_thread.joinable()) {
    m_thread.join();
  }
  m_figures.paths = m_watch.Figures();
  return m_figures;
}

Witness::Witness(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Witness::~Witness() = default;

Result<std::unique_ptr<Witness>> Witness::Join(const Places& places, std::uint16_t port,
                                               const WitnessPlugins& plugins) {
  auto impl = std::make_unique<Impl>();
  if (Result<void> started = impl->Start(places, port, plugins); !started) {
    return std::move(started).Failure();
  }
  return std::unique_ptr<Witness>{new Witness{std::move(impl)}};
}

WitnessFigures Witness::Leave() {
  return m_impl->Leave();
}

}  // namespace muster::gate
