// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/PacketHeader.h"
#include "Protocol/Sealing.h"
#include "Protocol/SnapshotMessage.h"
#include "Recipes.h"

#include "Core/Random.h"

#include <sodium.h>

#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace muster::bench {
namespace {

using protocol::Channel;
using protocol::Direction;
using protocol::Opener;
using protocol::OpenStatus;
using protocol::RecordForm;
using protocol::RecordHead;
using protocol::RecordKind;
using protocol::Sealer;
using protocol::SnapshotReader;
using protocol::SnapshotWriter;

/// What is sealed, so that an envelope with its overhead has 1,200 bytes.
constexpr std::size_t kPacketBytes = 1'200;
constexpr std::size_t kMessageBytes = kPacketBytes - protocol::kSealOverheadBytes;
constexpr std::size_t kBatch = 64;
constexpr std::uint32_t kBodyBits = 60;
constexpr std::size_t kBodyBytes = 8;

Case CaseOf(std::string label, std::string subject, std::function<void()> pass) {
  Case made;
  made.label = std::move(label);
  made.subject = std::move(subject);
  made.unit = "packet";
  made.unitsPerPass = kBatch;
  made.pass = std::move(pass);
  return made;
}

/// Packets' memory, as much as a tick of as many clients touches.
struct Buffers {
  Buffers() {
    Random random{3};
    for (auto& packet : from) {
      for (std::byte& byte : packet) {
        byte = static_cast<std::byte>(random.Next());
      }
    }
  }
  std::array<std::array<std::byte, kPacketBytes>, kBatch> from{};
  std::array<std::array<std::byte, kPacketBytes>, kBatch> to{};

  void Copy() {
    for (std::size_t packet = 0; packet < kBatch; ++packet) {
      std::memcpy(to[packet].data(), from[packet].data(), kPacketBytes);
      Keep(to[packet].data());
    }
  }
};

/// Bodies that are encoded already, as the cache of encoded forms holds them, and what is made of them.
struct Assembly {
  Assembly() {
    Random random{4};
    for (auto& body : bodies) {
      for (std::uint8_t& byte : body) {
        byte = static_cast<std::uint8_t>(random.Next());
      }
      body[kBodyBytes - 1] &= (1U << (kBodyBits % 8)) - 1;
    }
  }

