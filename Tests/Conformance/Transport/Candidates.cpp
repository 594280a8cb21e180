// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Candidates.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "TransportBench.h"

namespace muster::conformance {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path>& NamedFolders() {
  static std::vector<fs::path> folders;
  return folders;
}

std::optional<Candidate> CandidateIn(const fs::path& folder) {
  std::ifstream file{folder / "plugin.json"};
  const nlohmann::json descriptor = nlohmann::json::parse(file, nullptr, false);
  if (descriptor.is_discarded() || !descriptor.is_object() || descriptor.value("kind", "") != "transport") {
    return std::nullopt;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator{folder}) {
    if (entry.path().extension() != ".so") {
      continue;
    }
    Candidate candidate{folder.filename().string(), entry.path()};
    std::erase_if(candidate.name, [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0; });
    return candidate;
  }
  return std::nullopt;
}

std::vector<Candidate> Discover() {
  std::vector<Candidate> found;
  for (const fs::path& folder : NamedFolders()) {
    const std::optional<Candidate> candidate = CandidateIn(folder);
    if (!candidate) {
      throw std::runtime_error{folder.string() + " holds no transport: a plugin.json of that kind and a library"};
    }
    found.push_back(*candidate);
  }
  if (found.empty()) {
    for (const fs::directory_entry& entry : fs::directory_iterator{fs::path{MUSTER_TEST_BINARY_DIR} / "Plugins"}) {
      if (const std::optional<Candidate> candidate = CandidateIn(entry.path())) {
        found.push_back(*candidate);
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Candidate& left, const Candidate& right) { return left.name < right.name; });
  return found;
}

bool HasSocket(const Candidate& candidate) {
  const mu_transport_v0& table = TransportLibrary::At(candidate.library).Table();
  const mu_transport_params params = DefaultParams();
  mu_transport* self = nullptr;
  if (table.create(&params, &self) != MU_OK) {
    return false;
  }
  const mu_address bind = LocalAddress(0);
  mu_address bound{};
  const bool hasSocket = table.listen(self, &bind, &bound) == MU_OK && table.wait_handle(self) >= 0;
  table.destroy(self);
  return hasSocket;
}

}  // namespace

bool TakeArguments(int& argc, char** argv) {
  if (const char* const folder = std::getenv("MUSTER_CONFORMANCE_PLUGIN"); folder != nullptr && *folder != '\0') {
    NamedFolders().emplace_back(folder);
  }
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view{argv[i]} == "--plugin" && i + 1 < argc) {
      NamedFolders().emplace_back(argv[++i]);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  for (fs::path& folder : NamedFolders()) {
    folder = fs::weakly_canonical(folder);
  }
  return !NamedFolders().empty();
}

const std::vector<Candidate>& Candidates() {
  static const std::vector<Candidate> candidates = Discover();
  return candidates;
}

std::vector<Candidate> SocketCandidates() {
  std::vector<Candidate> candidates = Candidates();
  std::erase_if(candidates, [](const Candidate& candidate) { return !HasSocket(candidate); });
  return candidates;
}

INSTANTIATE_TEST_SUITE_P(Transports, TransportTest, testing::ValuesIn(Candidates()), NameOf);
INSTANTIATE_TEST_SUITE_P(Transports, SocketTransportTest, testing::ValuesIn(SocketCandidates()), NameOf);
// Somebody's own transport may have no socket.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SocketTransportTest);

}  // namespace muster::conformance
