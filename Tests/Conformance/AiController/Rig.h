// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Lets agents think as the host does, but with fences around everything and chunks cut as the plan says.
//
//   Rig rig{subject.First(), controller};
//   Instance instance{subject.First()};
//   const Flight flight = rig.Fly(instance, scene, Plan{.chunkSizes = {1, 7}});
//   flight.log       every command and every blackboard after every think, as bytes
//   flight.findings  what broke the contract on the way, as sentences
#pragma once

#include "Scene.h"
#include "Subject.h"

#include <cstdint>
#include <string>
#include <vector>

namespace muster::conformance {

using Findings = std::vector<std::string>;

/// How the thinks of a tick are carried out.
struct Plan {
  std::vector<std::uint32_t> chunkSizes{128};  ///< one after the other, over again
  bool isReversed = false;                     ///< the last chunk first
  unsigned threads = 1;
  std::uint64_t garbage = 1;      ///< what lies where nobody may look
  std::uint32_t extraStride = 0;  ///< between blackboards, a multiple of 8
  bool isRecreated = false;       ///< a new instance for every tick
  int ticks = 6;
};

/// What agents have between two thinks, an agent after the other.
struct Rows {
  std::vector<mu_control> controls;
  std::vector<std::uint8_t> blackboards;
};

/// One tick.
struct Thought {
  std::vector<mu_status> statuses;  ///< of every chunk, in slot order
  std::uint64_t allocations = 0;    ///< within think; of all threads
};

struct Flight {
  std::vector<std::uint8_t> log;
  Findings findings;
  std::uint64_t lateAllocations = 0;  ///< behind the first tick
};

class Rig {
 public:
  Rig(const Library& library, std::uint32_t controller);

  [[nodiscard]] const mu_controller_info& Info() const { return m_info; }
  [[nodiscard]] const std::string& Name() const { return m_name; }
  [[nodiscard]] Rows NewRows(const Scene& scene) const;

  /// A think of every agent. Says in `findings` what was written where it must not be.
  Thought Think(const Instance& instance, const Scene& scene, CountingSpatial& spatial, std::uint64_t tick,
                const Plan& plan, Rows& rows, Findings& findings) const;

  /// `plan.ticks` thinks of every agent, from empty blackboards, while everybody moves on. A think that fails, and a
  /// command out of its range in a sound scene, are findings.
  [[nodiscard]] Flight Fly(const Instance& instance, Scene scene, const Plan& plan) const;

  /// What is wrong with the commands of a sound scene.
  void JudgeCommands(const Scene& scene, const Rows& rows, Findings& findings) const;

 private:
  std::uint32_t m_controller;
  mu_controller_info m_info{};
  std::string m_name;
};

}  // namespace muster::conformance
