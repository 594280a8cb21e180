// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A check measures figures; bars are data and are judged in one place (Figures.h).
//
// To add a kind: a class that derives from ICheck, in a file of its own, whose Make reads its parameters from the
// check's object, and a line in CheckKinds.cpp.
#pragma once

#include "Figures.h"
#include "GatePlaces.h"
#include "StrictObject.h"

#include "Core/Result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace muster::gate {

struct CheckContext {
  const Places& places;
  const StopFlag& stop;
  /// One line of progress, for people.
  std::function<void(const std::string&)> say;
};

class ICheck {
 public:
  virtual ~ICheck() = default;

  /// Fails when there is nothing to measure; what is there and is bad is a figure. [main]
  virtual Result<std::vector<Figure>> Measure(const CheckContext& context) = 0;
};

/// Reads the parameters of its kind; what is wrong with them comes out of the object's Finish.
using CheckMaker = std::unique_ptr<ICheck> (*)(StrictObject& parameters);

/// Null for a kind that does not exist.
CheckMaker FindCheckKind(std::string_view kind);
/// "headless, metrics-fields, ...".
std::string CheckKindNames();

}  // namespace muster::gate
