// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Whether spatial answers are right, by comparison with the loop over all points. Each returns what is wrong, or nothing.
#pragma once

#include "Cloud.h"
#include "SpatialSubject.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace muster::bench {

/// How many entities each sphere holds.
std::vector<std::uint32_t> CountMatches(const Cloud& cloud, std::span<const mu_sphere_query> queries);

/// The same sets as the loop's.
std::string CheckGather(const Cloud& cloud, std::span<const mu_sphere_query> queries, std::uint32_t capacity,
                        ISpatialSubject& subject);

/// The same bits as the loop's.
std::string CheckMark(const Cloud& cloud, std::span<const mu_sphere_query> queries, ISpatialSubject& subject);

/// As many, and as far away, as the loop's; and, for `isExact`, the very same in the same order.
std::string CheckNearest(const Cloud& cloud, std::span<const mu_nearest_query> queries, ISpatialSubject& subject,
                         bool isExact);

}  // namespace muster::bench
