// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "Cookie.h"
#include "PluginApi/Transport.h"
#include "ReliableReceive.h"
#include "ReliableSend.h"
#include "SequenceWindow.h"
#include "Socket.h"
#include "Wire.h"

namespace muster::udp {

enum class State : std::uint8_t {
  Free,
  Requesting,  ///< client: no challenge yet
  Responding,  ///< client: the cookie is known, no answer to it yet
  Open,
  Closing  ///< this side said the end, or will when its reliable messages have arrived
};

/// Times are of the transport's patient clock, in nanoseconds.
struct Connection {
  Connection(mu_connection name, std::uint32_t maxMessageBytes) : id{name}, receive{maxMessageBytes} {}

  mu_connection id;
  State state = State::Requesting;
  std::uint64_t localId = 0;   ///< what the peer writes into its datagrams
  std::uint64_t remoteId = 0;  ///< what this side writes
  std::uint64_t clientId = 0;  ///< what the client chose; one of the two above
  std::uint64_t cookie = 0;
  mu_address address{};
  SocketAddress target;
  std::size_t datagramBytes = 0;  ///< the smaller of both sides' limits

  ReliableSend send;
  ReliableReceive receive;
  SequenceWindow arrived;
  std::uint32_t nextNumber = 0;
  std::uint32_t unreliableQueued = 0;  ///< since the last flush
  bool owesAck = false;
  bool isDirty = false;  ///< listed for the next flush

  std::uint64_t heardAtNs = 0;
  std::uint64_t sentAtNs = 0;
  std::uint64_t repeatAtNs = 0;     ///< of what opens or closes
  std::uint64_t deadlineNs = 0;     ///< of opening and of closing
  std::uint64_t cookieTriedNs = 0;  ///< since when it has been sent
  std::uint32_t tries = 0;
  std::uint64_t backlogRefusedAtNs = 0;  ///< since when messages are refused; zero: they are not
  std::uint32_t closeCode = 0;

  [[nodiscard]] bool IsOpening() const noexcept { return state == State::Requesting || state == State::Responding; }
  /// Whether reliable messages and acknowledgements still go back and forth.
  [[nodiscard]] bool IsTalking() const noexcept { return state == State::Open || state == State::Closing; }
};

/// Connections by slot. The id by which a peer names one holds the slot and 43 bits that nobody can guess; the name
/// that the host gets holds the slot and a serial number, so none comes back within 2^52 connections.
class ConnectionTable {
 public:
  ConnectionTable(std::uint32_t capacity, const SipKey& key) : m_key{key}, m_slots(capacity) {}

  /// Null when all slots are taken.
  Connection* Open(std::uint32_t maxMessageBytes);
  void Close(const Connection& connection);

  /// Null for a name that ended or never was.
  [[nodiscard]] Connection* Find(mu_connection id) const noexcept;
  [[nodiscard]] Connection* FindLocal(std::uint64_t localId) const noexcept;

  [[nodiscard]] std::uint32_t Count() const noexcept { return m_count; }
  [[nodiscard]] bool IsFull() const noexcept { return m_count == m_slots.size(); }

  template <class Function>
  void ForEach(Function&& function) {
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
      // The function may close the connection that it is given.
      if (Connection* connection = m_slots[i].get()) {
        function(*connection);
      }
    }
  }

 private:
  static constexpr std::uint32_t kSlotBits = 12;
  static constexpr std::uint64_t kSlotMask = (std::uint64_t{1} << kSlotBits) - 1;

  SipKey m_key;
  std::vector<std::unique_ptr<Connection>> m_slots;
  std::uint64_t m_serial = 0;
  std::uint32_t m_count = 0;
  std::size_t m_firstFree = 0;  ///< no free slot before it
};

}  // namespace muster::udp
