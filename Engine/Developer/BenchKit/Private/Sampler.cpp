// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BenchKit/Sampler.h"

#include "Core/Assert.h"
#include "Core/Random.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace muster::bench {
namespace {

constexpr std::int64_t kMostPasses = 100'000;

/// A case that has spent so many times its share is content with the fewest samples a median makes sense of.
constexpr int kSlowCaseTimes = 10;
constexpr std::size_t kFewestSamples = 3;
/// So many times the samples a case needs are tried before disturbed ones are taken as well.
constexpr std::size_t kHopelessTries = 3;

long PreemptionsOfThisThread() {
  rusage usage{};
  return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

class CaseSampler {
 public:
  CaseSampler(const Case& theCase, std::chrono::nanoseconds caseTime, const SamplerOptions& options,
              const IClock& clock)
      : m_case{theCase}, m_caseTime{std::max(caseTime, options.caseTime)}, m_options{options}, m_clock{clock} {
    MUSTER_ASSERT_ALWAYS((theCase.pass != nullptr) != (theCase.measure != nullptr),
                         "a case is a pass or a measurement");
    MUSTER_ASSERT_ALWAYS(theCase.unitsPerPass > 0.0, "a pass does something");
  }

  [[nodiscard]] bool IsDone() const {
    if (m_samples.size() >= m_options.maxSamples) {
      return true;
    }
    const bool isSlow = m_spent >= kSlowCaseTimes * m_caseTime;
    const bool isEnough = m_samples.size() >= (isSlow ? kFewestSamples : m_options.minSamples);
    const std::size_t tries = m_samples.size() + m_disturbed.size();
    const bool isHopeless = tries >= (isSlow ? kFewestSamples : kHopelessTries * m_options.minSamples);
    return m_spent >= m_caseTime && (isEnough || isHopeless);
  }

  /// Warms up once and finds out how many passes make a sample.
  void Calibrate() {
    if (m_case.measure) {
      return;
    }
    std::chrono::nanoseconds once = TimePasses(1);
    if (once < m_caseTime) {
      once = std::max(TimePasses(1), std::chrono::nanoseconds(1));
    }
    const std::chrono::nanoseconds wanted =
        m_case.mode == Mode::Hot ? m_options.hotSampleTime : m_options.tickSampleTime;
    m_passes = std::clamp<std::int64_t>((wanted + once - std::chrono::nanoseconds(1)) / once, 1, kMostPasses);
  }

  void Sample() {
    if (m_case.measure) {
      const MonotonicTime before = m_clock.Now();
      m_samples.push_back(m_case.measure());
      m_spent += m_clock.Now() - before;
      return;
    }
    const long before = PreemptionsOfThisThread();
    const std::chrono::nanoseconds taken = TimePasses(m_passes);
    const bool isDisturbed = PreemptionsOfThisThread() != before;
    m_spent += taken;
    (isDisturbed ? m_disturbed : m_samples)
        .push_back(static_cast<double>(taken.count()) / (static_cast<double>(m_passes) * m_case.unitsPerPass));
  }

  [[nodiscard]] Summary Finish() {
    if (m_samples.size() < m_options.minSamples) {
      m_samples.insert(m_samples.end(), m_disturbed.begin(), m_disturbed.end());
    }
    return Summarise(std::move(m_samples));
  }

 private:
  std::chrono::nanoseconds TimePasses(std::int64_t passes) {
    if (!m_case.prepare) {
      const MonotonicTime before = m_clock.Now();
      for (std::int64_t pass = 0; pass < passes; ++pass) {
        m_case.pass();
      }
      return m_clock.Now() - before;
    }
    std::chrono::nanoseconds taken{0};
    for (std::int64_t pass = 0; pass < passes; ++pass) {
      m_case.prepare();
      const MonotonicTime before = m_clock.Now();
      m_case.pass();
      taken += m_clock.Now() - before;
    }
    return taken;
  }

  const Case& m_case;
  std::chrono::nanoseconds m_caseTime;
  const SamplerOptions& m_options;
  const IClock& m_clock;
  std::int64_t m_passes = 1;
  std::chrono::nanoseconds m_spent{0};
  std::vector<double> m_samples{};
  std::vector<double> m_disturbed{};  // another thread took the core in between
};

/// Our own, so that the order is the same with every library.
void Shuffle(std::vector<std::size_t>& order, Random& random) {
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(random.NextBelow(left))]);
  }
}

}  // namespace

std::vector<Summary> SampleGroup(const Group& group, const SamplerOptions& options, const IClock& clock,
                                 const std::function<bool()>& isStopping) {
  std::vector<CaseSampler> samplers;
  samplers.reserve(group.cases.size());
  for (const Case& theCase : group.cases) {
    samplers.emplace_back(theCase, group.caseTime, options, clock);
  }
  for (CaseSampler& sampler : samplers) {
    if (!isStopping()) {
      sampler.Calibrate();
    }
  }
  Random random{options.seed};
  std::vector<std::size_t> order(samplers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto isDone = [](const CaseSampler& sampler) { return sampler.IsDone(); };
  while (!isStopping() && !std::all_of(samplers.begin(), samplers.end(), isDone)) {
    Shuffle(order, random);
    for (const std::size_t index : order) {
      if (!samplers[index].IsDone() && !isStopping()) {
        samplers[index].Sample();
      }
    }
  }
  std::vector<Summary> summaries;
  summaries.reserve(samplers.size());
  for (CaseSampler& sampler : samplers) {
    summaries.push_back(sampler.Finish());
  }
  return summaries;
}

}  // namespace muster::bench
