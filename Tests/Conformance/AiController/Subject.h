// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who is put through the suite: a controller plugin in its folder, or the controller that is built in.
//
//   for (const SubjectPlace& place : SubjectsOfBuildTree()) {
//     const std::unique_ptr<Subject> subject = Subject::Open(place);      // throws std::runtime_error with the named error
//     Instance instance{subject->Library()};
#pragma once

#include "PluginApi/AiController.h"
#include "PluginConformance/OpenPlugin.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace muster::conformance {

struct SubjectPlace {
  std::string name;              ///< plugin id, or what is built in
  std::filesystem::path folder;  ///< with plugin.json; empty: built in
  plugins::PluginSettings settings{};
};

/// Every plugin of the build tree that provides muster.ai_controller/0, the fixtures in order among them, and the
/// built-in controller.
std::vector<SubjectPlace> SubjectsOfBuildTree();

/// The plugin in an absolute folder of anybody's. Throws std::runtime_error when there is none.
SubjectPlace SubjectIn(const std::filesystem::path& folder);

/// A loaded library: its table, and the gate through which its controllers reach the spatial service.
struct Library {
  const mu_ai_controller_v0* table = nullptr;
  plugins::SpatialService* spatialGate = nullptr;
};

class Subject {
 public:
  static std::unique_ptr<Subject> Open(const SubjectPlace& place);

  [[nodiscard]] const Library& First() const { return m_libraries.front(); }
  /// The same library loaded once more, at other addresses. What is built in is there but once.
  [[nodiscard]] const Library& Second() const { return m_libraries.back(); }
  [[nodiscard]] bool IsBuiltIn() const { return m_plugins.empty(); }

 private:
  Subject() = default;

  plugins::SpatialService m_gateOfBuiltIn;
  std::vector<std::unique_ptr<OpenPlugin>> m_plugins;
  std::vector<Library> m_libraries;
};

/// A provider, for as long as the object lives. Throws std::runtime_error when `create` fails.
class Instance {
 public:
  explicit Instance(const Library& library);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  [[nodiscard]] const Library& Of() const { return m_library; }
  [[nodiscard]] const mu_ai_controller_v0& Table() const { return *m_library.table; }
  [[nodiscard]] mu_ai_provider* Raw() const { return m_provider; }

 private:
  Library m_library;
  mu_ai_provider* m_provider = nullptr;
};

}  // namespace muster::conformance
