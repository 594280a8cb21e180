// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Subject.h"

#include "Simulation/HoldController.h"

#include <stdexcept>

namespace muster::conformance {

std::vector<SubjectPlace> SubjectsOfBuildTree() {
  const std::filesystem::path build{MUSTER_TEST_BINARY_DIR};
  std::vector<SubjectPlace> places{{"builtin.hold", {}}};
  for (const plugins::FoundPlugin& plugin : FindPlugins(build, MU_AI_CONTROLLER_V0)) {
    places.push_back({plugin.descriptor.id, plugin.folder});
  }
  return places;
}

SubjectPlace SubjectIn(const std::filesystem::path& folder) {
  const auto plugin =
      plugins::ReadPluginFolder(folder.parent_path(), folder.filename(), plugins::PluginRoot::Layout::Source,
                                plugins::TrustedOwners::OfThisProcess());
  if (!plugin) {
    throw std::runtime_error{plugin.Failure().ToString()};
  }
  return {plugin->descriptor.id, plugin->folder};
}

std::unique_ptr<Subject> Subject::Open(const SubjectPlace& place) {
  std::unique_ptr<Subject> subject{new Subject};
  if (place.folder.empty()) {
    subject->m_libraries.push_back({&simulation::HoldControllerTable(), &subject->m_gateOfBuiltIn});
    return subject;
  }
  for (int time = 0; time < 2; ++time) {
    auto opened = OpenPlugin::Open(place.folder, place.settings);
    if (!opened) {
      throw std::runtime_error{opened.Failure().ToString()};
    }
    const auto* const table = (*opened)->Table<mu_ai_controller_v0>();
    if (table == nullptr) {
      throw std::runtime_error{place.name + " does not provide " + MU_AI_CONTROLLER_V0};
    }
    subject->m_libraries.push_back({table, &(*opened)->Spatial()});
    subject->m_plugins.push_back(std::move(*opened));
  }
  return subject;
}

Instance::Instance(const Library& library) : m_library{library} {
  if (const mu_status status = library.table->create(&m_provider); status != MU_OK || m_provider == nullptr) {
    throw std::runtime_error{"create answered " + std::to_string(status)};
  }
}

Instance::~Instance() {
  m_library.table->destroy(m_provider);
}

}  // namespace muster::conformance
