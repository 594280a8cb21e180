// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Core/Error.h"
#include "Link/LinkEvent.h"
#include "Protocol/RefusalCodes.h"

#include <cstdint>

namespace muster::link {

/// The reason that the other side gave as the transport's detail; None for numbers that mean nothing here.
DisconnectReason ReasonOfDetail(std::uint32_t detail) noexcept;

/// The refusal whose sentence tells a player of this reason; no code where there is none.
ErrorCode RefusalCodeOf(DisconnectReason reason) noexcept;

}  // namespace muster::link
