// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The two readers of plugin files that were copied from anywhere: the descriptor and the ELF library. Whatever a reader
// takes stays within what it promises; whatever it refuses, it refuses with a code and a sentence.
#include "PluginHost/Descriptor.h"
#include "PluginHost/LibraryInspector.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace {

namespace plugins = muster::plugins;

void Require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

template <class T>
void RequireNamed(const muster::Result<T>& result) {
  Require(result.Failure().code.number != 0 && !result.Failure().sentence.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> input(data, size);

  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto descriptor = plugins::ParseDescriptor(text, "plugin.json");
  if (descriptor.HasValue()) {
    Require(!descriptor.Value().id.empty());
  } else {
    RequireNamed(descriptor);
  }

  const auto facts = plugins::InspectLibrary(std::as_bytes(input), "library");
  if (facts.HasValue()) {
    // Every export is a name that stands in the file, so all of them together cannot be longer than it by much.
    for (const std::string& name : facts.Value().exports) {
      Require(name.size() < size);
    }
  } else {
    RequireNamed(facts);
  }
  return 0;
}
