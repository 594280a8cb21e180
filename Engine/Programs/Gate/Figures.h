// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A figure is what was measured, a bar is what it is held against. Every comparison of the gate is made here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace muster::gate {

using FigureValue = std::variant<double, std::string>;

struct Figure {
  std::string name;
  std::optional<FigureValue> value{};  ///< empty: could not be measured
  std::string unit{};
};

enum class Comparison { AtLeast, AtMost, Equals };

struct Bar {
  std::string figure;
  Comparison comparison = Comparison::Equals;
  FigureValue limit{};
};

struct JudgedFigure {
  Figure figure;
  std::optional<Bar> bar{};  ///< empty: shown, not judged
  bool isMet = true;
};

/// A figure that was not measured, is no number, or is of another kind than its bar meets nothing. [any]
bool Meets(const Figure& figure, const Bar& bar);

/// Every figure with its bar, in the order of the figures. A bar whose figure is not among them comes last, not
/// measured and not met. Two bars on one figure give two rows. [any]
std::vector<JudgedFigure> Judge(const std::vector<Figure>& figures, const std::vector<Bar>& bars);

[[nodiscard]] bool AreAllMet(const std::vector<JudgedFigure>& judged);

/// "59.97 Hz", "held", "not measured". [any]
std::string ToText(const Figure& figure);
/// ">= 59.5". [any]
std::string ToText(const Bar& bar);
std::string ToText(const FigureValue& value);

}  // namespace muster::gate
