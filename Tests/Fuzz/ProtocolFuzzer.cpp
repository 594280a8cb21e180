// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Every decoder of Protocol over every input. Whatever a decoder takes has one form only: encoded again it must be the
// same bytes, so that no two packets mean the same and nothing hides in a message.
#include "Protocol/HandshakeMessages.h"
#include "Protocol/InputMessage.h"
#include "Protocol/JoinMessages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace {

namespace protocol = muster::protocol;
using protocol::DecodeStatus;
using Bytes = std::span<const std::byte>;

void RequireSame(Bytes first, Bytes second) {
  if (!std::equal(first.begin(), first.end(), second.begin(), second.end())) {
    std::abort();
  }
}

template <class Message>
void RoundTrip(Bytes input) {
  Message message{};
  if (protocol::Decode(input, message) == DecodeStatus::Ok) {
    std::vector<std::byte> again;
    protocol::Encode(message, again);
    RequireSame(input, again);
  }
}

void RoundTripInput(Bytes input) {
  protocol::InputMessage message{};
  if (protocol::Decode(input, message) == DecodeStatus::Ok) {
    std::array<std::byte, protocol::kMaxInputMessageBytes> again{};
    const std::size_t size = protocol::Encode(message, again);
    RequireSame(input, Bytes(again).first(size));
  }
}

void RoundTripSealedRefusal(Bytes input) {
  protocol::Refusal message{};
  if (protocol::DecodeSealedRefusal(input, message) == DecodeStatus::Ok) {
    std::vector<std::byte> again;
    protocol::EncodeSealedRefusal(message, again);
    RequireSame(input, again);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes input = std::as_bytes(std::span<const std::uint8_t>(data, size));
  RoundTrip<protocol::ClientHello>(input);
  RoundTrip<protocol::ServerHello>(input);
  RoundTrip<protocol::JoinRequest>(input);
  RoundTrip<protocol::JoinAccept>(input);
  RoundTrip<protocol::Goodbye>(input);
  RoundTrip<protocol::Notice>(input);
  RoundTrip<protocol::Leave>(input);
  RoundTrip<protocol::OwnEntity>(input);
  RoundTrip<protocol::Archetypes>(input);
  RoundTripSealedRefusal(input);
  RoundTripInput(input);
  protocol::HandshakeType type{};
  (void)protocol::PeekHandshake(input, type);
  (void)protocol::PeekMessageType(input);
  return 0;
}
