// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Simulation/Archetypes.h"

#include "Core/Assert.h"
#include "Core/Files.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace muster::simulation {
namespace {

constexpr std::size_t kMaxFileBytes = 64 * 1'024;
constexpr std::size_t kMaxArchetypes = 4'096;

Error Unreadable(const std::filesystem::path& directory, const std::string& cause) {
  return Error{kArchetypeInvalid, fmt::format("The archetypes in {} were not loaded.", directory.string()), cause,
               "Point the server at a folder of archetype files, such as Content/Archetypes."};
}

Result<std::vector<std::filesystem::path>> ListFiles(const std::filesystem::path& directory) {
  std::error_code problem;
  std::filesystem::directory_iterator entries{directory, problem};
  std::vector<std::filesystem::path> files;
  while (!problem && entries != std::filesystem::directory_iterator{}) {
    if (entries->path().extension() == ".toml") {
      files.push_back(entries->path());
    }
    entries.increment(problem);
  }
  if (problem) {
    return Unreadable(directory, fmt::format("The folder cannot be read: {}.", problem.message()));
  }
  if (files.empty()) {
    return Unreadable(directory, "The folder holds no .toml file.");
  }
  if (files.size() > kMaxArchetypes) {
    return Unreadable(directory, fmt::format("There are more than {} files.", kMaxArchetypes));
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool Has(const std::vector<Archetype>& archetypes, std::string_view id) {
  return std::any_of(archetypes.begin(), archetypes.end(), [&](const Archetype& one) { return one.id == id; });
}

}  // namespace

float Archetype::MassKg() const {
  switch (motion) {
    case MotionModel::FixedWing:
      return flight.massKg;
    case MotionModel::Ground:
      return ground.massKg;
    case MotionModel::Ballistic:
      return ballistic.massKg;
    case MotionModel::Stationary:
      break;
  }
  return 0.0F;
}

float Archetype::MaxSpeedMps() const {
  switch (motion) {
    case MotionModel::FixedWing:
      return flight.maxSpeedMps;
    case MotionModel::Ground:
      return ground.maxSpeedMps;
    case MotionModel::Ballistic:
      return ballistic.maxSpeedMps;
    case MotionModel::Stationary:
      break;
  }
  return 0.0F;
}

ArchetypeSet::ArchetypeSet(std::vector<Archetype> archetypes) : m_archetypes{std::move(archetypes)} {
  MUSTER_ASSERT(m_archetypes.size() <= kMaxArchetypes, "more archetypes than ids");
}

Result<ArchetypeSet> ArchetypeSet::LoadDirectory(const std::filesystem::path& directory) {
  const Result<std::vector<std::filesystem::path>> files = ListFiles(directory);
  if (!files) {
    return files.Failure();
  }
  std::vector<Archetype> archetypes;
  for (const std::filesystem::path& file : *files) {
    const Result<std::string> text = ReadTextFile(file, kMaxFileBytes);
    if (!text) {
      return text.Failure();
    }
    Result<Archetype> archetype = Parse(*text, file.string());
    if (!archetype) {
      return std::move(archetype).Failure();
    }
    if (Has(archetypes, archetype->id)) {
      return Error{kArchetypeInvalid, fmt::format("{} was not loaded.", file.string()),
                   fmt::format("Another file of the folder already has the id '{}'.", archetype->id),
                   "Give each archetype an id of its own."};
    }
    archetypes.push_back(std::move(*archetype));
  }
  return ArchetypeSet{std::move(archetypes)};
}

const Archetype& ArchetypeSet::Get(ArchetypeId id) const {
  MUSTER_ASSERT(id.Value() >= 1 && id.Value() <= m_archetypes.size(), "an archetype id that this set did not give");
  return m_archetypes[id.Value() - 1U];
}

Result<ArchetypeId> ArchetypeSet::Find(std::string_view id) const {
  const auto found =
      std::find_if(m_archetypes.begin(), m_archetypes.end(), [&](const Archetype& one) { return one.id == id; });
  if (found != m_archetypes.end()) {
    return ArchetypeId{static_cast<std::uint16_t>(found - m_archetypes.begin() + 1)};
  }
  std::string known;
  for (const Archetype& archetype : m_archetypes) {
    known += known.empty() ? archetype.id : ", " + archetype.id;
  }
  return Error{kArchetypeUnknown, fmt::format("There is no archetype '{}'.", id), "",
               fmt::format("Use one of: {}.", known)};
}

}  // namespace muster::simulation
