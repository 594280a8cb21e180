// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/ControllerDirectory.h"

#include "Core/Assert.h"
#include "PluginApi/PluginTables.h"
#include "PluginHost/Errors.h"
#include "Simulation/HoldController.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster::simulation {
namespace {

constexpr std::string_view kHoldProvider = "builtin.hold";
constexpr std::uint32_t kMostControllersOfProvider = 32;

bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Error Refused(const std::string& provider, std::string cause) {
  return Error{kControllerRefused, fmt::format("The controllers of {} were not taken.", provider), std::move(cause),
               "Use another version of the plugin, or tell its author."};
}

}  // namespace

/// What a provider says about one controller, copied out of the library.
struct ControllerDirectory::Info {
  std::string name;
  std::uint32_t index = 0;
  std::uint32_t blackboardBytes = 0;
  std::uint32_t blackboardSchema = 0;
  std::uint32_t thinkStride = 1;
};

/// One provider and its instance.
struct ControllerDirectory::Binding {
  Binding(Provider provider, mu_ai_provider* made)
      : slot{std::move(provider)},
        instance{made},
        guard{std::make_unique<plugins::CallGuard>(
            fmt::format("{} {}", slot.Current().name, slot.Current().VersionText()))} {}
  ~Binding() {
    if (instance != nullptr) {
      slot->destroy(instance);
    }
  }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

  plugins::Slot<mu_ai_controller_v0> slot;
  mu_ai_provider* instance;
  std::unique_ptr<plugins::CallGuard> guard;
  bool isDisabled = false;
};

struct ControllerDirectory::Entry {
  std::string name;
  Binding* binding = nullptr;
  std::uint32_t indexInProvider = 0;
  bool isVacant = false;  ///< the provider no longer offers it
  std::uint32_t thinkStride = 1;
  std::uint32_t blackboardStride = 0;
  std::uint32_t blackboardSchema = 0;
  world::ColumnIndex blackboards = 0;
};

ControllerDirectory::ControllerDirectory(world::EntityStore& store, const Logger& logger)
    : m_store{store}, m_logger{logger.For("Simulation")} {
  m_entries.reserve(kMaxControllers);
  const Result<void> added = Add(Provider{std::string{kHoldProvider}, &HoldControllerTable()});
  MUSTER_ASSERT_ALWAYS(added.HasValue(), "the built-in controller is refused");
}

ControllerDirectory::~ControllerDirectory() = default;

