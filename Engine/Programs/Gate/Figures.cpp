// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace muster::gate {

namespace {

constexpr std::array<std::string_view, 3> kSigns{">=", "<=", "="};
/// Above it, and for whole numbers, decimals say nothing.
constexpr double kWhole = 1e15;

}  // namespace

bool Meets(const Figure& figure, const Bar& bar) {
  if (!figure.value || figure.value->index() != bar.limit.index()) {
    return false;
  }
  if (const auto* text = std::get_if<std::string>(&*figure.value)) {
    return bar.comparison == Comparison::Equals && *text == std::get<std::string>(bar.limit);
  }
  const double value = std::get<double>(*figure.value);
  const double limit = std::get<double>(bar.limit);
  switch (bar.comparison) {
    case Comparison::AtLeast:
      return value >= limit;
    case Comparison::AtMost:
      return value <= limit;
    case Comparison::Equals:
      break;
  }
  return value == limit;
}

std::vector<JudgedFigure> Judge(const std::vector<Figure>& figures, const std::vector<Bar>& bars) {
  std::vector<JudgedFigure> judged;
  for (const Figure& figure : figures) {
    bool hasBar = false;
    for (const Bar& bar : bars) {
      if (bar.figure == figure.name) {
        judged.push_back({figure, bar, Meets(figure, bar)});
        hasBar = true;
      }
    }
    if (!hasBar) {
      judged.push_back({figure, std::nullopt, true});
    }
  }
  for (const Bar& bar : bars) {
    const bool isMeasured =
        std::any_of(figures.begin(), figures.end(), [&](const Figure& figure) { return figure.name == bar.figure; });
    if (!isMeasured) {
      judged.push_back({Figure{.name = bar.figure}, bar, false});
    }
  }
  return judged;
}

bool AreAllMet(const std::vector<JudgedFigure>& judged) {
  return std::all_of(judged.begin(), judged.end(), [](const JudgedFigure& figure) { return figure.isMet; });
}

std::string ToText(const FigureValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return *text;
  }
  const double number = std::get<double>(value);
  if (number == std::floor(number) && std::abs(number) < kWhole) {
    return fmt::format("{:.0f}", number);
  }
  return fmt::format("{:.5g}", number);
}

std::string ToText(const Figure& figure) {
  if (!figure.value) {
    return "not measured";
  }
  return ToText(*figure.value) + (figure.unit.empty() ? "" : " " + figure.unit);
}

std::string ToText(const Bar& bar) {
  return fmt::format("{} {}", kSigns[static_cast<std::size_t>(bar.comparison)], ToText(bar.limit));
}

}  // namespace muster::gate
