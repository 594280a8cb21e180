// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What the conformance tests of muster.transport/0 stand on: a library loaded as it is, with a host of our own around
// it, and ends that are driven on virtual time. Over ENet the datagrams are real and the time is not: the loopback
// interface delivers within the call.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "Candidates.h"
#include "Core/Clock.h"
#include "Link/TransportHandle.h"
#include "PluginApi/Transport.h"

namespace muster::conformance {

/// A transport's library with the host it was initialised with. One per library and process.
class TransportLibrary {
 public:
  /// Fails the test by throwing std::runtime_error.
  static TransportLibrary& At(const std::filesystem::path& library);
  /// One of the build tree's, by its folder's name.
  static TransportLibrary& Of(const std::string& name);

  [[nodiscard]] const mu_transport_v0& Table() const { return *m_table; }
  /// The sentence behind the last failure.
  [[nodiscard]] static const std::string& LastError();

 private:
  explicit TransportLibrary(const std::filesystem::path& library);
  const mu_transport_v0* m_table = nullptr;
};

/// The host's clock, the same for all libraries.
void AdvanceClock(std::uint64_t milliseconds);
/// The same clock for what stands on the engine's side.
IClock& BenchClock();

[[nodiscard]] mu_transport_params DefaultParams();
/// 127.0.0.1 and a port.
[[nodiscard]] mu_address LocalAddress(std::uint16_t port);

struct SeenEvent {
  mu_transport_event event{};
  std::string message;
};

/// One instance and everything it reported.
class End {
 public:
  explicit End(const mu_transport_v0& table, const mu_transport_params& params = DefaultParams())
      : End{link::TransportSource{&table}, params} {}
  explicit End(const link::TransportSource& source, const mu_transport_params& params = DefaultParams());

  [[nodiscard]] mu_transport* Raw() { return m_self.get(); }
  /// Binds to a port of 127.0.0.1, any for 0, and returns it.
  std::uint16_t Listen(std::uint16_t port = 0);
  mu_connection Connect(std::uint16_t port) { return Connect(LocalAddress(port)); }
  mu_connection Connect(const mu_address& remote);
  mu_status Send(mu_connection connection, std::uint32_t channel, std::string_view message);
  void Flush() { m_table.flush(m_self.get()); }
  void Disconnect(mu_connection connection, std::uint32_t detail) {
    m_table.disconnect(m_self.get(), connection, detail);
  }
  /// Services until nothing is left; events are appended to Events().
  void Service(std::uint32_t capacity = 64);
  [[nodiscard]] mu_transport_stats Stats();

  [[nodiscard]] const std::vector<SeenEvent>& Events() const { return m_events; }
  void ForgetEvents() { m_events.clear(); }
  [[nodiscard]] std::size_t CountOf(std::uint32_t kind) const;
  [[nodiscard]] std::vector<std::string> MessagesOn(std::uint32_t channel) const;
  /// The first event of a kind; fails the test when there is none.
  [[nodiscard]] mu_transport_event First(std::uint32_t kind) const;

 private:
  struct Destroyer {
    const mu_transport_v0* table;
    void operator()(mu_transport* self) const { table->destroy(self); }
  };
  const mu_transport_v0& m_table;
  std::unique_ptr<mu_transport, Destroyer> m_self;
  std::vector<SeenEvent> m_events;
};

/// Services the ends in turn, `stepMs` apart, until `done` holds or `limitMs` of virtual time passed. True when it
/// held.
bool PumpUntil(std::initializer_list<End*> ends, const std::function<bool()>& done, std::uint64_t limitMs = 2'000,
               std::uint64_t stepMs = 5);
void PumpFor(std::initializer_list<End*> ends, std::uint64_t durationMs, std::uint64_t stepMs = 5);

/// What every transport is held to.
class TransportTest : public testing::TestWithParam<Candidate> {
 protected:
  [[nodiscard]] const mu_transport_v0& Table() const { return TransportLibrary::At(GetParam().library).Table(); }
  /// Connects `client` to `server`; both have the event. Returns the client's connection, the server's in `accepted`.
  mu_connection Join(End& server, End& client, std::uint16_t port, mu_connection* accepted = nullptr);
};

/// What holds for those that speak through a socket.
class SocketTransportTest : public TransportTest {};

}  // namespace muster::conformance
