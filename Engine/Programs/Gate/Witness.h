// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A client inside the gate that only looks: it sees the world as every player does and watches that nothing jumps.
//
//   auto witness = Witness::Join(places, port, {});
//   ...
//   const WitnessFigures figures = (*witness)->Leave();
#pragma once

#include "GatePlaces.h"
#include "PathWatch.h"

#include "Core/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace muster::gate {

struct WitnessFigures {
  PathFigures paths;
  std::size_t entities = 0;  ///< seen when it left
  bool stayed = false;       ///< it got in and was never sent away
  std::string failure;       ///< why not
};

/// Ids of plugins; empty: the server's defaults.
struct WitnessPlugins {
  std::string transport{};
  std::string codec{};
};

/// Runs on a thread of its own from Join to Leave. [main]
class Witness {
 public:
  /// Fails when transport or codec cannot be loaded; whether it got in shows in the figures.
  static Result<std::unique_ptr<Witness>> Join(const Places& places, std::uint16_t port, const WitnessPlugins& plugins);
  ~Witness();
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  /// Once.
  WitnessFigures Leave();

 private:
  class Impl;
  explicit Witness(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> m_impl;
};

}  // namespace muster::gate
