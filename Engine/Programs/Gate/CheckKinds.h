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

}  // namespace muster::gate
