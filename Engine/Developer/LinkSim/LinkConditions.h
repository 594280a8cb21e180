// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace muster::linksim {

/// What a network does to messages in one direction. Probabilities are 0..1; the default does nothing.
struct LinkConditions {
  double loss = 0;
  double duplicate = 0;
  /// How many are held back by `reorderDelay` more, so that later ones overtake them.
  double reorder = 0;
  std::chrono::nanoseconds delay{0};
  /// Up to this much more, evenly; alone it reorders what follows within it.
  std::chrono::nanoseconds jitter{0};
  std::chrono::nanoseconds reorderDelay{std::chrono::milliseconds{30}};
  /// What the line carries; zero is no limit. UdpRelay alone heeds it: what would wait longer than `queueTime` is lost.
  double bytesPerSecond = 0;
  std::chrono::nanoseconds queueTime{std::chrono::milliseconds{250}};
};

/// What becomes of one message.
struct Fate {
  bool isLost = false;
  bool isDuplicated = false;
  bool isReordered = false;
  std::chrono::nanoseconds delay{0};
  std::chrono::nanoseconds duplicateDelay{0};
};

/// The fate of message number `index` of a stream. A pure function: the same arguments give the same answer. [any]
Fate Decide(const LinkConditions& conditions, std::uint64_t seed, std::uint64_t index) noexcept;

/// How much later a message of the reliable channel arrives. A loss costs it a resend, never the message. [any]
std::chrono::nanoseconds DecideReliableDelay(const LinkConditions& conditions, std::uint64_t seed,
                                             std::uint64_t index) noexcept;

}  // namespace muster::linksim