  /// One packet as full as it gets; returns its bytes.
  std::span<const std::byte> Fill(std::size_t packet, std::uint32_t& records) {
    std::span<std::byte> room{buffers.to[packet].data(), kMessageBytes};
    serialization::ByteWriter writer{{reinterpret_cast<std::uint8_t*>(room.data()), protocol::kPacketHeaderBytes}};
    protocol::WritePacketHeader(writer, {7, 6, ~std::uint64_t{0}, 12});
    SnapshotWriter snapshot{room.subspan(protocol::kPacketHeaderBytes),
                            {Tick{600}, Tick{598}, 1, protocol::ChooseIdOrder(5'000, 130)}};
    records = 0;
    for (std::uint32_t id = 1; id < 5'000; id += 38) {
      const RecordHead head{.netId = NetId{id}, .kind = RecordKind::Update, .form = RecordForm::Anchor1};
      if (!snapshot.Add(head, bodies[id % bodies.size()].data(), kBodyBits)) {
        break;
      }
      ++records;
    }
    return snapshot.Finish();
  }

  void FillAll() {
    for (std::size_t packet = 0; packet < kBatch; ++packet) {
      std::uint32_t records = 0;
      Keep(Fill(packet, records).data());
    }
  }

  std::string Check() {
    std::uint32_t written = 0;
    SnapshotReader reader{Fill(0, written)};
    protocol::SnapshotHeader header;
    RecordHead head;
    std::uint32_t read = 0;
    if (reader.ReadHeader(header) != protocol::DecodeStatus::Ok) {
      return "the assembled packet's header does not read";
    }
    while (reader.ReadRecord(head)) {
      reader.SkipBody(kBodyBits);
      ++read;
    }
    return read == written && read > 90 && reader.Status() == protocol::DecodeStatus::Ok
               ? std::string{}
               : "the assembled packet does not read back";
  }

  Buffers buffers{};
  std::array<std::array<std::uint8_t, kBodyBytes>, 97> bodies{};
};

Group AssembleGroup(const std::string& name) {
  Group group;
  group.name = name;
  const auto assembly = std::make_shared<Assembly>();
  std::uint32_t records = 0;
  assembly->Fill(0, records);
  group.figures.push_back({"records", static_cast<double>(records), "updates a packet"});
  group.cases.push_back(CaseOf("snapshot", "packet header and SnapshotWriter", [assembly] { assembly->FillAll(); }));
  group.cases.push_back(CaseOf("memcpy", "memcpy of 1,200 bytes", [assembly] { assembly->buffers.Copy(); }));
  group.ratios = {{"snapshot", "memcpy"}};
  group.check = [assembly] { return assembly->Check(); };
  return group;
}

/// Two ends with keys of one exchange.
struct Ends {
  Ends() {
    const protocol::KeyExchange server;
    const protocol::KeyExchange client;
    const protocol::TranscriptHash transcript{};
    const std::optional<protocol::SessionKeys> ours = server.ServerKeys(client.Public(), transcript);
    const std::optional<protocol::SessionKeys> theirs = client.ClientKeys(server.Public(), transcript);
    if (ours && theirs) {
      sealer.emplace(ours->send, Direction::ToClient, Channel::Unreliable);
      opener.emplace(theirs->receive, Direction::ToClient, Channel::Unreliable);
      unused = *opener;
    }
  }

  void SealAll() {
    for (std::size_t packet = 0; packet < kBatch; ++packet) {
      Keep(sealer->Seal(++counter, std::span{buffers.from[packet]}.first(kMessageBytes), buffers.to[packet]));
    }
  }
  /// A window that has seen none of them, or the second pass would be one of replays.
  void Forget() { opener = unused; }
  std::size_t OpenAll() {
    std::size_t opened = 0;
    for (std::size_t packet = 0; packet < kBatch; ++packet) {
      Opener::Opened message;
      opened += opener->Open(buffers.to[packet], plain, message) == OpenStatus::Ok ? 1U : 0U;
    }
    return opened;
  }

  Buffers buffers{};
  std::array<std::byte, kPacketBytes> plain{};
  std::optional<Sealer> sealer{};
  std::optional<Opener> opener{};
  std::optional<Opener> unused{};
  std::uint64_t counter = 0;
};

/// The library alone, with a counter for a nonce.
struct Sodium {
  void SealAll(Buffers& buffers) {
    for (std::size_t packet = 0; packet < kBatch; ++packet) {
      ++counter;
      std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES> nonce{};
      std::memcpy(nonce.data(), &counter, sizeof counter);
      unsigned long long length = 0;
      auto* const out = reinterpret_cast<unsigned char*>(buffers.to[packet].data());
      const auto* const in = reinterpret_cast<const unsigned char*>(buffers.from[packet].data());
      crypto_aead_chacha20poly1305_ietf_encrypt(out + protocol::kEnvelopeClearBytes, &length, in, kMessageBytes, out,
                                                protocol::kEnvelopeClearBytes, nullptr, nonce.data(), key.data());
      Keep(length);
    }
  }

  std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_KEYBYTES> key{1, 2, 3};
  std::uint64_t counter = 0;
};

Group SealGroup(const std::string& name) {
  Group group;
  group.name = name;
  const bool isReady = protocol::InitialiseSealing();
  const auto ends = std::make_shared<Ends>();
  const auto sodium = std::make_shared<Sodium>();
  const auto buffers = std::make_shared<Buffers>();
  group.cases.push_back(CaseOf("seal", "Sealer", [ends] { ends->SealAll(); }));
  group.cases.push_back(CaseOf("open", "Opener", [ends] { Keep(ends->OpenAll()); }));
  group.cases.back().prepare = [ends] { ends->Forget(); };
  group.cases.push_back(
      CaseOf("sodium", "libsodium ChaCha20-Poly1305 alone", [sodium, buffers] { sodium->SealAll(*buffers); }));
  group.cases.push_back(CaseOf("memcpy", "memcpy of 1,200 bytes", [buffers] { buffers->Copy(); }));
  group.ratios = {{"seal", "sodium"}, {"open", "sodium"}, {"seal", "memcpy"}};
  group.check = [ends, isReady] {
    if (!isReady || !ends->sealer) {
      return std::string{"no keys"};
    }
    ends->SealAll();
    ends->Forget();
    const bool isOpened = ends->OpenAll() == kBatch;
    const bool isSame = std::memcmp(ends->plain.data(), ends->buffers.from[kBatch - 1].data(), kMessageBytes) == 0;
    return isOpened && isSame ? std::string{} : std::string{"what was sealed does not open"};
  };
  return group;
}

}  // namespace

std::vector<GroupRecipe> PacketRecipes() {
  return {{"packet/assemble/1200", "a snapshot packet of encoded bodies, as full as it gets", true,
           [] { return AssembleGroup("packet/assemble/1200"); }},
          {"packet/seal/1200", "sealing and opening a packet", true, [] { return SealGroup("packet/seal/1200"); }}};
}

}  // namespace muster::bench
