// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Recipes.h"
#include "SpatialChecks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

namespace muster::bench {
namespace {

constexpr std::array<std::uint32_t, 4> kSizes = {2'000, 5'000, 20'000, 100'000};
constexpr std::uint32_t kObservers = 128;
constexpr std::uint32_t kNeighbours = 32;
/// Points that a loop over all of them may look at in one pass; bounds how many queries a pass has in a large world.
constexpr std::uint32_t kLoopTestsPerPass = 6'400'000;
constexpr double kMostHitsForBoxTrees = 4e6;
/// What points move by between two rebuilds: about a tick of a fast aircraft.
constexpr float kStepMeters = 10.0F;

struct Reach {
  const char* name;
  float meters;
};
constexpr std::array<Reach, 3> kReaches = {{{"200m", 200.0F}, {"2km", 2'000.0F}, {"200km", 200'000.0F}}};
constexpr std::array<Reach, 2> kObserverReaches = {{{"2km", 2'000.0F}, {"200km", 200'000.0F}}};

/// One world and everybody who answers for it. Consecutive groups share it: building the slow ones takes seconds.
struct Scene {
  Cloud cloud{};
  Cloud moved{};
  std::vector<std::unique_ptr<ISpatialSubject>> subjects{};
  std::vector<bool> isOurs{};  ///< by subject
  std::size_t passes = 0;

  void RebuildAll() {
    for (const auto& subject : subjects) {
      subject->Rebuild(cloud);
    }
  }
};

class SceneShelf {
 public:
  SceneShelf(Providers providers, Peers peers) : m_providers{std::move(providers)}, m_peers{std::move(peers)} {}

  std::shared_ptr<Scene> Take(Distribution distribution, std::uint32_t count) {
    if (m_scene == nullptr || m_distribution != distribution || m_scene->cloud.Count() != count) {
      m_scene.reset();
      m_scene = Make(distribution, count);
      m_distribution = distribution;
    }
    return m_scene;
  }

 private:
  std::shared_ptr<Scene> Make(Distribution distribution, std::uint32_t count) const {
    auto scene = std::make_shared<Scene>();
    scene->cloud = MakeCloud(distribution, count, count);
    scene->moved = Moved(scene->cloud, kStepMeters, 7);
    for (const auto& provider : m_providers.spatialIndexes) {
      scene->subjects.push_back(MakeProviderSubject(provider.label, provider.subject, *provider.table));
      scene->isOurs.push_back(true);
    }
    scene->subjects.push_back(MakeBruteForce());
    for (const SpatialFactory& make : m_peers.spatial) {
      scene->subjects.push_back(make());
    }
    scene->isOurs.resize(scene->subjects.size(), false);
    scene->RebuildAll();
    return scene;
  }

