// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Stands in for libFuzzer where that is not built: replays every file of a corpus folder, truncations of it and a fixed
// number of seeded mutations, so that a plain or sanitized build keeps what the fuzzer found.
//
//   <Name>Fuzzer FOLDER                 replays; fails where a made seed is missing or stale
//   <Name>Fuzzer FILE                   runs one input
//   <Name>Fuzzer --make-seeds FOLDER    writes the seeds that the target makes
#include "FuzzInput.h"
#include "FuzzSeeds.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;
using muster::fuzz::Seeds;

constexpr std::size_t kMutationsPerInput = MUSTER_REPLAY_MUTATIONS;
constexpr std::size_t kTruncations = MUSTER_REPLAY_MUTATIONS;

/// For the message of an abort; a plain array, because a signal handler may read nothing else.
char currentInput[512] = "";

void OnAbort(int) {
  constexpr std::string_view kBefore = "at ";
  static_cast<void>(!write(STDERR_FILENO, kBefore.data(), kBefore.size()));
  static_cast<void>(!write(STDERR_FILENO, currentInput, strnlen(currentInput, sizeof currentInput)));
  static_cast<void>(!write(STDERR_FILENO, "\n", 1));
}

/// Runs the input from a block of exactly its size, so that AddressSanitizer sees a read one past its end.
void RunInput(const Bytes& input) {
  const Bytes exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

Bytes ReadInput(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Bytes Mutate(Bytes input, std::mt19937_64& random) {
  const std::uint64_t edits = 1 + random() % 4;
  for (std::uint64_t edit = 0; edit < edits; ++edit) {
    const std::size_t at = input.empty() ? 0 : random() % input.size();
    switch (random() % 5) {
      case 0:
        if (!input.empty()) {
          input[at] ^= static_cast<std::uint8_t>(1U << (random() % 8));
        }
        break;
      case 1:
        if (!input.empty()) {
          input[at] = static_cast<std::uint8_t>(random() % 3 == 0 ? 0xFF : random());
        }
        break;
      case 2:
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(random()));
        break;
      case 3:
        if (!input.empty()) {
          input.erase(input.begin() + static_cast<std::ptrdiff_t>(at));
        }
        break;
      default:
        input.resize(at);
        break;
    }
  }
  return input;
}

void NameInput(const std::filesystem::path& file, const char* variant, std::size_t number) {
  std::snprintf(currentInput, sizeof currentInput, "%s, %s %zu", file.c_str(), variant, number);
}

std::size_t Replay(const std::filesystem::path& file, std::mt19937_64& random) {
  const Bytes input = ReadInput(file);
  NameInput(file, "as it is", 0);
  RunInput(input);
  // Every truncation of a short input, an even choice of those of a long one.
  const std::size_t step = std::max<std::size_t>(1, input.size() / kTruncations);
  std::size_t runs = 1;
  for (std::size_t size = 0; size < input.size(); size += step, ++runs) {
    NameInput(file, "cut to", size);
    RunInput(Bytes(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  for (std::size_t mutation = 0; mutation < kMutationsPerInput; ++mutation, ++runs) {
    NameInput(file, "mutation", mutation);
    RunInput(Mutate(input, random));
  }
  return runs;
}

Seeds MadeSeeds() {
  return &muster::fuzz::MakeSeeds != nullptr ? muster::fuzz::MakeSeeds() : Seeds{};
}

int WriteSeeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const Seeds seeds = MadeSeeds();
  for (const auto& [name, bytes] : seeds) {
    std::ofstream(folder / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  std::printf("%zu seeds written to %s\n", seeds.size(), folder.c_str());
  return 0;
}

bool AreSeedsCurrent(const std::filesystem::path& folder) {
  bool areCurrent = true;
  for (const auto& [name, bytes] : MadeSeeds()) {
    if (ReadInput(folder / name) != bytes) {
      std::fprintf(stderr, "%s is missing or stale; run this program with --make-seeds %s\n", (folder / name).c_str(),
                   folder.c_str());
      areCurrent = false;
    }
  }
  return areCurrent;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view{argv[1]} == "--make-seeds") {
    return WriteSeeds(argv[2]);
  }
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS-FOLDER | FILE | --make-seeds CORPUS-FOLDER\n", argv[0]);
    return 2;
  }
  std::signal(SIGABRT, &OnAbort);
  std::mt19937_64 random{0x4D75737465720001U};
  if (std::filesystem::is_regular_file(argv[1])) {
    NameInput(argv[1], "as it is", 0);
    RunInput(ReadInput(argv[1]));
    return 0;
  }
  if (!AreSeedsCurrent(argv[1])) {
    return 1;
  }
  std::vector<std::filesystem::path> files;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1], problem)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  if (files.empty()) {
    std::fprintf(stderr, "%s: no input in %s: nothing would be tested\n", argv[0], argv[1]);
    return 2;
  }
  std::sort(files.begin(), files.end());
  std::size_t runs = 0;
  for (const std::filesystem::path& file : files) {
    runs += Replay(file, random);
  }
  std::printf("%zu inputs, %zu runs\n", files.size(), runs);
  return 0;
}
