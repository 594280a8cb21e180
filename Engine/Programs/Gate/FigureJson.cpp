// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "FigureJson.h"

namespace muster::gate {

namespace {

using Json = nlohmann::ordered_json;

Json ValueJson(const FigureValue& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

}  // namespace

Json ToJson(std::span<const JudgedFigure> figures) {
  Json json = Json::array();
  for (const JudgedFigure& judged : figures) {
    json.push_back({{"name", judged.figure.name},
                    {"value", judged.figure.value ? ValueJson(*judged.figure.value) : Json(nullptr)},
                    {"unit", judged.figure.unit.empty() ? Json(nullptr) : Json(judged.figure.unit)},
                    {"bar", judged.bar ? Json(ToText(*judged.bar)) : Json(nullptr)},
                    {"met", judged.bar ? Json(judged.isMet) : Json(nullptr)}});
  }
  return json;
}

}  // namespace muster::gate