Result<std::vector<ControllerDirectory::Info>> ControllerDirectory::ReadInfos(const Provider& provider,
                                                                              const mu_ai_provider& instance) {
  const std::uint32_t count = provider.table->controller_count(&instance);
  if (count == 0 || count > kMostControllersOfProvider) {
    return Refused(provider.name,
                   fmt::format("It offers {} controllers; 1 to {} are allowed.", count, kMostControllersOfProvider));
  }
  std::vector<Info> infos;
  for (std::uint32_t index = 0; index < count; ++index) {
    mu_controller_info said{};
    const mu_status status = provider.table->controller_info(&instance, index, &said);
    if (status != MU_OK) {
      return Refused(provider.name, fmt::format("controller_info({}) answered {}: {}", index,
                                                plugins::StatusName(status), plugins::LastSentence()));
    }
    Info info{std::string{plugin::ToView(said.name)}, index, said.blackboard_bytes, said.blackboard_schema,
              said.think_stride};
    if (!IsName(info.name)) {
      return Refused(provider.name, fmt::format("Controller {} has no name of 1 to 32 of a-z, 0-9, _ and -.", index));
    }
    if (info.blackboardBytes > kMaxBlackboardBytes || info.thinkStride < 1 || info.thinkStride > 60) {
      return Refused(provider.name,
                     fmt::format("'{}' wants {} blackboard bytes and every {}th tick; at most {} bytes "
                                 "and 1 to 60 ticks are allowed.",
                                 info.name, info.blackboardBytes, info.thinkStride, kMaxBlackboardBytes));
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

Result<std::unique_ptr<ControllerDirectory::Binding>> ControllerDirectory::Bind(Provider provider,
                                                                                std::vector<Info>& infos) const {
  MUSTER_ASSERT(provider.table != nullptr, "a provider without a table");
  mu_ai_provider* instance = nullptr;
  plugins::ClearLastSentence();
  const mu_status status = provider.table->create(&instance);
  if (status != MU_OK || instance == nullptr) {
    return Error{plugins::kCreateFailed, fmt::format("{} made no controllers.", provider.name),
                 fmt::format("create answered {}: {}", plugins::StatusName(status), plugins::LastSentence()),
                 "See the plugin's log lines, or use another version of it."};
  }
  auto binding = std::make_unique<Binding>(std::move(provider), instance);
  Result<std::vector<Info>> read = ReadInfos(binding->slot.Current(), *instance);
  if (!read) {
    return std::move(read).Failure();
  }
  infos = std::move(*read);
  return binding;
}

Result<void> ControllerDirectory::CheckNames(const std::vector<Info>& infos, const Binding* owner,
                                             const std::string& provider) const {
  std::size_t added = 0;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (infos[i].name == infos[j].name) {
        return Refused(provider, fmt::format("It offers '{}' twice.", infos[i].name));
      }
    }
    const auto taken = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.name == infos[i].name; });
    if (taken == m_entries.end()) {
      ++added;
    } else if (taken->binding != owner) {
      return Refused(provider,
                     fmt::format("'{}' is offered by {} already.", infos[i].name, taken->binding->slot.Current().name));
    }
  }
  if (m_entries.size() + added > kMaxControllers) {
    return Refused(provider, fmt::format("There would be more than {} controllers.", kMaxControllers));
  }
  return {};
}

Result<void> ControllerDirectory::Add(Provider provider) {
  const std::string name = provider.name;
  std::vector<Info> infos;
  Result<std::unique_ptr<Binding>> binding = Bind(std::move(provider), infos);
  if (!binding) {
    return std::move(binding).Failure();
  }
  if (Result<void> checked = CheckNames(infos, nullptr, name); !checked) {
    return checked;
  }
  m_bindings.push_back(std::move(*binding));
  Offer(*m_bindings.back(), infos);
  return {};
}

Result<ControllerDirectory::Provider> ControllerDirectory::Swap(std::string_view providerName, Provider next) {
  const auto place = std::find_if(m_bindings.begin(), m_bindings.end(), [&](const std::unique_ptr<Binding>& one) {
    return one->slot.Current().name == providerName;
  });
  if (place == m_bindings.end()) {
    return Error{plugins::kNoProvider, fmt::format("{} provides no controllers.", providerName), "",
                 "Name one of the providers that 'plugin' lists."};
  }
  const std::string name = next.name;
  std::vector<Info> infos;
  Result<std::unique_ptr<Binding>> made = Bind(std::move(next), infos);
  if (!made) {
    return std::move(made).Failure();
  }
  if (Result<void> checked = CheckNames(infos, place->get(), name); !checked) {
    return std::move(checked).Failure();
  }
  const std::unique_ptr<Binding> old = std::exchange(*place, std::move(*made));
  for (Entry& entry : m_entries) {
    if (entry.binding == old.get()) {
      entry.binding = place->get();
      entry.isVacant = true;
    }
  }
  Offer(**place, infos);
  SayWhatIsVacant(**place);
  return old->slot.Current();
}

void ControllerDirectory::SayWhatIsVacant(const Binding& binding) const {
  std::vector<std::string_view> vacant;
  for (const Entry& entry : m_entries) {
    if (entry.binding == &binding && entry.isVacant) {
      vacant.emplace_back(entry.name);
    }
  }
  if (!vacant.empty()) {
    m_logger.Warning("{} {} does not offer {}: the hold controller flies those agents until a swap brings it back.",
                     binding.slot.Current().name, binding.slot.Current().VersionText(), fmt::join(vacant, ", "));
  }
}

