// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SeriesStats.h"

#include "Telemetry/Percentile.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace muster::swarm {

namespace {

constexpr std::size_t kBuckets = 6;
constexpr std::size_t kMinSamplesPerBucket = 4;
constexpr std::size_t kMinTailSamples = 4;
constexpr double kSecondsPerMinute = 60.0;

double Percentile(const std::vector<double>& sorted, double fraction) {
  return sorted[telemetry::NearestRank(sorted.size(), fraction)];
}

/// Least squares.
double LineSlope(const std::vector<RssSample>& samples) {
  double meanX = 0;
  double meanY = 0;
  for (const RssSample& sample : samples) {
    meanX += sample.seconds;
    meanY += sample.kib;
  }
  meanX /= static_cast<double>(samples.size());
  meanY /= static_cast<double>(samples.size());
  double above = 0;
  double below = 0;
  for (const RssSample& sample : samples) {
    above += (sample.seconds - meanX) * (sample.kib - meanY);
    below += (sample.seconds - meanX) * (sample.seconds - meanX);
  }
  return below > 0 ? above / below : 0;
}

/// The newest sample at or before `seconds`.
const RssSample& SampleAt(const std::vector<RssSample>& samples, double seconds) {
  const auto after = std::upper_bound(samples.begin(), samples.end(), seconds,
                                      [](double wanted, const RssSample& sample) { return wanted < sample.seconds; });
  return after == samples.begin() ? *after : *(after - 1);
}

}  // namespace

SeriesStats StatsOf(std::vector<double> values) {
  SeriesStats stats;
  stats.count = values.size();
  if (values.empty()) {
    return stats;
  }
  std::sort(values.begin(), values.end());
  stats.min = values.front();
  stats.max = values.back();
  stats.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  stats.p50 = Percentile(values, 0.50);
  stats.p95 = Percentile(values, 0.95);
  stats.p99 = Percentile(values, 0.99);
  return stats;
}

RssTrend TrendOf(const std::vector<RssSample>& samples) {
  RssTrend trend;
  if (samples.size() < 2) {
    return trend;
  }
  const double begin = samples.front().seconds;
  const double end = samples.back().seconds;
  std::vector<RssSample> tail;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(tail),
               [middle = begin + (end - begin) / 2](const RssSample& sample) { return sample.seconds >= middle; });
  if (tail.size() < kMinTailSamples) {
    return trend;
  }
  trend.isKnown = true;
  for (std::size_t i = 1; i < tail.size(); ++i) {
    const double step = tail[i].kib - tail[i - 1].kib;
    if (step > trend.stepMaxKib) {
      trend.stepMaxKib = step;
      trend.stepAtSeconds = tail[i].seconds;
    }
  }
  if (tail.size() < kBuckets * kMinSamplesPerBucket) {
    trend.slopeKibPerMinute = LineSlope(tail) * kSecondsPerMinute;
    return trend;
  }
  const double tailBegin = tail.front().seconds;
  const double span = (tail.back().seconds - tailBegin) / static_cast<double>(kBuckets);
  std::vector<double> rates;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    const RssSample& first = SampleAt(tail, tailBegin + span * static_cast<double>(i));
    const RssSample& last =
        i + 1 == kBuckets ? tail.back() : SampleAt(tail, tailBegin + span * static_cast<double>(i + 1));
    const double seconds = last.seconds - first.seconds;
    rates.push_back(seconds > 0 ? (last.kib - first.kib) / seconds : 0);
  }
  std::sort(rates.begin(), rates.end());
  trend.slopeKibPerMinute = (rates[kBuckets / 2 - 1] + rates[kBuckets / 2]) / 2 * kSecondsPerMinute;
  return trend;
}

}  // namespace muster::swarm
