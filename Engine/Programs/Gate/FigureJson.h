// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Figures as JSON, the same in every report.
#pragma once

#include "Figures.h"

#include <nlohmann/json.hpp>

#include <span>

namespace muster::gate {

/// An array of {"name", "value", "unit", "bar", "met"}; null where there is nothing. [any]
nlohmann::ordered_json ToJson(std::span<const JudgedFigure> figures);

}  // namespace muster::gate