  Providers m_providers;
  Peers m_peers;
  std::shared_ptr<Scene> m_scene{};
  Distribution m_distribution = Distribution::Uniform;
};

/// Ours over each of the others, as far as both are among the cases.
void AddRatios(const Scene& scene, Group& group) {
  const auto isCase = [&](const std::string& label) {
    return std::any_of(group.cases.begin(), group.cases.end(), [&](const Case& made) { return made.label == label; });
  };
  for (std::size_t ours = 0; ours < scene.subjects.size(); ++ours) {
    for (std::size_t other = 0; other < scene.subjects.size(); ++other) {
      const std::string above = scene.subjects[ours]->Label();
      const std::string below = scene.subjects[other]->Label();
      if (scene.isOurs[ours] && !scene.isOurs[other] && isCase(above) && isCase(below)) {
        group.ratios.push_back({above, below});
      }
    }
  }
}

Case CaseOf(const ISpatialSubject& subject, std::string unit, double unitsPerPass, std::function<void()> pass) {
  Case made;
  made.label = subject.Label();
  made.subject = subject.Subject();
  made.unit = std::move(unit);
  made.unitsPerPass = unitsPerPass;
  made.pass = std::move(pass);
  return made;
}

double MeanOf(const std::vector<std::uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0) / static_cast<double>(counts.size());
}

std::uint32_t MostQueries(const Cloud& cloud) {
  return std::min<std::uint32_t>(256, kLoopTestsPerPass / cloud.Count());
}

Group RebuildGroup(std::string name, const std::shared_ptr<Scene>& scene) {
  Group group;
  group.name = std::move(name);
  for (const auto& subject : scene->subjects) {
    if (subject->Label() == "brute" || subject->Label() == "linear") {
      continue;  // nothing to build
    }
    auto turn = std::make_shared<bool>(false);
    group.cases.push_back(CaseOf(*subject, "point", scene->cloud.Count(), [scene, turn, index = subject.get()] {
      *turn = !*turn;
      index->Rebuild(*turn ? scene->moved : scene->cloud);
    }));
  }
  group.check = [scene] {
    std::string wrong;
    const std::vector<mu_sphere_query> queries = SpheresAround(scene->moved, 16, 500.0F, 3);
    const std::vector<std::uint32_t> counts = CountMatches(scene->moved, queries);
    const std::uint32_t capacity = *std::max_element(counts.begin(), counts.end());
    for (const auto& subject : scene->subjects) {
      subject->Rebuild(scene->moved);
      if (wrong.empty()) {
        wrong = CheckGather(scene->moved, queries, capacity + 1, *subject);
      }
    }
    return wrong;
  };
  AddRatios(*scene, group);
  return group;
}

Group GatherGroup(std::string name, const std::shared_ptr<Scene>& scene, float radiusMeters) {
  scene->RebuildAll();
  // As many queries as a sample of a millisecond has room for with a fast structure.
  const std::uint32_t most = MostQueries(scene->cloud);
  auto queries = std::make_shared<std::vector<mu_sphere_query>>(SpheresAround(scene->cloud, most, radiusMeters, 11));
  std::vector<std::uint32_t> counts = CountMatches(scene->cloud, *queries);
  const std::size_t wanted =
      std::clamp<std::size_t>(static_cast<std::size_t>(30'000.0 / (MeanOf(counts) + 1.0)), 4, most);
  queries->resize(wanted);
  counts.resize(wanted);
  const std::uint32_t capacity = *std::max_element(counts.begin(), counts.end()) + 1;
  auto lists = std::make_shared<SlotLists>(wanted, capacity);

  Group group;
  group.name = std::move(name);
  group.figures.push_back({"hits", MeanOf(counts), "entities a query"});
  for (const auto& subject : scene->subjects) {
    group.cases.push_back(CaseOf(*subject, "query", static_cast<double>(wanted),
                                 [scene, queries, lists, index = subject.get()] { index->Gather(*queries, *lists); }));
  }
  group.check = [scene, queries, capacity] {
    std::string wrong;
    for (std::size_t at = 0; at < scene->subjects.size() && wrong.empty(); ++at) {
      wrong = CheckGather(scene->cloud, *queries, capacity, *scene->subjects[at]);
    }
    return wrong;
  };
  AddRatios(*scene, group);
  return group;
}

Group NearestGroup(std::string name, const std::shared_ptr<Scene>& scene) {
  scene->RebuildAll();
  auto queries = std::make_shared<std::vector<mu_nearest_query>>();
  for (const mu_sphere_query& sphere : SpheresAround(scene->cloud, MostQueries(scene->cloud) / 2, 1e6F, 13)) {
    queries->push_back(
        {sphere.x, sphere.y, sphere.z, sphere.radius, kNeighbours, std::numeric_limits<std::uint32_t>::max()});
  }
  auto lists = std::make_shared<SlotLists>(queries->size(), kNeighbours);
  Group group;
  group.name = std::move(name);
  for (const auto& subject : scene->subjects) {
    if (subject->HasNearest()) {
      group.cases.push_back(
          CaseOf(*subject, "query", static_cast<double>(queries->size()),
                 [scene, queries, lists, index = subject.get()] { index->Nearest(*queries, *lists); }));
    }
  }
  group.check = [scene, queries] {
    std::string wrong;
    for (std::size_t at = 0; at < scene->subjects.size() && wrong.empty(); ++at) {
      if (scene->subjects[at]->HasNearest()) {
        wrong = CheckNearest(scene->cloud, *queries, *scene->subjects[at], scene->isOurs[at]);
      }
    }
    return wrong;
  };
  AddRatios(*scene, group);
  return group;
}

Group ObserversGroup(std::string name, const std::shared_ptr<Scene>& scene, float radiusMeters) {
  scene->RebuildAll();
  auto queries =
      std::make_shared<std::vector<mu_sphere_query>>(SpheresAround(scene->cloud, kObservers, radiusMeters, 17));
  const std::uint32_t words = scene->cloud.Words();
  auto bits = std::make_shared<std::vector<std::uint64_t>>(std::size_t{kObservers} * words);
  Group group;
  group.name = std::move(name);
  const double hits = MeanOf(CountMatches(scene->cloud, *queries));
  group.figures.push_back({"hits", hits, "entities an observer"});
  std::vector<ISpatialSubject*> asked;
  for (const auto& subject : scene->subjects) {
    // A box tree takes seconds for this; what it costs is seen at a fifth of the size.
    if (subject->HasNearest() || hits * kObservers < kMostHitsForBoxTrees) {
      asked.push_back(subject.get());
    }
  }
  for (ISpatialSubject* const subject : asked) {
    group.cases.push_back(CaseOf(*subject, "tick", 1.0, [scene, queries, bits, words, index = subject] {
      std::fill(bits->begin(), bits->end(), 0U);
      index->Mark(*queries, bits->data(), words);
    }));
  }
  group.check = [scene, queries, asked] {
    std::string wrong;
    for (std::size_t at = 0; at < asked.size() && wrong.empty(); ++at) {
      wrong = CheckMark(scene->cloud, *queries, *asked[at]);
    }
    return wrong;
  };
  AddRatios(*scene, group);
  return group;
}

}  // namespace

std::vector<GroupRecipe> SpatialRecipes(const Providers& providers, const Peers& peers) {
  auto shelf = std::make_shared<SceneShelf>(providers, peers);
  std::vector<GroupRecipe> recipes;
  for (const Distribution distribution : kDistributions) {
    for (const std::uint32_t size : kSizes) {
      const bool isQuick = size == kSizes.front();
      const std::string place = fmt::format("{}/{}", ToText(distribution), size);
      const auto scene = [shelf, distribution, size] { return shelf->Take(distribution, size); };
      const auto add = [&](std::string name, std::string shows, std::function<Group(std::string)> make) {
        recipes.push_back({name, std::move(shows), isQuick, [name, make = std::move(make)] { return make(name); }});
      };
      add("spatial/rebuild/" + place, "take over positions that all moved",
          [scene](std::string name) { return RebuildGroup(std::move(name), scene()); });
      for (const Reach& reach : kReaches) {
        add(fmt::format("spatial/gather/{}/{}", place, reach.name), "ids within a radius, any order",
            [scene, reach](std::string name) { return GatherGroup(std::move(name), scene(), reach.meters); });
      }
      add("spatial/nearest32/" + place, "the 32 nearest",
          [scene](std::string name) { return NearestGroup(std::move(name), scene()); });
      for (const Reach& reach : kObserverReaches) {
        add(fmt::format("spatial/observers128/{}/{}", place, reach.name), "bits in slot order for 128 observers",
            [scene, reach](std::string name) { return ObserversGroup(std::move(name), scene(), reach.meters); });
      }
    }
  }
  return recipes;
}

}  // namespace muster::bench
