// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "Kernels.h"

namespace muster::grid {

/// Only to be called where the processor has AVX2 and BMI2.
const Kernels& Avx2Kernels();

}  // namespace muster::grid
