// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The small readers of text that people and other programs write. The input's first line says which: `archetype` (TOML),
// `mix` (test_spawn_ai_mix), `metrics` (the file of --metrics-json), `address`, `name` (a player's), `lock` (plugins.lock).
#include "FuzzInput.h"

#include "Core/Utf8.h"
#include "Link/Address.h"
#include "PluginHost/PluginLock.h"
#include "Sessions/PlayerName.h"
#include "Simulation/Archetypes.h"
#include "Simulation/LoadSpawner.h"
#include "Telemetry/ServerTickReport.h"

#include <cmath>
#include <string>

namespace muster::fuzz {
namespace {

template <class T>
void RequireNamed(const Result<T>& result) {
  const Error& error = result.Failure();
  Require(error.code.number != 0 && !error.sentence.empty(), "what is wrong is named");
  const std::string line = error.ToString();
  Require(EscapeControl(line) == line && IsValidUtf8(line), "an error is one line of text");
}

void Archetype(std::string_view text) {
  const auto archetype = simulation::ArchetypeSet::Parse(text, "fuzz.toml");
  if (!archetype) {
    RequireNamed(archetype);
    return;
  }
  Require(!archetype->id.empty(), "an archetype has an id");
  for (const float value :
       {archetype->radiusMeters, archetype->toughness, archetype->cruiseSpeedMps, archetype->cruiseThrottle}) {
    Require(std::isfinite(value) && value >= 0.0F, "a figure is a finite amount");
  }
}

void Mix(std::string_view text) {
  if (const auto checked = simulation::LoadSpawner::CheckMix(text); !checked) {
    RequireNamed(checked);
  }
}

void Metrics(std::string_view text) {
  const auto report = telemetry::ServerTickReportFromJson(text);
  if (!report) {
    RequireNamed(report);
    return;
  }
  // Read again, what was written is written the same: numbers survive, whatever they were.
  const std::string once = telemetry::ToJson(*report);
  const auto again = telemetry::ServerTickReportFromJson(once);
  Require(again.HasValue() && telemetry::ToJson(*again) == once, "figures survive being written");
}

void Address(std::string_view text) {
  const auto address = link::ParseEndpoint(text);
  if (!address) {
    RequireNamed(address);
    return;
  }
  const auto again = link::ParseEndpoint(link::FormatAddress(*address));
  Require(again.HasValue() && link::SameEndpoint(*address, *again), "an address survives being written");
}

void Name(std::string_view text) {
  const auto name = sessions::CheckPlayerName(text);
  if (!name) {
    RequireNamed(name);
    return;
  }
  Require(!name->empty() && IsValidUtf8(*name) && EscapeControl(*name) == *name, "a name is text on one line");
  Require(name->size() <= sessions::kMaxNameCharacters * 4, "a name is short");
  const auto again = sessions::CheckPlayerName(*name);
  Require(again.HasValue() && *again == *name, "an accepted name is accepted as it is");
}

void Lock(std::string_view text) {
  const auto lock = plugins::ReadLock(text);
  if (!lock) {
    RequireNamed(lock);
    return;
  }
  const auto again = plugins::ReadLock(plugins::WriteLock(*lock));
  Require(again.HasValue() && *again == *lock, "a lock survives being written");
  Require(plugins::DescribeDifferences(*lock, *again).empty(), "equal locks do not differ");
}

void Run(std::string_view input) {
  const std::size_t end = input.find('\n');
  const std::string_view kind = input.substr(0, end);
  const std::string_view text = end == std::string_view::npos ? std::string_view{} : input.substr(end + 1);
  if (kind == "archetype") {
    Archetype(text);
  } else if (kind == "mix") {
    Mix(text);
  } else if (kind == "metrics") {
    Metrics(text);
  } else if (kind == "address") {
    Address(text);
  } else if (kind == "name") {
    Name(text);
  } else if (kind == "lock") {
    Lock(text);
  }
}

}  // namespace
}  // namespace muster::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  muster::fuzz::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
