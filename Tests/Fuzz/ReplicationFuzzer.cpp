// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The server's end of replication under a script: a world that changes, an honest client on a line that loses, repeats
// and delays as the input says, and a liar whose acks and requests are the input's. Every value the honest client ever
// shows was true, and once its line is good again it shows everything; the liar harms nobody but itself.
#include "FuzzInput.h"
#include "FuzzSeeds.h"

#include "ReplicationHarness.h"

#include <gtest/gtest.h>

#include <string>

namespace muster::fuzz {
namespace {

using replication::testing::Harness;
using replication::testing::PipeQuality;
using replication::testing::TestClient;
using replication::testing::UpPacket;

constexpr std::uint32_t kCapacity = 24;
/// Far beyond what a small world takes on a good line.
constexpr std::uint32_t kStepsToAgree = 300;
constexpr std::size_t kMaxOperations = 200;

class Stage {
 public:
  Stage() : m_harness{Options()} {
    m_harness.checksEveryMessage = true;
    m_own = m_harness.Spawn({0.0, 500.0, 0.0});
    m_harness.Join(m_own);
    m_liar = m_harness.Join(m_own).session;
  }

  void Run(FuzzInput& input) {
    for (std::size_t done = 0; done < kMaxOperations && !input.IsEmpty(); ++done) {
      Step(input);
    }
    m_harness.downQuality = m_harness.upQuality = PipeQuality{};
    m_harness.Disconnect(m_liar);
    Require(m_harness.StepsUntilEqual(kStepsToAgree).has_value(),
            "on a good line the honest client shows what is true");
    Require(m_harness.Stage().Stats().codecFailures == 0, "the codec never fails");
  }

 private:
  static Harness::Options Options() {
    Harness::Options options;
    options.capacity = kCapacity;
    options.replication.drawDistanceMeters = 20'000.0;
    options.replication.snapshotBudgetBytes = replication::kMinBudgetBytes + 100;
    return options;
  }

  void Step(FuzzInput& input) {
    const std::uint8_t operation = input.U8();
    switch (operation % 12) {
      case 0:
        Ticks(1U + input.U8() % 12U);
        break;
      case 1:
        m_harness.Spawn(Position(input));
        break;
      case 2:
      case 3:
        if (const world::EntityHandle victim = Pick(input); !victim.IsNull() && victim != m_own) {
          m_harness.Kill(victim, operation % 12 == 3);
        }
        break;
      case 4:
        if (const world::EntityHandle moved = Pick(input); !moved.IsNull()) {
          m_harness.Move(moved, Position(input));
        }
        break;
      case 5:
        if (const world::EntityHandle pushed = Pick(input); !pushed.IsNull()) {
          m_harness.SetVelocity(pushed, {Metres(input) / 100.0F, 0.0F, Metres(input) / 100.0F});
        }
        break;
      case 6:
        for (std::uint32_t ticks = 1U + input.U8() % 8U; ticks > 0; --ticks) {
          m_harness.FlyAll();
          Ticks(1);
        }
        break;
      case 7:
        m_harness.downQuality = Quality(input);
        break;
      case 8:
        m_harness.upQuality = Quality(input);
        break;
      case 9:
        Lie(input);
        break;
      case 10:  // another liar, and with it another session
        m_harness.Disconnect(m_liar);
        m_liar = m_harness.Join(Pick(input)).session;
        break;
      default:
        for (const auto& client : m_harness.ClientList()) {
          client->budgetBytes = replication::kMinBudgetBytes + input.U8() * 4U;
        }
        break;
    }
    Ticks(operation >> 7U);
  }

