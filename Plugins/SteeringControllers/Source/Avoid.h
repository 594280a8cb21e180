// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Avoid: holds the course and the speed it was found at, and gives way to everybody whose closest approach would be too
// close. Far from home it turns back.
#pragma once

#include "Craft.h"

namespace muster::steering {

Intent Avoid(const Craft& craft, std::span<const Neighbour> neighbours, Memory& memory);

}  // namespace muster::steering
