// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "SignalInbox.h"

#include <sys/signalfd.h>
#include <unistd.h>
#include <csignal>

namespace muster::server {

namespace {

sigset_t Wanted() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    ::sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

void SignalInbox::BlockSignals() {
  const sigset_t set = Wanted();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit is a write that failed, with its named error
}

SignalInbox::SignalInbox() {
  const sigset_t set = Wanted();
  m_descriptor = ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

SignalInbox::~SignalInbox() {
  if (m_descriptor >= 0) {
    ::close(m_descriptor);
  }
}

std::optional<int> SignalInbox::Take() {
  signalfd_siginfo info{};
  if (::read(m_descriptor, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
    return std::nullopt;
  }
  return static_cast<int>(info.ssi_signo);
}

}  // namespace muster::server