  void Ticks(std::uint32_t count) {
    for (; count > 0; --count) {
      m_harness.Step();
      if (TestClient* liar = Liar()) {
        liar->down = {};  // it reads nothing, it only talks
        Require(liar->largestMessage <= 1'400, "no message is larger than a datagram");
      }
    }
  }

  TestClient* Liar() {
    for (const auto& client : m_harness.ClientList()) {
      if (client->session == m_liar) {
        return client.get();
      }
    }
    return nullptr;
  }

  /// What a hostile client's packet can say: it passes the link's own window, and then it is believed.
  void Lie(FuzzInput& input) {
    TestClient* liar = Liar();
    UpPacket packet;
    const std::uint8_t shape = input.U8();
    packet.ack = (shape & 1U) != 0 ? input.U32() : liar->nextSequence - 1U - input.U8() % 70U;
    packet.mask = (shape & 2U) != 0 ? input.U64() : ~std::uint64_t{0};
    for (std::uint32_t needs = (shape >> 2U) % 8U; needs > 0; --needs) {
      packet.needAbsolute.push_back(NetId{(shape & 0x80U) != 0 ? input.U32() : input.U8() % 32U});
    }
    liar->up.Send(packet, m_harness.Now().Value(), {}, m_harness.random);
  }

  world::EntityHandle Pick(FuzzInput& input) {
    const auto living = m_harness.Living();
    return living[input.U8() % living.size()];
  }

  static float Metres(FuzzInput& input) { return static_cast<float>(static_cast<std::int16_t>(input.U16())); }

  static std::array<double, 3> Position(FuzzInput& input) {
    const double x = static_cast<double>(Metres(input));
    return {x, 500.0, static_cast<double>(Metres(input))};
  }

  static PipeQuality Quality(FuzzInput& input) {
    const std::uint8_t shape = input.U8();
    PipeQuality quality;
    quality.loss = static_cast<double>(shape % 5U) / 4.0;
    quality.duplication = (shape & 0x40U) != 0 ? 0.5 : 0.0;
    quality.maxDelay = 1U + (shape >> 3U) % 8U * 3U;
    return quality;
  }

  Harness m_harness;
  world::EntityHandle m_own{};
  SessionId m_liar{};
};

Script Place(std::size_t x, std::size_t z) {
  return Script{}.U16(x & 0xFFFFU).U16(z & 0xFFFFU);
}

}  // namespace

Seeds MakeSeeds() {
  Seeds seeds;
  const Script crowd = Script{}.Repeat(6, Script{}.U8(1).Append(Place(500, 500)));
  const Script wait = Script{}.U8(0).U8(11);
  const Script fly = Script{}.U8(5).U8(1).Append(Place(5'000, 0)).U8(6).U8(7);
  seeds["quiet_world"] = Script{}.Append(crowd).Append(wait).Append(fly).Repeat(3, wait).Result();
  seeds["births_and_deaths"] =
      Script{}
          .Append(crowd)
          .Append(wait)
          .Repeat(5, Script{}.U8(2).U8(1).U8(128).U8(0).U8(3).U8(2).U8(129).Append(Place(9, 9)))
          .Append(wait)
          .Result();
  seeds["in_and_out_of_sight"] =
      Script{}
          .Append(crowd)
          .Append(wait)
          .Repeat(
              4,
              Script{}.U8(4).U8(1).Append(Place(30'000, 0)).Append(wait).U8(4).U8(1).Append(Place(100, 0)).Append(wait))
          .Result();
  seeds["bad_line"] = Script{}
                          .U8(7)
                          .U8(0x7A)
                          .U8(8)
                          .U8(0x3A)
                          .Append(crowd)
                          .Repeat(4, wait)
                          .Append(fly)
                          .Repeat(3, Script{}.U8(2).U8(1).Append(wait))
                          .Result();
  seeds["line_goes_dead"] = Script{}.Append(crowd).Append(wait).U8(7).U8(4).Append(fly).Repeat(9, wait).Result();
  Script lies = Script{}.Append(crowd).Append(wait);
  for (std::size_t shape = 0; shape < 8; ++shape) {
    lies.U8(9 | 128U).U8(shape * 5 % 32).U32(3).U64(~std::uint64_t{0} >> shape).U8(3).U8(255);
  }
  seeds["acks_that_lie"] = lies.Append(wait).Result();
  seeds["acks_what_never_came"] =
      Script{}
          .Append(crowd)
          .Append(wait)
          .Repeat(6, Script{}.U8(9).U8(0).U8(0).U8(2).U8(1).U8(1).Append(Place(7, 7)).Append(wait))
          .Result();
  seeds["sessions_come_and_go"] = Script{}.Append(crowd).Repeat(6, Script{}.U8(10).U8(2).Append(wait)).Result();
  seeds["small_budgets"] = Script{}.Repeat(3, crowd).U8(11).U8(0).U8(0).Append(fly).Repeat(4, wait).Result();
  return seeds;
}

}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The harness speaks in GoogleTest's expectations; the first that fails ends the run.
  static const bool isSet = [] {
    testing::GTEST_FLAG(break_on_failure) = true;
    return true;
  }();
  static_cast<void>(isSet);
  muster::fuzz::FuzzInput input(data, size);
  muster::fuzz::Stage{}.Run(input);
  return 0;
}
