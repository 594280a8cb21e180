// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Where a consumer finds the functions it calls. The provider behind a slot changes at a tick boundary; whoever calls
// through the slot then runs the new code.
//
//   Slot<mu_spatial_index_v0> slot{*catalog.Find<mu_spatial_index_v0>("muster.spatial.grid")};
//   slot->rebuild(index, &view);                        // never keep a function pointer of a table
//   Provider<mu_spatial_index_v0> old = slot.Exchange(std::move(next));
//
// An instance belongs to the table that created it: on an exchange destroy it with the old provider's table before the
// old provider is let go.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "Core/Assert.h"
#include "PluginApi/AiController.h"
#include "PluginApi/LayoutHash.h"
#include "PluginApi/SnapshotCodec.h"
#include "PluginApi/SpatialIndex.h"
#include "PluginApi/Transport.h"
#include "PluginHost/PluginGeneration.h"

namespace muster::plugins {

/// The interface id of a table type.
template <class Table>
inline constexpr const char* kInterfaceId = nullptr;
template <>
inline constexpr const char* kInterfaceId<mu_transport_v0> = MU_TRANSPORT_V0;
template <>
inline constexpr const char* kInterfaceId<mu_spatial_index_v0> = MU_SPATIAL_INDEX_V0;
template <>
inline constexpr const char* kInterfaceId<mu_ai_controller_v0> = MU_AI_CONTROLLER_V0;
template <>
inline constexpr const char* kInterfaceId<mu_snapshot_codec_v0> = MU_SNAPSHOT_CODEC_V0;

/// Somebody who provides an interface: a generation of a plugin, or code linked into the host. Keeps its generation.
template <class Table>
struct Provider {
  std::string name;  ///< plugin id, or the name it was registered under
  const Table* table = nullptr;
  std::shared_ptr<const PluginGeneration> generation{};  ///< null: built in

  [[nodiscard]] bool IsBuiltIn() const noexcept { return generation == nullptr; }
  [[nodiscard]] GenerationNumber Number() const noexcept { return generation ? generation->Number() : 0; }
  /// What `plugin list` prints: the version that the running code answers with, or "built in".
  [[nodiscard]] std::string VersionText() const { return generation ? generation->Identity().version : "built in"; }
};

/// Owned by the consumer that calls through it. Exchange [sim] (a transport's: the network thread, parked) while nobody
/// calls; everything else from any thread that the consumer's own rules allow to call.
template <class Table>
class Slot {
 public:
  explicit Slot(Provider<Table> provider) : m_provider{std::move(provider)} {
    MUSTER_ASSERT(m_provider.table != nullptr, "a slot always has a table");
  }
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  [[nodiscard]] const Table* operator->() const noexcept { return m_provider.table; }
  [[nodiscard]] const Provider<Table>& Current() const noexcept { return m_provider; }

  /// Puts `next` in and gives back what was there, so that the caller can destroy its instances and retire it.
  [[nodiscard]] Provider<Table> Exchange(Provider<Table> next) {
    MUSTER_ASSERT(next.table != nullptr, "a slot always has a table");
    return std::exchange(m_provider, std::move(next));
  }

 private:
  Provider<Table> m_provider;
};

}  // namespace muster::plugins
