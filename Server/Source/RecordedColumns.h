// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The world's columns as a recording describes them. A column that EntityColumns gets needs a row in the .cpp.
#pragma once

#include "Core/Result.h"
#include "Recording/RecordingSchema.h"
#include "Simulation/EntityColumns.h"

#include <string>
#include <vector>

namespace muster::server {

inline constexpr ErrorCode kRecordingColumnUnknown{3202, "RecordingColumnUnknown"};

/// All of them, in the order of their registration. [any]
std::vector<recording::RecordedColumn> AllRecordedColumns(const simulation::EntityColumns& columns);

/// Those of the names, in the order given; all for no names. Fails with kRecordingColumnUnknown, also for a name that
/// comes twice. [any]
Result<std::vector<recording::RecordedColumn>> ChooseRecordedColumns(const simulation::EntityColumns& columns,
                                                                     const std::vector<std::string>& names);

}  // namespace muster::server
