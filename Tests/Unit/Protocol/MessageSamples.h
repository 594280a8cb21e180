// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Protocol/HandshakeMessages.h"
#include "Protocol/InputMessage.h"
#include "Protocol/JoinMessages.h"

#include <functional>
#include <span>
#include <vector>

namespace muster::protocol {

using Wire = std::vector<std::byte>;

inline ClientHello SampleHello() {
  ClientHello hello;
  hello.identity.codecName = "muster.codec.raw";
  hello.identity.codecWireVersion = 3;
  hello.identity.lockDigest[31] = std::byte{0x77};
  hello.identity.plugins = {{"muster.codec.raw", "1.0.0"}, {"mod.a", "2.1"}};
  hello.publicKey[0] = std::byte{0x11};
  hello.nonce[15] = std::byte{0x22};
  return hello;
}

inline JoinAccept SampleAccept() {
  JoinAccept accept;
  accept.session = SessionId{7};
  accept.tick = Tick{0x0102030405060708};
  accept.tickHz = 60;
  accept.ownEntity = NetId{9};
  accept.codecName = "raw";
  accept.codecWireVersion = 1;
  accept.snapshotBudgetBytes = 1200;
  accept.drawDistanceMeters = 200'000;
  return accept;
}

inline InputMessage SampleInput() {
  InputMessage input;
  input.newestTick = Tick{1000};
  input.newestSnapshotTick = Tick{990};
  input.controlCount = 2;
  input.controls[0] = {65535, -32767, 1, 0, 1};
  input.controls[1] = {0, 32767, -1, 5, 0};
  input.needAbsoluteCount = 1;
  input.needAbsolute[0] = NetId{0x01020304};
  return input;
}

inline Wire EncodeInput(const InputMessage& input) {
  Wire bytes(kMaxInputMessageBytes);
  bytes.resize(Encode(input, bytes));
  return bytes;
}

/// One message of every kind, and what reads it.
struct Sample {
  const char* name;
  Wire bytes;
  std::function<DecodeStatus(std::span<const std::byte>)> decode;
};

template <class T>
Sample MakeSample(const char* name, const T& message) {
  Sample sample{name, {}, [](std::span<const std::byte> bytes) {
                  T out;
                  return Decode(bytes, out);
                }};
  Encode(message, sample.bytes);
  return sample;
}

inline std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  samples.push_back(MakeSample("ClientHello", SampleHello()));
  samples.push_back(MakeSample("ServerHello", ServerHello{}));
  samples.push_back(MakeSample("Refusal", RefuseFull(32)));
  samples.push_back(MakeSample("JoinRequest", JoinRequest{"Zoë"}));
  samples.push_back(MakeSample("JoinAccept", SampleAccept()));
  samples.push_back(MakeSample("Goodbye", Goodbye{3031, "bye"}));
  samples.push_back(MakeSample("Notice", Notice{"Server restarts at noon."}));
  samples.push_back(MakeSample("Leave", Leave{}));
  samples.push_back(MakeSample("OwnEntity", OwnEntity{NetId{5}}));
  samples.push_back(MakeSample("Archetypes", Archetypes{{{ArchetypeId{1}, "fighter"}, {ArchetypeId{4}, "drone"}}}));
  Sample sealed{"SealedRefusal", {}, [](std::span<const std::byte> bytes) {
                  Refusal out;
                  return DecodeSealedRefusal(bytes, out);
                }};
  EncodeSealedRefusal(MakeRefusal(kBadName), sealed.bytes);
  samples.push_back(std::move(sealed));
  samples.push_back({"Input", EncodeInput(SampleInput()), [](std::span<const std::byte> bytes) {
                       InputMessage out;
                       return Decode(bytes, out);
                     }});
  return samples;
}

}  // namespace muster::protocol
