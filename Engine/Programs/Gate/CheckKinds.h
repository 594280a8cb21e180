// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The kinds of checks there are; each is made and described in the file of its name.
#pragma once

#include "Check.h"

namespace muster::gate {

std::unique_ptr<ICheck> MakeRunCheck(StrictObject& parameters);            ///< RunCheck.cpp
std::unique_ptr<ICheck> MakeSwapCheck(StrictObject& parameters);           ///< SwapCheck.cpp
std::unique_ptr<ICheck> MakeTestsCheck(StrictObject& parameters);          ///< TestsCheck.cpp
std::unique_ptr<ICheck> MakeMetricsFieldsCheck(StrictObject& parameters);  ///< MetricsFieldsCheck.cpp
std::unique_ptr<ICheck> MakeNamedErrorsCheck(StrictObject& parameters);    ///< NamedErrorsCheck.cpp
std::unique_ptr<ICheck> MakeHeadlessCheck(StrictObject& parameters);       ///< HeadlessCheck.cpp

std::unique_ptr<ICheck> MakeStormCheck(StrictObject& parameters);          ///< StormCheck.cpp
std::unique_ptr<ICheck> MakeKilledJoiningCheck(StrictObject& parameters);  ///< KilledJoiningCheck.cpp
std::unique_ptr<ICheck> MakeClockStepCheck(StrictObject& parameters);      ///< ClockStepCheck.cpp
std::unique_ptr<ICheck> MakeStoppedCheck(StrictObject& parameters);        ///< StoppedCheck.cpp
std::unique_ptr<ICheck> MakeSecondServerCheck(StrictObject& parameters);   ///< SecondServerCheck.cpp
std::unique_ptr<ICheck> MakeRefusedCheck(StrictObject& parameters);        ///< RefusedCheck.cpp
std::unique_ptr<ICheck> MakeRatiosCheck(StrictObject& parameters);         ///< RatiosCheck.cpp
std::unique_ptr<ICheck> MakeFuzzCheck(StrictObject& parameters);           ///< FuzzCheck.cpp

}  // namespace muster::gate
