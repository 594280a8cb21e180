// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "ServerHandshake.h"

#include "Protocol/RefusalCodes.h"

#include <utility>

namespace muster::link {

using protocol::DecodeStatus;

ServerHandshake::ServerHandshake(protocol::WireIdentity identity, std::uint32_t maxPeers)
    : m_identity(std::move(identity)), m_maxPeers(maxPeers) {}

std::optional<protocol::Refusal> ServerHandshake::Judge(const protocol::ClientHello& hello, DecodeStatus status,
                                                        std::uint32_t openPeers) const {
  if (status == DecodeStatus::OtherVersion) {
    return protocol::RefuseVersion(protocol::kProtocolVersion, hello.protocolVersion);
  }
  if (status != DecodeStatus::Ok) {
    return protocol::MakeRefusal(protocol::kHandshakeMalformed);
  }
  if (hello.identity.codecName != m_identity.codecName ||
      hello.identity.codecWireVersion != m_identity.codecWireVersion) {
    return protocol::RefuseCodec(m_identity, hello.identity);
  }
  if (hello.identity.lockDigest != m_identity.lockDigest) {
    return protocol::RefusePluginSet(m_identity, hello.identity);
  }
  if (openPeers >= m_maxPeers) {
    return protocol::RefuseFull(m_maxPeers);
  }
  return std::nullopt;
}

ServerHandshake::Answer ServerHandshake::Take(std::span<const std::byte> hello, std::uint32_t openPeers) {
  Answer answer;
  protocol::ClientHello message;
  const DecodeStatus status = protocol::Decode(hello, message);
  if (const std::optional<protocol::Refusal> refusal = Judge(message, status, openPeers)) {
    const bool readable = status == DecodeStatus::Ok || status == DecodeStatus::OtherVersion;
    answer.drop = readable ? DropReason::HandshakeRefused : DropReason::HandshakeMalformed;
    answer.code = refusal->code;
    answer.reply = Refuse(*refusal, hello.size());
    return answer;
  }
  const protocol::KeyExchange exchange;
  protocol::ServerHello ours;
  ours.publicKey = exchange.Public();
  protocol::FillRandom(ours.nonce);
  protocol::Encode(ours, m_reply);
  answer.keys = exchange.ServerKeys(message.publicKey, protocol::Transcript(hello, m_reply));
  if (!answer.keys) {
    answer.drop = DropReason::HandshakeMalformed;
    answer.code = protocol::kHandshakeMalformed.number;
    answer.reply = Refuse(protocol::MakeRefusal(protocol::kHandshakeMalformed), hello.size());
    return answer;
  }
  answer.reply = m_reply;
  return answer;
}

std::span<const std::byte> ServerHandshake::Refuse(const protocol::Refusal& refusal, std::size_t helloBytes) {
  protocol::Encode(refusal, m_reply);
  if (m_reply.size() > helloBytes) {
    return {};
  }
  return m_reply;
}

}  // namespace muster::link
