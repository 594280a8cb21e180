// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Core/WeightedMix.h"

#include "Core/Utf8.h"

#include <fmt/format.h>

#include <charconv>

namespace muster {

namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Error With(Error failure, std::string cause) {
  failure.cause = std::move(cause);
  return failure;
}

}  // namespace

Result<WeightedMix> WeightedMix::Parse(std::string_view text, const Error& failure) {
  WeightedMix mix;
  std::string_view rest = text;
  for (bool isLast = false; !isLast;) {
    const std::size_t comma = rest.find(',');
    isLast = comma == std::string_view::npos;
    const std::string_view part = rest.substr(0, comma);
    rest.remove_prefix(isLast ? rest.size() : comma + 1);
    const std::size_t colon = part.find(':');
    const std::string_view name = Trimmed(part.substr(0, colon));
    const std::string_view number = colon == std::string_view::npos ? "1" : Trimmed(part.substr(colon + 1));
    if (name.empty()) {
      return With(failure, "A name is missing.");
    }
    std::uint32_t weight = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), weight);
    if (problem != std::errc{} || end != number.data() + number.size() || weight < 1 || weight > kMaxWeight) {
      return With(failure, fmt::format("'{}' is no whole number from 1 to {}.", EscapeControl(number),
                                       std::uint32_t{kMaxWeight}));
    }
    mix.m_parts.push_back({std::string{name}, weight});
    mix.m_total += weight;
  }
  return mix;
}

std::size_t WeightedMix::PartOf(std::uint32_t index, std::uint32_t count) const {
  MUSTER_ASSERT(index < count && !m_parts.empty(), "a thing beyond the count, or no mix");
  const std::uint64_t place = index * m_total / count;
  std::uint64_t end = 0;
  std::size_t part = 0;
  for (; part + 1 < m_parts.size(); ++part) {
    end += m_parts[part].weight;
    if (place < end) {
      break;
    }
  }
  return part;
}

}  // namespace muster
