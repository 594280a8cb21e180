// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "FigureJson.h"

namespace muster::gate {

namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson ValueJson(const FigureValue& value) {
  return std::visit([](const auto& held) { return OrderedJson(held); }, value);
}

}  // namespace

OrderedJson ToJson(std::span<const JudgedFigure> figures) {
  OrderedJson json = OrderedJson::array();
  for (const JudgedFigure& judged : figures) {
    json.push_back({{"name", judged.figure.name},
                    {"value", judged.figure.value ? ValueJson(*judged.figure.value) : OrderedJson(nullptr)},
                    {"unit", judged.figure.unit.empty() ? OrderedJson(nullptr) : OrderedJson(judged.figure.unit)},
                    {"bar", judged.bar ? OrderedJson(ToText(*judged.bar)) : OrderedJson(nullptr)},
                    {"met", judged.bar ? OrderedJson(judged.isMet) : OrderedJson(nullptr)}});
  }
  return json;
}

}  // namespace muster::gate
