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

constexpr std::uint32_t kQueries = 64;
constexpr std::uint32_t kNeighbours = 32;

/// A wish for an edge of the cells, from nonsensically small to nonsensically large.
struct Wish {
  const char* name;
  float meters;
};
constexpr std::array<Wish, 4> kWishes = {{{"auto", 0.0F}, {"1m", 1.0F}, {"1km", 1'000.0F}, {"100km", 100'000.0F}}};

struct Reach {
  const char* name;
  float meters;
};
constexpr std::array<Reach, 3> kReaches = {{{"200m", 200.0F}, {"2km", 2'000.0F}, {"200km", 200'000.0F}}};

/// One provider over one world with one wish.
struct Setting {
  std::string label{};
  Distribution distribution = Distribution::Uniform;
  std::shared_ptr<const Cloud> cloud{};
  std::unique_ptr<ISpatialSubject> subject{};
};

std::vector<std::shared_ptr<Setting>> MakeSettings(const NamedTable<mu_spatial_index_v0>& provider, std::uint32_t size,
                                                   bool withWishes) {
  std::vector<std::shared_ptr<Setting>> settings;
  for (const Distribution distribution : kDistributions) {
    const auto cloud = std::make_shared<const Cloud>(MakeCloud(distribution, size, size));
    for (const Wish& wish : kWishes) {
      if (wish.meters != 0.0F && !withWishes) {
        continue;
      }
      auto setting = std::make_shared<Setting>();
      setting->label = fmt::format("{}_{}_{}", provider.label, ToText(distribution), wish.name);
      setting->distribution = distribution;
      setting->cloud = cloud;
      setting->subject = MakeProviderSubject(
          provider.label, fmt::format("{}, {}, cells {}", provider.subject, ToText(distribution), wish.name),
          *provider.table, wish.meters);
      setting->subject->Rebuild(*cloud);
      settings.push_back(std::move(setting));
    }
  }
  return settings;
}

void AddCase(Group& group, const Setting& setting, double hits, std::function<void()> pass) {
  Case made;
  made.label = setting.label;
  made.subject = setting.subject->Subject();
  made.unit = "hit";
  made.unitsPerPass = hits;
  made.pass = std::move(pass);
  group.cases.push_back(std::move(made));
}

/// Everything over the uniform world in cells of the index's own choice.
void AddRatios(Group& group, const std::string& provider) {
  const std::string base = provider + "_uniform_auto";
  for (const Case& made : group.cases) {
    if (made.label != base) {
      group.ratios.push_back({made.label, base});
    }
  }
}

Group GatherGroup(const std::string& name, const NamedTable<mu_spatial_index_v0>& provider, std::uint32_t size,
                  bool withWishes, float radiusMeters) {
  Group group;
  group.name = name;
  const auto settings = MakeSettings(provider, size, withWishes);
  std::uint32_t capacity = 1;
  for (const auto& setting : settings) {
    auto queries =
        std::make_shared<std::vector<mu_sphere_query>>(SpheresAround(*setting->cloud, kQueries, radiusMeters, 23));
    const std::vector<std::uint32_t> counts = CountMatches(*setting->cloud, *queries);
    capacity = *std::max_element(counts.begin(), counts.end()) + 1;
    auto lists = std::make_shared<SlotLists>(queries->size(), capacity);
    AddCase(group, *setting, std::accumulate(counts.begin(), counts.end(), 0.0),
            [setting, queries, lists] { setting->subject->Gather(*queries, *lists); });
  }
  group.check = [settings, radiusMeters, size] {
    for (const auto& setting : settings) {
      const std::string wrong =
          CheckGather(*setting->cloud, SpheresAround(*setting->cloud, 16, radiusMeters, 23), size, *setting->subject);
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return std::string{};
  };
  AddRatios(group, provider.label);
  return group;
}

Group NearestGroup(const std::string& name, const NamedTable<mu_spatial_index_v0>& provider, std::uint32_t size,
                   bool withWishes) {
  Group group;
  group.name = name;
  const auto settings = MakeSettings(provider, size, withWishes);
  const auto questions = [](const Cloud& cloud, std::uint32_t count) {
    std::vector<mu_nearest_query> queries;
    for (const mu_sphere_query& sphere : SpheresAround(cloud, count, 1e6F, 29)) {
      queries.push_back(
          {sphere.x, sphere.y, sphere.z, sphere.radius, kNeighbours, std::numeric_limits<std::uint32_t>::max()});
    }
    return queries;
  };
  for (const auto& setting : settings) {
    auto queries = std::make_shared<std::vector<mu_nearest_query>>(questions(*setting->cloud, kQueries));
    auto lists = std::make_shared<SlotLists>(queries->size(), kNeighbours);
    AddCase(group, *setting, static_cast<double>(kQueries) * kNeighbours,
            [setting, queries, lists] { setting->subject->Nearest(*queries, *lists); });
  }
  group.check = [settings, questions] {
    for (const auto& setting : settings) {
      const std::string wrong = CheckNearest(*setting->cloud, questions(*setting->cloud, 16), *setting->subject, true);
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return std::string{};
  };
  AddRatios(group, provider.label);
  return group;
}

}  // namespace

std::vector<GroupRecipe> SpatialEvennessRecipes(const Providers& providers) {
  std::vector<GroupRecipe> recipes;
  for (const auto& provider : providers.spatialIndexes) {
    if (provider.label == "linear") {
      continue;  // looks at every point by design
    }
    for (const std::uint32_t size : {2'000U, 5'000U, 20'000U, 100'000U}) {
      const bool withWishes = size == 5'000 || size == 20'000;
      const bool isQuick = size == 2'000;
      for (const Reach& reach : kReaches) {
        const std::string name = fmt::format("spatial/even/{}/{}/{}", provider.label, size, reach.name);
        recipes.push_back({name, "price of a hit by distribution and wished cell size", isQuick,
                           [=] { return GatherGroup(name, provider, size, withWishes, reach.meters); }});
      }
      const std::string name = fmt::format("spatial/even/{}/{}/nearest32", provider.label, size);
      recipes.push_back({name, "price of a neighbour by distribution and wished cell size", isQuick,
                         [=] { return NearestGroup(name, provider, size, withWishes); }});
    }
  }
  return recipes;
}

}  // namespace muster::bench
