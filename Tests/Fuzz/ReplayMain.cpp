// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Stands in for libFuzzer where that is not built: replays every file of a corpus folder, every truncation of the short
// ones, and a fixed number of seeded mutations of each, so that a plain or sanitized build keeps what the fuzzer found.
//
//   <Fuzzer> <corpus folder>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr int kMutationsPerInput = 2'000;
constexpr std::size_t kTruncateUpToBytes = 2'048;

/// Runs the input from a block of exactly its size, so that AddressSanitizer sees a read one past its end.
void RunInput(const Bytes& input) {
  const Bytes exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
    return 2;
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
  std::mt19937_64 random{0x4D75737465720001U};
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const Bytes input{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    RunInput(input);
    for (std::size_t size = 0; size < std::min(input.size(), kTruncateUpToBytes); ++size) {
      RunInput(Bytes(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(size)));
      ++runs;
    }
    for (int mutation = 0; mutation < kMutationsPerInput; ++mutation) {
      RunInput(Mutate(input, random));
    }
    runs += 1 + static_cast<std::size_t>(kMutationsPerInput);
  }
  std::printf("%zu inputs, %zu runs\n", files.size(), runs);
  return 0;
}
