// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "FlightPattern.h"

#include "Core/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace muster::swarm {

namespace {

double SecondsAt(Tick tick) {
  return static_cast<double>(tick.Value()) * kTickSecondsDouble;
}

/// Gentle turns and climbs, each client in a phase of its own, so that the crowd spreads and moves.
class Weave final : public IFlightPattern {
 public:
  explicit Weave(std::uint32_t index) : m_phase(index) {}
  mu_control At(Tick tick) override {
    const double t = SecondsAt(tick);
    mu_control control{};
    control.throttle = 0.7F;
    control.aileron = static_cast<float>(0.3 * std::sin(0.5 * t + 0.7 * m_phase));
    control.elevator = static_cast<float>(0.1 * std::sin(0.3 * t + 0.91 * m_phase));
    return control;
  }

 private:
  double m_phase;
};

/// Straight and level: little changes.
class Level final : public IFlightPattern {
 public:
  mu_control At(Tick) override {
    mu_control control{};
    control.throttle = 0.7F;
    return control;
  }
};

/// Hard rolls and pulls with the afterburner on: everything changes all the time.
class Aggressive final : public IFlightPattern {
 public:
  explicit Aggressive(std::uint32_t index) : m_phase(index) {}
  mu_control At(Tick tick) override {
    const double t = SecondsAt(tick);
    mu_control control{};
    control.throttle = 1.0F;
    control.aileron = static_cast<float>(std::sin(2.1 * t + 1.3 * m_phase));
    control.elevator = static_cast<float>(0.4 + 0.6 * std::sin(1.3 * t + 0.37 * m_phase));
    control.rudder = static_cast<float>(0.5 * std::sin(0.9 * t + 2.1 * m_phase));
    control.buttons = std::fmod(t + m_phase, 4.0) < 2.0 ? MU_BUTTON_AFTERBURNER : 0U;
    return control;
  }

 private:
  double m_phase;
};

/// Hands off: only the connection costs.
class Idle final : public IFlightPattern {
 public:
  mu_control At(Tick) override { return {}; }
};

/// A seeded walk of the controls.
class RandomWalk final : public IFlightPattern {
 public:
  RandomWalk(std::uint32_t index, std::uint64_t seed) : m_random(seed ^ (0x9E37'79B9'7F4A'7C15ULL * (index + 1ULL))) {}
  mu_control At(Tick) override {
    const auto step = [this](float& value, float low) {
      value = std::clamp(value + 0.1F * static_cast<float>(2.0 * m_random.NextUnit() - 1.0), low, 1.0F);
    };
    step(m_control.throttle, 0.3F);
    step(m_control.aileron, -1.0F);
    step(m_control.elevator, -1.0F);
    step(m_control.rudder, -1.0F);
    return m_control;
  }

 private:
  Random m_random;
  mu_control m_control{.throttle = 0.7F, .elevator = 0, .aileron = 0, .rudder = 0, .buttons = 0};
};

struct Row {
  std::string_view name;
  std::unique_ptr<IFlightPattern> (*make)(std::uint32_t index, std::uint64_t seed);
};

constexpr Row kRows[] = {
    {"weave",
     [](std::uint32_t index, std::uint64_t) -> std::unique_ptr<IFlightPattern> {
       return std::make_unique<Weave>(index);
     }},
    {"level",
     [](std::uint32_t, std::uint64_t) -> std::unique_ptr<IFlightPattern> { return std::make_unique<Level>(); }},
    {"aggressive",
     [](std::uint32_t index, std::uint64_t) -> std::unique_ptr<IFlightPattern> {
       return std::make_unique<Aggressive>(index);
     }},
    {"idle", [](std::uint32_t, std::uint64_t) -> std::unique_ptr<IFlightPattern> { return std::make_unique<Idle>(); }},
    {"random",
     [](std::uint32_t index, std::uint64_t seed) -> std::unique_ptr<IFlightPattern> {
       return std::make_unique<RandomWalk>(index, seed);
     }},
};

const Row* FindRow(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kRows), std::end(kRows), [name](const Row& row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

Error UnknownPattern(std::string_view name) {
  return {kPatternUnknown, fmt::format("There is no flight pattern \"{}\".", name),
          fmt::format("There are {}.", fmt::join(PatternNames(), ", ")), "Choose one of them."};
}

}  // namespace

std::vector<std::string_view> PatternNames() {
  std::vector<std::string_view> names;
  for (const Row& row : kRows) {
    names.push_back(row.name);
  }
  return names;
}

Result<std::unique_ptr<IFlightPattern>> MakePattern(std::string_view name, std::uint32_t clientIndex,
                                                    std::uint64_t seed) {
  const Row* const row = FindRow(name);
  if (row == nullptr) {
    return UnknownPattern(name);
  }
  return row->make(clientIndex, seed);
}

Result<PatternMix> PatternMix::Parse(std::string_view text) {
  Result<WeightedMix> mix = WeightedMix::Parse(
      text,
      Error{kPatternMixInvalid, fmt::format("The pattern mix \"{}\" cannot be used.", text), "",
            fmt::format("Write it as weave:80,idle:20; there are the patterns {}.", fmt::join(PatternNames(), ", "))});
  if (!mix) {
    return std::move(mix).Failure();
  }
  for (const WeightedMix::Part& part : mix->Parts()) {
    if (FindRow(part.name) == nullptr) {
      return UnknownPattern(part.name);
    }
  }
  return PatternMix{std::move(*mix)};
}

std::string_view PatternMix::At(std::uint32_t clientIndex, std::uint32_t clients) const {
  return m_mix.Parts()[m_mix.PartOf(clientIndex, clients)].name;
}

}  // namespace muster::swarm
