// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SpatialChecks.h"

#include <fmt/format.h>

#include <algorithm>

namespace muster::bench {
namespace {

std::vector<std::uint32_t> Sorted(std::span<const std::uint32_t> slots) {
  std::vector<std::uint32_t> sorted{slots.begin(), slots.end()};
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

std::vector<float> SortedDistances(const Cloud& cloud, const mu_nearest_query& query,
                                   std::span<const std::uint32_t> slots) {
  std::vector<float> distances;
  for (const std::uint32_t slot : slots) {
    distances.push_back(
        mu_spatial_distance_squared(cloud.x[slot], cloud.y[slot], cloud.z[slot], query.x, query.y, query.z));
  }
  std::sort(distances.begin(), distances.end());
  return distances;
}

std::string Differs(const ISpatialSubject& subject, std::size_t query, std::size_t found, std::size_t right) {
  return fmt::format("{} answers query {} with {} entities that are not the {} of the loop over all points",
                     subject.Subject(), query, found, right);
}

}  // namespace

std::vector<std::uint32_t> CountMatches(const Cloud& cloud, std::span<const mu_sphere_query> queries) {
  std::vector<std::uint32_t> counts;
  for (const mu_sphere_query& query : queries) {
    std::uint32_t count = 0;
    for (std::size_t index = 0; index < cloud.slots.size(); ++index) {
      count += static_cast<std::uint32_t>(mu_spatial_is_within(cloud.x[index], cloud.y[index], cloud.z[index], query.x,
                                                               query.y, query.z, query.radius));
    }
    counts.push_back(count);
  }
  return counts;
}

std::string CheckGather(const Cloud& cloud, std::span<const mu_sphere_query> queries, std::uint32_t capacity,
                        ISpatialSubject& subject) {
  SlotLists right{queries.size(), capacity};
  SlotLists found{queries.size(), capacity};
  const std::unique_ptr<ISpatialSubject> loop = MakeBruteForce();
  loop->Rebuild(cloud);
  loop->Gather(queries, right);
  subject.Gather(queries, found);
  for (std::size_t query = 0; query < queries.size(); ++query) {
    if (Sorted(found.Of(query)) != Sorted(right.Of(query))) {
      return Differs(subject, query, found.counts[query], right.counts[query]);
    }
  }
  return {};
}

std::string CheckMark(const Cloud& cloud, std::span<const mu_sphere_query> queries, ISpatialSubject& subject) {
  std::vector<std::uint64_t> right(queries.size() * cloud.Words());
  std::vector<std::uint64_t> found(queries.size() * cloud.Words());
  const std::unique_ptr<ISpatialSubject> loop = MakeBruteForce();
  loop->Rebuild(cloud);
  loop->Mark(queries, right.data(), cloud.Words());
  subject.Mark(queries, found.data(), cloud.Words());
  return right == found ? std::string{}
                        : fmt::format("{} marks other entities than the loop over all points", subject.Subject());
}

std::string CheckNearest(const Cloud& cloud, std::span<const mu_nearest_query> queries, ISpatialSubject& subject,
                         bool isExact) {
  const std::uint32_t capacity = queries.empty() ? 1 : queries.front().k;
  SlotLists right{queries.size(), capacity};
  SlotLists found{queries.size(), capacity};
  const std::unique_ptr<ISpatialSubject> loop = MakeBruteForce();
  loop->Rebuild(cloud);
  loop->Nearest(queries, right);
  subject.Nearest(queries, found);
  for (std::size_t query = 0; query < queries.size(); ++query) {
    const auto expected = right.Of(query);
    const auto actual = found.Of(query);
    const bool isSame = std::equal(actual.begin(), actual.end(), expected.begin(), expected.end());
    if (isExact ? !isSame
                : SortedDistances(cloud, queries[query], actual) != SortedDistances(cloud, queries[query], expected)) {
      return Differs(subject, query, actual.size(), expected.size());
    }
  }
  return {};
}

}  // namespace muster::bench