void ControllerDirectory::Offer(Binding& binding, const std::vector<Info>& infos) {
  for (const Info& info : infos) {
    Entry* entry = FindEntry(info.name);
    if (entry == nullptr) {
      entry = &m_entries.emplace_back();
      entry->name = info.name;
    }
    entry->binding = &binding;
    entry->isVacant = false;
    entry->indexInProvider = info.index;
    entry->thinkStride = info.thinkStride;
    FitBlackboard(*entry, info);
  }
}

void ControllerDirectory::FitBlackboard(Entry& entry, const Info& info) {
  const std::uint32_t stride = (info.blackboardBytes + 7U) / 8U * 8U;
  if (stride == entry.blackboardStride && info.blackboardSchema == entry.blackboardSchema) {
    return;
  }
  if (entry.blackboardStride != 0) {
    m_store.DropColumn(entry.blackboards);
  }
  if (stride != 0) {
    entry.blackboards = m_store.AddByteColumn({.name = "blackboard_" + entry.name}, stride);
  }
  entry.blackboardStride = stride;
  entry.blackboardSchema = info.blackboardSchema;
}

ControllerDirectory::Entry* ControllerDirectory::FindEntry(std::string_view name) {
  const auto found =
      std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == m_entries.end() ? nullptr : &*found;
}

std::optional<ControllerId> ControllerDirectory::Find(std::string_view name) const {
  for (std::size_t i = 0; i < m_entries.size(); ++i) {
    if (m_entries[i].name == name) {
      return ControllerId{static_cast<std::uint16_t>(i + 1)};
    }
  }
  return std::nullopt;
}

std::string_view ControllerDirectory::NameOf(ControllerId id) const {
  MUSTER_ASSERT(id.Value() >= 1 && id.Value() <= m_entries.size(), "a controller id that nobody gave");
  return m_entries[id.Value() - 1U].name;
}

std::vector<std::string_view> ControllerDirectory::Names() const {
  std::vector<std::string_view> names;
  for (const Entry& entry : m_entries) {
    names.emplace_back(entry.name);
  }
  return names;
}

std::vector<ControllerDirectory::ProviderStatus> ControllerDirectory::Providers() const {
  std::vector<ProviderStatus> result;
  for (const std::unique_ptr<Binding>& binding : m_bindings) {
    result.push_back({binding->slot.Current().name, binding->slot.Current().VersionText(), binding->isDisabled,
                      binding->guard->Failures()});
  }
  return result;
}

std::size_t ControllerDirectory::Count() const {
  return m_entries.size();
}

ControllerDirectory::Controller ControllerDirectory::Describe(ControllerId id) const {
  const Entry& entry = m_entries[id.Value() - 1U];
  Controller controller{entry.thinkStride, entry.blackboardStride, nullptr};
  if (entry.blackboardStride != 0) {
    controller.blackboards = static_cast<std::byte*>(m_store.ColumnData(entry.blackboards));
  }
  return controller;
}

void ControllerDirectory::Think(ControllerId id, mu_think_batch& batch) {
  const Entry& entry = m_entries[id.Value() - 1U];
  Binding& binding = *entry.binding;
  if (!entry.isVacant && !binding.isDisabled) {
    batch.controller = entry.indexInProvider;
    const mu_status status =
        binding.guard->Call("think", [&] { return binding.slot->think(binding.instance, &batch); });
    if (status == MU_OK) {
      return;
    }
  }
  m_fallbackThinks.fetch_add(batch.count, std::memory_order_relaxed);
  Binding& hold = *m_bindings.front();
  batch.controller = 0;
  hold.slot->think(hold.instance, &batch);
}

void ControllerDirectory::CommitFailures() {
  for (const std::unique_ptr<Binding>& binding : m_bindings) {
    if (binding->guard->IsTripped() && !binding->isDisabled) {
      binding->isDisabled = true;
      m_logger.Error("{} The hold controller flies its agents.", binding->guard->FirstFailure().ToString());
    }
  }
}

}  // namespace muster::simulation
