// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Who is put through the suite: every transport plugin that the build tree holds, or the one that the caller names.
//
//   TransportConformanceTests --plugin /path/to/MyTransport     # a folder with plugin.json and the library
//   MUSTER_CONFORMANCE_PLUGIN=/path/to/MyTransport TransportConformanceTests
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace muster::conformance {

struct Candidate {
  std::string name;  ///< of the folder, letters and digits only
  std::filesystem::path library;
};

/// For GoogleTest's messages.
inline void PrintTo(const Candidate& candidate, std::ostream* out) {
  *out << candidate.name;
}
inline std::string NameOf(const testing::TestParamInfo<Candidate>& info) {
  return info.param.name;
}

/// Before GoogleTest starts. True when somebody else's plugin is to be judged, alone.
bool TakeArguments(int& argc, char** argv);

/// In the order of their names. Throws std::runtime_error when a named folder holds no transport.
const std::vector<Candidate>& Candidates();
/// Those that speak through a socket of this machine.
std::vector<Candidate> SocketCandidates();

}  // namespace muster::conformance
