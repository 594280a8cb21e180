// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "NetClient/Client.h"

#include <algorithm>
#include <array>
#include <utility>

namespace muster::netclient {

namespace {

constexpr int kRoundTripSmoothing = 8;

link::ClientLinkConfig LinkConfigOf(const ClientConfig& config) {
  link::ClientLinkConfig link;
  link.identity = config.identity;
  link.protocolVersion = config.protocolVersion;
  link.connectTimeout = config.connectTimeout;
  link.silenceTimeout = config.silenceTimeout;
  return link;
}

}  // namespace

std::string_view ToString(Client::State state) {
  static constexpr std::array<std::string_view, 6> kNames{"idle",    "connecting", "joining",
                                                          "playing", "closing",    "closed"};
  return kNames[static_cast<std::size_t>(state)];
}

Client::Client(ClientConfig config, link::TransportSource transport, const mu_snapshot_codec_v0& codec,
               const IClock& clock, IClientObserver* observer)
    : m_config(std::move(config)),
      m_clock(clock),
      m_observer(observer),
      m_link(std::move(transport), LinkConfigOf(m_config), clock),
      m_receiver(codec) {
  MUSTER_ASSERT(m_config.ticksPerInput >= 1 && m_config.ticksPerInput <= protocol::kMaxInputControls,
                "a message holds every tick since the last one");
  m_scratch.reserve(protocol::kMaxInputMessageBytes);
}

Result<void> Client::Connect(const mu_address& server) {
  MUSTER_ASSERT(m_state == State::Idle, "a client connects once");
  m_connectAt = m_clock.Now();
  if (m_config.name.size() > protocol::kMaxNameBytes) {
    Close(Error{protocol::kBadName, "The name is not acceptable.",
                "It has " + std::to_string(m_config.name.size()) + " bytes.",
                "Choose a name of 1 to 32 visible characters."});
    return *m_failure;
  }
  if (Result<void> begun = m_link.Connect(server); !begun) {
    Close(begun.Failure());
    return begun;
  }
  m_state = State::Connecting;
  return {};
}

void Client::Update(const ControlSource& control) {
  if (m_state == State::Idle || m_state == State::Closed) {
    return;
  }
  m_link.Service();
  link::LinkEvent event;
  while (m_state != State::Closed && m_link.PollEvent(event)) {
    HandleEvent(event);
  }
  if (m_state != State::Closed && m_link.Phase() == link::ClientLink::State::Closed) {
    Close(m_link.Failure());
    return;
  }
  CheckJoinTimeout();
  if (m_state == State::Playing) {
    SendDueInput(control);
  }
}

void Client::Leave() {
  if (m_state == State::Idle || m_state == State::Closing || m_state == State::Closed) {
    return;
  }
  if (m_state == State::Playing) {
    protocol::Encode(protocol::Leave{}, m_scratch);
    m_link.SendReliable(m_scratch);
  }
  m_state = State::Closing;
  m_link.Disconnect(link::DisconnectReason::Left);
  m_link.Service();
}

void Client::HandleEvent(const link::LinkEvent& event) {
  switch (event.kind) {
    case link::LinkEvent::Kind::Connected:
      m_state = State::Joining;
      m_joinBy = m_clock.Now() + m_config.joinTimeout;
      protocol::Encode(protocol::JoinRequest{m_config.name}, m_scratch);
      m_link.SendReliable(m_scratch);
      return;
    case link::LinkEvent::Kind::Message:
      HandleMessage(event.message);
      return;
    case link::LinkEvent::Kind::Packet:
      HandleSnapshot(event);
      return;
    case link::LinkEvent::Kind::Acked:
      if (event.acks.roundTrip) {
        const auto sample = *event.acks.roundTrip;
        m_stats.roundTrip = m_stats.roundTrip.count() == 0
                                ? sample
                                : m_stats.roundTrip + (sample - m_stats.roundTrip) / kRoundTripSmoothing;
      }
      return;
    case link::LinkEvent::Kind::Disconnected:
      Close(m_state == State::Closing ? std::nullopt : m_link.Failure());
      return;
  }
}

void Client::HandleMessage(std::span<const std::byte> message) {
  const auto take = [this, message](auto&& decoded) {
    if (protocol::Decode(message, decoded) == protocol::DecodeStatus::Ok) {
      return true;
    }
    ++m_stats.malformed;
    return false;
  };
  switch (protocol::PeekMessageType(message)) {
    case protocol::MessageType::JoinAccept:
      if (protocol::JoinAccept accept; take(accept) && m_state == State::Joining) {
        m_session = accept.session;
        m_ownEntity = accept.ownEntity;
        m_state = State::Playing;
        m_stats.connectTime = m_clock.Now() - m_connectAt;
      }
      return;
    case protocol::MessageType::Archetypes:
      if (protocol::Archetypes archetypes; take(archetypes)) {
        m_archetypes = std::move(archetypes.entries);
      }
      return;
    case protocol::MessageType::OwnEntity:
      if (protocol::OwnEntity own; take(own)) {
        m_ownEntity = own.netId;
      }
      return;
    case protocol::MessageType::Notice:
      if (protocol::Notice notice; take(notice)) {
        m_notice = std::move(notice.text);
      }
      return;
    case protocol::MessageType::Refusal: {
      protocol::Refusal refusal;
      if (protocol::DecodeSealedRefusal(message, refusal) != protocol::DecodeStatus::Ok) {
        ++m_stats.malformed;
        return;
      }
      m_wasRefused = true;
      Close(protocol::ToError(refusal));
      return;
    }
    case protocol::MessageType::Goodbye:
      if (protocol::Goodbye goodbye; take(goodbye)) {
        m_wasRefused = true;
        Close(protocol::ToError({goodbye.code, goodbye.text}));
      }
      return;
    default:
      ++m_stats.malformed;
  }
}

void Client::HandleSnapshot(const link::LinkEvent& event) {
  if (m_receiver.Receive(event.message) != protocol::DecodeStatus::Ok) {
    ++m_stats.malformed;
    return;
  }
  ++m_stats.snapshots;
  m_stats.snapshotBytes += event.message.size();
  const protocol::SnapshotHeader& header = m_receiver.Newest();
  if (header.tick <= m_stats.newestSnapshotTick) {
    return;  // late: its records counted, its view of time does not
  }
  if (m_stats.firstSnapshotTick == Tick{}) {
    m_stats.firstSnapshotTick = header.tick;
    m_stats.firstSnapshotAt = event.receivedAt;
  } else {
    m_stats.longestGap =
        std::max<std::chrono::nanoseconds>(m_stats.longestGap, event.receivedAt - m_stats.newestSnapshotAt);
  }
  m_stats.newestSnapshotTick = header.tick;
  m_stats.newestSnapshotAt = event.receivedAt;
  if (!m_inputClock.IsRunning()) {
    m_inputClock.Start(header.tick, m_clock.Now(), m_stats.roundTrip);
  } else if (header.inputTick != Tick{}) {
    m_inputClock.OnFeedback(header.inputMargin, m_clock.Now(), m_stats.roundTrip);
  }
  if (m_observer != nullptr) {
    m_observer->OnSnapshot(header, event.receivedAt);
  }
}

void Client::SendDueInput(const ControlSource& control) {
  const MonotonicTime now = m_clock.Now();
  const std::uint32_t due = m_inputClock.Advance(now);
  if (due == 0) {
    return;
  }
  for (std::uint32_t i = 0; i < due; ++i) {
    const Tick tick = m_inputClock.Newest() - static_cast<TickCount>(due - 1 - i);
    if (m_observer != nullptr) {
      m_observer->OnInputDue(tick,
                             now - m_inputClock.Overdue() - kTickDuration * static_cast<std::int64_t>(due - 1 - i));
    }
    const bool isConsecutive = tick == m_lastControlTick + 1;
    if (!isConsecutive) {
      m_input.controlCount = 0;  // the clock jumped: what was sent before is of other ticks
    } else if (m_input.controlCount == protocol::kMaxInputControls) {
      std::rotate(m_input.controls.begin(), m_input.controls.begin() + 1, m_input.controls.end());
      --m_input.controlCount;
    }
    m_input.controls[m_input.controlCount++] = protocol::Quantise(control(tick));
    m_lastControlTick = tick;
  }
  m_unsentTicks += due;
  if (m_unsentTicks >= m_config.ticksPerInput) {
    m_unsentTicks = 0;
    SendInput();
  }
}

void Client::SendInput() {
  m_input.newestTick = m_lastControlTick;
  m_input.newestSnapshotTick = m_stats.newestSnapshotTick;
  const auto needs = m_receiver.NeedAbsolute();
  const std::size_t count = std::min(needs.size(), protocol::kMaxNeedAbsolute);
  std::copy_n(needs.begin(), count, m_input.needAbsolute.begin());
  m_input.needAbsoluteCount = static_cast<std::uint8_t>(count);

  m_scratch.resize(protocol::kMaxInputMessageBytes);
  m_scratch.resize(protocol::Encode(m_input, m_scratch));
  m_link.SendPacket(m_nextSequence++, m_scratch);
  m_link.Service();  // so that it leaves in its tick and not with the next Update
  ++m_stats.inputsSent;
}

void Client::CheckJoinTimeout() {
  if (m_state == State::Joining && m_clock.Now() > m_joinBy) {
    m_link.Disconnect(link::DisconnectReason::HandshakeTimeout);
    Close(Error{link::kNoAnswer, "The server did not answer the join.",
                "Keys were agreed, but no acceptance or refusal came in time.",
                "Try again; if it stays so, look at the server's log."});
  }
}

void Client::Close(std::optional<Error> failure) {
  if (m_wasRefused) {
    // Answers the server's farewell, so that it need not wait for silence to be sure.
    m_link.Disconnect(link::DisconnectReason::Left);
    m_link.Service();
  }
  // The handshake's refusals come through the link, in clear.
  m_wasRefused = m_wasRefused || (failure && protocol::IsRefusal(failure->code));
  m_state = State::Closed;
  m_failure = std::move(failure);
}

}  // namespace muster::netclient
