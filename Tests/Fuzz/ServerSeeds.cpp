// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Seeds of ServerFuzzer: scripts in the form of its Stage::Step. An operation's low four bits say what, its high ones
// which hostile end.
#include "FuzzSeeds.h"

#include "Protocol/JoinMessages.h"

namespace muster::fuzz {
namespace {

Script Wait(std::size_t ticks) {
  return Script{}.U8(0).U8(ticks - 1);
}
Script Open(std::size_t end) {
  return Script{}.U8(3 + end * 16).U8(5 + end * 16).U8(0).Append(Wait(1));
}
Script Join(std::size_t end, std::string_view name) {
  return Script{}.U8(8 + end * 16).Sized8(name).Append(Wait(2));
}
Script Reliable(std::size_t end, std::span<const std::byte> message) {
  return Script{}.U8(7 + end * 16).U8(0).Sized16(message);
}
Script Steer(std::size_t end, std::size_t ahead) {
  return Script{}.U8(9 + end * 16).U8(0).U8(64 + ahead).U8(0).U16(40'000).U8(1).Append(Wait(1));
}

}  // namespace

Seeds MakeSeeds() {
  Seeds seeds;
  const auto add = [&seeds](const char* name, const Script& script) { seeds[name] = script.Result(); };
  std::vector<std::byte> leave;
  protocol::Encode(protocol::Leave{}, leave);

  add("join_play_leave", Script{}
                             .Append(Open(0))
                             .Append(Join(0, "Ada"))
                             .Repeat(8, Steer(0, 3))
                             .Append(Reliable(0, leave))
                             .Append(Wait(3)));
  add("three_join", Script{}
                        .Append(Open(0))
                        .Append(Open(1))
                        .Append(Open(2))
                        .Append(Join(0, "Ada"))
                        .Append(Join(1, "Grace"))
                        .Append(Join(2, "Mary")));
  add("names", Script{}
                   .Append(Open(0))
                   .Append(Join(0, "a\n[INFO] admin logged in"))
                   .Append(Open(1))
                   .Append(Join(1, "\x1b[2J"))
                   .Append(Wait(8))
                   .Append(Open(0))
                   .Append(Join(0, "\xC3\x28"))
                   .Append(Open(1))
                   .Append(Join(1, "\xED\xA0\x80")));
  add("join_twice", Script{}.Append(Open(0)).Repeat(12, Join(0, "Ada")).Append(Wait(4)));
  Script lies;
  for (std::size_t lie = 1; lie <= 4; ++lie) {
    lies.U8(3).U8(5).U8(lie).U16(lie == 1 ? 7 : 3).Append(Wait(1));
  }
  lies.U8(3).U8(5).U8(128).U8(3).U16(3).U8(255).U16(70).U8(1).U16(900).U8(1).Append(Wait(2));
  add("hellos_that_lie", lies);
  add("half_open_until_timeout", Script{}.U8(3).U8(19).U8(35).Repeat(3, Script{}.U8(1).U8(119)).Append(Open(0)));
  add("crowd", Script{}
                   .U8(2)
                   .U8(0)
                   .Text("\x7F\x01\x02\x03")
                   .U16(1'000)
                   .U16(100)
                   .U8(63)
                   .U8(2)
                   .U8(0)
                   .Text(std::string_view{"\x00\x00\x00\x00", 4})
                   .U16(1)
                   .U16(100)
                   .U8(3)
                   .U8(2)
                   .U8(0)
                   .Text("\xE0\x01\x01\x01")
                   .U16(1)
                   .U16(100)
                   .U8(3)
                   .U8(2)
                   .U8(1)
                   .Text("0123456789abcdef")
                   .U16(9)
                   .U16(1'201)
                   .U8(3)
                   .U8(2)
                   .U8(1)
                   .Text("0123456789abcdef")
                   .U16(9)
                   .U16(65'507)
                   .U8(3)
                   .U8(2)
                   .U8(0)
                   .Text("\x7F\x01\x01\x01")
                   .U16(40'000)
                   .U16(8)
                   .U8(63)
                   .Append(Wait(8)));
  add("garbage_in_a_players_name", Script{}
                                       .Append(Wait(2))
                                       .U8(10)
                                       .U8(0)
                                       .Sized16(std::span<const std::uint8_t>{})
                                       .U8(10)
                                       .U8(1)
                                       .U16(3)
                                       .Text("\x02zz")
                                       .U8(10)
                                       .U8(1)
                                       .U16(2)
                                       .Text("\x01\x01")
                                       .U8(11)
                                       .U8(12)
                                       .U16(77)
                                       .Append(Wait(2)));
  add("acks_that_lie", Script{}
                           .Append(Open(0))
                           .Append(Join(0, "Ada"))
                           .U8(6)
                           .U8(1)
                           .U32(0xFFFF'FFFF)
                           .U64(~std::uint64_t{0})
                           .U16(0xFFFF)
                           .Sized8("x")
                           .U8(6)
                           .U8(3)
                           .U8(2)
                           .U64(3)
                           .U16(9)
                           .Sized8("\x20")
                           .Append(Wait(3)));
  add("packets_without_header",
      Script{}.Append(Open(0)).Append(Join(0, "Ada")).Repeat(14, Script{}.U8(6).U8(8).Sized8("short")).Append(Wait(2)));
  add("gap_in_the_stream",
      Script{}.Append(Open(0)).U8(7).U8(15).U16(1).U8(4).Append(Wait(2)).Append(Open(0)).Append(Join(0, "Ada")));
  add("sequence_leaps", Script{}
                            .Append(Open(0))
                            .Append(Join(0, "Ada"))
                            .Repeat(5, Script{}.U8(6).U8(4).U32(0xFF'FFFF).Sized8("\x20zz"))
                            .Append(Wait(2)));
  add("time_that_cannot_be", Script{}
                                 .Append(Open(0))
                                 .Append(Join(0, "Ada"))
                                 .U8(9)
                                 .U8(1)
                                 .U64(std::uint64_t{1} << 63U)
                                 .U8(0)
                                 .U16(1)
                                 .U8(0)
                                 .Append(Wait(1))
                                 .U8(9)
                                 .U8(1)
                                 .U64((std::uint64_t{1} << 63U) + 1'005)
                                 .U8(0)
                                 .U16(1)
                                 .U8(0)
                                 .Append(Wait(2)));
  add("kicked", Script{}.Append(Open(0)).Append(Join(0, "Ada")).U8(15).U8(0).Sized8("be nicer\n").Append(Wait(2)));
  add("vanishes", Script{}.Append(Open(0)).Append(Join(0, "Ada")).U8(14).Repeat(6, Script{}.U8(1).U8(119)));
  add("flood",
      Script{}.Append(Open(0)).Append(Join(0, "Ada")).Repeat(250, Script{}.U8(6).U8(0).Sized8("\x20")).Append(Wait(2)));
  return seeds;
}

}  // namespace muster::fuzz
