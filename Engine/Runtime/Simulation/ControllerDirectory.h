// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Which controllers there are, and whose code runs behind each name.
//
//   ControllerDirectory controllers{simulation.Store(), logger};
//   controllers.Add(*catalog.Find<mu_ai_controller_v0>("muster.ai.basic"));
//   const ControllerId loiter = *controllers.Find("loiter");       // goes into SpawnRequest::controller
//
//   Result<Provider> old = controllers.Swap("muster.ai.basic", std::move(next));   // between two ticks; retire *old then
//
// An id stays with its name for the life of the world, whatever code is behind it. A swap binds the same names to the
// new provider: agents fly on with the new code from their next think, and keep their blackboards where size and schema
// are equal (otherwise zeroed). A name that the new provider lacks, and every name of a provider that failed, is flown
// by the hold controller until a swap brings it back, with the blackboards as they were; the log names them. Two providers
// never offer the same name: the later one is refused, be it added or swapped in. A candidate that cannot be created or
// describes itself wrongly changes nothing.
//
// Threads: [sim] between ticks for everything but Think, which is [worker]. The store outlives the directory.
#pragma once

#include "Core/Ids.h"
#include "Core/Log.h"
#include "Core/Result.h"
#include "PluginHost/CallGuard.h"
#include "PluginHost/Slot.h"
#include "World/EntityStore.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::simulation {

inline constexpr ErrorCode kControllerRefused{1412, "ControllerRefused"};

/// The value of the `controller` column; null is "steered by nobody or by a player".
using ControllerId = StrongId<struct ControllerTag, std::uint16_t>;

inline constexpr std::size_t kMaxControllers = 64;
inline constexpr std::uint32_t kMaxBlackboardBytes = 256;

class ControllerDirectory {
 public:
  using Provider = plugins::Provider<mu_ai_controller_v0>;

  /// Offers "hold" from the start.
  ControllerDirectory(world::EntityStore& store, const Logger& logger);
  ~ControllerDirectory();
  ControllerDirectory(const ControllerDirectory&) = delete;
  ControllerDirectory& operator=(const ControllerDirectory&) = delete;

  /// Creates an instance and offers its controllers. Fails with plugins::kCreateFailed or kControllerRefused (a bad
  /// description, a name that is taken, too many controllers); then nothing changed.
  Result<void> Add(Provider provider);

  /// Puts `next` in the place of the provider that is named `providerName` and gives that one back, its instance
  /// destroyed, for the caller to retire or to swap back in. Fails like Add, or with plugins::kNoProvider.
  Result<Provider> Swap(std::string_view providerName, Provider next);

  [[nodiscard]] std::optional<ControllerId> Find(std::string_view name) const;
  [[nodiscard]] std::string_view NameOf(ControllerId id) const;
  /// Names in the order of their ids, "hold" first.
  [[nodiscard]] std::vector<std::string_view> Names() const;

  /// For displays: who is behind a provider slot, and whether the fallback flies for it.
  struct ProviderStatus {
    std::string name;
    std::string version;
    bool isDisabled = false;
    std::uint64_t failures = 0;
  };
  [[nodiscard]] std::vector<ProviderStatus> Providers() const;

  /// What the AI stage needs of one controller. Valid until the next Add or Swap.
  struct Controller {
    std::uint32_t thinkStride = 1;
    std::uint32_t blackboardStride = 0;  ///< bytes, a multiple of 8; 0: none
    std::byte* blackboards = nullptr;    ///< indexed by slot
  };
  [[nodiscard]] std::size_t Count() const;
  [[nodiscard]] Controller Describe(ControllerId id) const;

  /// [worker] Lets a chunk of agents think; fills in `batch.controller`. A failure is counted and the hold controller
  /// answers for this chunk.
  void Think(ControllerId id, mu_think_batch& batch);

  /// Behind the last Think of a tick: providers that failed in it are disabled and logged.
  void CommitFailures();

  /// Agents that the hold controller answered for because their own provider could not. [any]
  [[nodiscard]] std::uint64_t FallbackThinks() const { return m_fallbackThinks.load(std::memory_order_relaxed); }

 private:
  struct Info;
  struct Binding;
  struct Entry;

  static Result<std::vector<Info>> ReadInfos(const Provider& provider, const mu_ai_provider& instance);
  Result<std::unique_ptr<Binding>> Bind(Provider provider, std::vector<Info>& infos) const;
  Result<void> CheckNames(const std::vector<Info>& infos, const Binding* owner, const std::string& provider) const;
  void Offer(Binding& binding, const std::vector<Info>& infos);
  void SayWhatIsVacant(const Binding& binding) const;
  void FitBlackboard(Entry& entry, const Info& info);
  Entry* FindEntry(std::string_view name);

  world::EntityStore& m_store;
  Logger m_logger;
  std::vector<std::unique_ptr<Binding>> m_bindings;
  std::vector<Entry> m_entries;  ///< by id - 1
  std::atomic<std::uint64_t> m_fallbackThinks{0};
};

}  // namespace muster::simulation
