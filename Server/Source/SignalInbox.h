// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Signals as events: blocked for the whole process, read from a descriptor by the main thread.
#pragma once

#include <optional>

namespace muster::server {

class SignalInbox {
 public:
  /// SIGTERM, SIGINT, SIGHUP. On the main thread, before any other thread is made. SIGPIPE and SIGXFSZ are ignored.
  static void BlockSignals();

  /// Takes the signals that BlockSignals blocked.
  SignalInbox();
  ~SignalInbox();
  SignalInbox(const SignalInbox&) = delete;
  SignalInbox& operator=(const SignalInbox&) = delete;

  [[nodiscard]] int Descriptor() const { return m_descriptor; }
  /// The next signal, if there is one. [main]
  std::optional<int> Take();

 private:
  int m_descriptor = -1;
};

}  // namespace muster::server
