// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The gate's own failures: what kept it from measuring at all. A figure that misses its bar is no error but a verdict.
#pragma once

#include "Core/Error.h"

namespace muster::gate {

inline constexpr ErrorCode kProcessNotStarted{3310, "ProcessNotStarted"};
inline constexpr ErrorCode kProcessEnded{3311, "ProcessEnded"};
inline constexpr ErrorCode kProcessSilent{3312, "ProcessSilent"};
inline constexpr ErrorCode kReportUnreadable{3313, "ReportUnreadable"};
inline constexpr ErrorCode kGateInterrupted{3314, "GateInterrupted"};
inline constexpr ErrorCode kCheckListMalformed{3315, "CheckListMalformed"};
inline constexpr ErrorCode kCheckUnknownKey{3316, "CheckUnknownKey"};
inline constexpr ErrorCode kProfileUnknown{3317, "ProfileUnknown"};
inline constexpr ErrorCode kTestsNotRun{3318, "TestsNotRun"};
inline constexpr ErrorCode kFixtureMissing{3319, "FixtureMissing"};
inline constexpr ErrorCode kSocketFailed{3330, "GateSocketFailed"};

}  // namespace muster::gate
