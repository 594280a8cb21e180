// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/InputMessage.h"

#include "Core/Assert.h"
#include "Spans.h"

#include <algorithm>
#include <cmath>

namespace muster::protocol {

using serialization::ByteReader;
using serialization::ByteWriter;

namespace {

constexpr float kAxisSteps = 32767.0f;
constexpr float kThrottleSteps = 65535.0f;

std::int16_t QuantiseAxis(float value) noexcept {
  if (!std::isfinite(value)) {
    return 0;
  }
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0f, 1.0f) * kAxisSteps));
}

float DequantiseAxis(std::int16_t value) noexcept {
  return std::max(static_cast<float>(value) / kAxisSteps, -1.0f);
}

}  // namespace

ControlSample Quantise(const mu_control& control) noexcept {
  ControlSample sample;
  if (std::isfinite(control.throttle)) {
    const float clamped = std::clamp(control.throttle, 0.0f, 1.0f);
    sample.throttle = static_cast<std::uint16_t>(std::lround(clamped * kThrottleSteps));
  }
  sample.elevator = QuantiseAxis(control.elevator);
  sample.aileron = QuantiseAxis(control.aileron);
  sample.rudder = QuantiseAxis(control.rudder);
  sample.buttons = static_cast<std::uint16_t>(control.buttons & 0xFFFFu);
  return sample;
}

mu_control Dequantise(const ControlSample& sample) noexcept {
  return {static_cast<float>(sample.throttle) / kThrottleSteps, DequantiseAxis(sample.elevator),
          DequantiseAxis(sample.aileron), DequantiseAxis(sample.rudder), sample.buttons};
}

std::size_t Encode(const InputMessage& message, std::span<std::byte> out) {
  MUSTER_ASSERT(message.controlCount >= 1 && message.controlCount <= kMaxInputControls, "one to eight controls");
  MUSTER_ASSERT(message.needAbsoluteCount <= kMaxNeedAbsolute, "at most 32 requests");
  ByteWriter writer(AsU8(out));
  writer.WriteU8(static_cast<std::uint8_t>(MessageType::Input));
  writer.WriteU64(message.newestTick.Value());
  writer.WriteU64(message.newestSnapshotTick.Value());
  writer.WriteU8(message.controlCount);
  for (const ControlSample& control : message.Controls()) {
    writer.WriteU16(control.throttle);
    writer.WriteI16(control.elevator);
    writer.WriteI16(control.aileron);
    writer.WriteI16(control.rudder);
    writer.WriteU16(control.buttons);
  }
  writer.WriteU8(message.needAbsoluteCount);
  for (const NetId id : message.NeedAbsolute()) {
    writer.WriteU32(id.Value());
  }
  MUSTER_ASSERT(!writer.Overflowed(), "a buffer of kMaxInputMessageBytes holds every input message");
  return writer.Position();
}

DecodeStatus Decode(std::span<const std::byte> bytes, InputMessage& message) {
  ByteReader reader(AsU8(bytes));
  const std::uint8_t type = reader.ReadU8();
  if (!reader.Failed() && type != static_cast<std::uint8_t>(MessageType::Input)) {
    return DecodeStatus::UnknownType;
  }
  message.newestTick = Tick{reader.ReadU64()};
  message.newestSnapshotTick = Tick{reader.ReadU64()};
  const std::uint8_t controls = reader.ReadU8();
  if (reader.Failed()) {
    return DecodeStatus::Truncated;
  }
  if (controls == 0 || controls > kMaxInputControls) {
    return DecodeStatus::BadLength;
  }
  bool axesInRange = true;
  for (std::uint8_t i = 0; i < controls; ++i) {
    ControlSample& control = message.controls[i];
    control.throttle = reader.ReadU16();
    control.elevator = reader.ReadI16();
    control.aileron = reader.ReadI16();
    control.rudder = reader.ReadI16();
    control.buttons = reader.ReadU16();
    axesInRange = axesInRange && control.elevator >= -32767 && control.aileron >= -32767 && control.rudder >= -32767;
  }
  message.controlCount = controls;
  const std::uint8_t requests = reader.ReadU8();
  if (reader.Failed()) {
    return DecodeStatus::Truncated;
  }
  if (requests > kMaxNeedAbsolute) {
    return DecodeStatus::BadLength;
  }
  bool idsInRange = true;
  for (std::uint8_t i = 0; i < requests; ++i) {
    message.needAbsolute[i] = NetId{reader.ReadU32()};
    idsInRange = idsInRange && !message.needAbsolute[i].IsNull();
  }
  message.needAbsoluteCount = requests;
  const DecodeStatus status = Finish(reader);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  return axesInRange && idsInRange ? DecodeStatus::Ok : DecodeStatus::BadValue;
}

}  // namespace muster::protocol
