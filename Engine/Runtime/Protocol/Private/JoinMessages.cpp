// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/JoinMessages.h"

#include "Core/Assert.h"
#include "Spans.h"

namespace muster::protocol {

using serialization::ByteReader;
using serialization::ByteWriter;

namespace {

/// Sizes `out` for a message of this type and writes its first byte.
ByteWriter Begin(std::vector<std::byte>& out, MessageType type, std::size_t bodyBytes) {
  out.resize(1 + bodyBytes);
  ByteWriter writer(AsU8(std::span(out)));
  writer.WriteU8(static_cast<std::uint8_t>(type));
  return writer;
}

DecodeStatus ReadType(ByteReader& reader, MessageType expected) noexcept {
  const std::uint8_t type = reader.ReadU8();
  if (reader.Failed()) {
    return DecodeStatus::Truncated;
  }
  return type == static_cast<std::uint8_t>(expected) ? DecodeStatus::Ok : DecodeStatus::UnknownType;
}

void EncodeCodeAndText(MessageType type, std::uint16_t code, std::string_view text, std::vector<std::byte>& out) {
  const std::string line = MakeLine(text, kMaxRefusalTextBytes);
  ByteWriter writer = Begin(out, type, 2 + 2 + line.size());
  writer.WriteU16(code);
  writer.WriteText16(line);
}

DecodeStatus DecodeCodeAndText(std::span<const std::byte> bytes, MessageType type, std::uint16_t& code,
                               std::string& text) {
  ByteReader reader(AsU8(bytes));
  DecodeStatus status = ReadType(reader, type);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  code = reader.ReadU16();
  std::string_view view;
  status = ReadText(reader, kMaxRefusalTextBytes, view);
  if (status == DecodeStatus::Ok) {
    status = Finish(reader);
  }
  if (status == DecodeStatus::Ok) {
    status = CheckLine(view);
  }
  text = view;
  return status;
}

}  // namespace

MessageType PeekMessageType(std::span<const std::byte> message) noexcept {
  if (message.empty()) {
    return MessageType::None;
  }
  const auto type = static_cast<MessageType>(message[0]);
  switch (type) {
    case MessageType::JoinRequest:
    case MessageType::JoinAccept:
    case MessageType::Refusal:
    case MessageType::Leave:
    case MessageType::Notice:
    case MessageType::Goodbye:
    case MessageType::OwnEntity:
    case MessageType::Archetypes:
    case MessageType::Input:
    case MessageType::Snapshot:
      return type;
    case MessageType::None:
      break;
  }
  return MessageType::None;
}

void Encode(const JoinRequest& message, std::vector<std::byte>& out) {
  MUSTER_ASSERT(message.name.size() <= kMaxNameBytes, "a name within its limit");
  ByteWriter writer = Begin(out, MessageType::JoinRequest, 2 + message.name.size());
  writer.WriteText16(message.name);
}

DecodeStatus Decode(std::span<const std::byte> bytes, JoinRequest& message) {
  ByteReader reader(AsU8(bytes));
  DecodeStatus status = ReadType(reader, MessageType::JoinRequest);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  std::string_view name;
  status = ReadText(reader, kMaxNameBytes, name);
  message.name = name;
  return status == DecodeStatus::Ok ? Finish(reader) : status;
}

void Encode(const JoinAccept& message, std::vector<std::byte>& out) {
  MUSTER_ASSERT(message.codecName.size() <= kMaxCodecNameBytes, "a codec's name within its limit");
  ByteWriter writer = Begin(out, MessageType::JoinAccept, 4 + 8 + 2 + 4 + 1 + message.codecName.size() + 4 + 4 + 4);
  writer.WriteU32(message.session.Value());
  writer.WriteU64(message.tick.Value());
  writer.WriteU16(message.tickHz);
  writer.WriteU32(message.ownEntity.Value());
  writer.WriteText8(message.codecName);
  writer.WriteU32(message.codecWireVersion);
  writer.WriteU32(message.snapshotBudgetBytes);
  writer.WriteU32(message.drawDistanceMeters);
}

DecodeStatus Decode(std::span<const std::byte> bytes, JoinAccept& message) {
  ByteReader reader(AsU8(bytes));
  DecodeStatus status = ReadType(reader, MessageType::JoinAccept);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  message.session = SessionId{reader.ReadU32()};
  message.tick = Tick{reader.ReadU64()};
  message.tickHz = reader.ReadU16();
  message.ownEntity = NetId{reader.ReadU32()};
  std::string_view codec;
  status = ReadShortText(reader, kMaxCodecNameBytes, codec);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  message.codecName = codec;
  message.codecWireVersion = reader.ReadU32();
  message.snapshotBudgetBytes = reader.ReadU32();
  message.drawDistanceMeters = reader.ReadU32();
  status = Finish(reader);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  if (!IsPlainId(codec, kMaxCodecNameBytes)) {
    return DecodeStatus::BadText;
  }
  const bool plausible = !message.session.IsNull() && message.tickHz >= 1 && message.tickHz <= 1000;
  return plausible ? DecodeStatus::Ok : DecodeStatus::BadValue;
}

void EncodeSealedRefusal(const Refusal& message, std::vector<std::byte>& out) {
  EncodeCodeAndText(MessageType::Refusal, message.code, message.text, out);
}

DecodeStatus DecodeSealedRefusal(std::span<const std::byte> bytes, Refusal& message) {
  return DecodeCodeAndText(bytes, MessageType::Refusal, message.code, message.text);
}

void Encode(const Goodbye& message, std::vector<std::byte>& out) {
  EncodeCodeAndText(MessageType::Goodbye, message.code, message.text, out);
}

DecodeStatus Decode(std::span<const std::byte> bytes, Goodbye& message) {
  return DecodeCodeAndText(bytes, MessageType::Goodbye, message.code, message.text);
}

void Encode(const Notice& message, std::vector<std::byte>& out) {
  const std::string line = MakeLine(message.text, kMaxNoticeBytes);
  ByteWriter writer = Begin(out, MessageType::Notice, 2 + line.size());
  writer.WriteText16(line);
}

DecodeStatus Decode(std::span<const std::byte> bytes, Notice& message) {
  ByteReader reader(AsU8(bytes));
  DecodeStatus status = ReadType(reader, MessageType::Notice);
  std::string_view text;
  if (status == DecodeStatus::Ok) {
    status = ReadText(reader, kMaxNoticeBytes, text);
  }
  if (status == DecodeStatus::Ok) {
    status = Finish(reader);
  }
  if (status == DecodeStatus::Ok) {
    status = CheckLine(text);
  }
  message.text = text;
  return status;
}

void Encode(const Leave& /*message*/, std::vector<std::byte>& out) {
  Begin(out, MessageType::Leave, 0);
}

DecodeStatus Decode(std::span<const std::byte> bytes, Leave& /*message*/) {
  ByteReader reader(AsU8(bytes));
  const DecodeStatus status = ReadType(reader, MessageType::Leave);
  return status == DecodeStatus::Ok ? Finish(reader) : status;
}

void Encode(const OwnEntity& message, std::vector<std::byte>& out) {
  ByteWriter writer = Begin(out, MessageType::OwnEntity, 4);
  writer.WriteU32(message.netId.Value());
}

DecodeStatus Decode(std::span<const std::byte> bytes, OwnEntity& message) {
  ByteReader reader(AsU8(bytes));
  const DecodeStatus status = ReadType(reader, MessageType::OwnEntity);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  message.netId = NetId{reader.ReadU32()};
  return Finish(reader);
}

void Encode(const Archetypes& message, std::vector<std::byte>& out) {
  MUSTER_ASSERT(message.entries.size() <= kMaxArchetypes, "archetypes within their limit");
  std::size_t bodyBytes = 2;
  for (const Archetypes::Entry& entry : message.entries) {
    bodyBytes += 2 + 1 + entry.name.size();
  }
  ByteWriter writer = Begin(out, MessageType::Archetypes, bodyBytes);
  writer.WriteU16(static_cast<std::uint16_t>(message.entries.size()));
  for (const Archetypes::Entry& entry : message.entries) {
    MUSTER_ASSERT(!entry.name.empty() && entry.name.size() <= kMaxArchetypeNameBytes, "a name within its limit");
    writer.WriteU16(entry.id.Value());
    writer.WriteText8(entry.name);
  }
}

DecodeStatus Decode(std::span<const std::byte> bytes, Archetypes& message) {
  ByteReader reader(AsU8(bytes));
  DecodeStatus status = ReadType(reader, MessageType::Archetypes);
  if (status != DecodeStatus::Ok) {
    return status;
  }
  const std::uint16_t count = reader.ReadU16();
  if (count > kMaxArchetypes) {
    return DecodeStatus::BadLength;
  }
  message.entries.clear();
  // Every entry takes four bytes at least: a count that the bytes cannot hold is not believed.
  if (reader.BytesLeft() < std::size_t{count} * 4) {
    return DecodeStatus::Truncated;
  }
  message.entries.reserve(count);
  for (std::uint16_t i = 0; i < count; ++i) {
    const ArchetypeId id{reader.ReadU16()};
    std::string_view name;
    status = ReadShortText(reader, kMaxArchetypeNameBytes, name);
    if (status != DecodeStatus::Ok) {
      return status;
    }
    if (name.empty() || CheckLine(name) != DecodeStatus::Ok) {
      return DecodeStatus::BadText;
    }
    if (!message.entries.empty() && id <= message.entries.back().id) {
      return DecodeStatus::BadValue;
    }
    message.entries.push_back({id, std::string(name)});
  }
  return Finish(reader);
}

}  // namespace muster::protocol
