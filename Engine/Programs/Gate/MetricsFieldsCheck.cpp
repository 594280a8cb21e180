// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Kind "metrics-fields": the server's metrics file has every field that load tools read. Taken from a small run with
// clients on, so that figures which exist only then are there. Figures: "missing_fields" and "unexpected_nulls" (names,
// or "none"), "fields_present".
#include "CheckKinds.h"

#include "LoadRun.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace muster::gate {

namespace {

using Json = nlohmann::json;

class NameList {
 public:
  void Add(const std::string& name) { m_text += (m_text.empty() ? "" : ", ") + name; }
  [[nodiscard]] std::string Text() const { return m_text.empty() ? "none" : m_text; }

 private:
  std::string m_text;
};

struct Wanted {
  std::vector<std::string> fields;
  std::vector<std::string> durations;   ///< fields that hold statistics of milliseconds
  std::vector<std::string> statistics;  ///< what each of them holds
  std::vector<std::string> mayBeNull;
};

class MetricsFieldsCheck final : public ICheck {
 public:
  MetricsFieldsCheck(LoadSpec spec, Wanted wanted) : m_spec(std::move(spec)), m_wanted(std::move(wanted)) {}

  Result<std::vector<Figure>> Measure(const CheckContext& context) override {
    const auto outcome = RunLoad(context.places, m_spec, {}, context.stop);
    if (!outcome) {
      return outcome.Failure();
    }
    const Json json = Json::parse(outcome->metricsText, nullptr, /*allow_exceptions=*/false);
    NameList missing;
    NameList nulls;
    std::size_t present = 0;
    const auto look = [&](const std::string& name) -> const Json* {
      if (!json.is_object() || !json.contains(name)) {
        missing.Add(name);
        return nullptr;
      }
      ++present;
      const auto& optional = m_wanted.mayBeNull;
      if (json[name].is_null() && std::find(optional.begin(), optional.end(), name) == optional.end()) {
        nulls.Add(name);
      }
      return &json[name];
    };
    for (const std::string& name : m_wanted.fields) {
      look(name);
    }
    for (const std::string& name : m_wanted.durations) {
      const Json* const value = look(name);
      for (const std::string& statistic : m_wanted.statistics) {
        if (value != nullptr && !value->is_null() && !value->contains(statistic)) {
          missing.Add(name + "." + statistic);
        }
      }
    }
    return std::vector<Figure>{{.name = "missing_fields", .value = missing.Text()},
                               {.name = "unexpected_nulls", .value = nulls.Text()},
                               {.name = "fields_present", .value = static_cast<double>(present)}};
  }

 private:
  LoadSpec m_spec;
  Wanted m_wanted;
};

}  // namespace

std::unique_ptr<ICheck> MakeMetricsFieldsCheck(StrictObject& parameters) {
  LoadSpec spec = ReadLoadSpec(parameters, {.clients = 2, .agents = 20});
  spec.seconds = parameters.Number("seconds", 4);
  Wanted wanted;
  wanted.fields = parameters.Texts("fields");
  wanted.durations = parameters.Texts("durations");
  wanted.statistics = parameters.Texts("statistics");
  wanted.mayBeNull = parameters.TextsOr("may_be_null", {});
  return std::make_unique<MetricsFieldsCheck>(std::move(spec), std::move(wanted));
}

}  // namespace muster::gate
