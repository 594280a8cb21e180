// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Descriptors for tests: a valid one as JSON to be changed, and short ones for the resolver.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "PluginHost/Descriptor.h"

namespace muster::plugins::test {

[[nodiscard]] inline nlohmann::json ValidDescriptor() {
  return nlohmann::json::parse(R"({
    "schema": 1,
    "id": "com.example.grid",
    "name": "Grid",
    "description": "A grid.",
    "version": "1.2.3",
    "kind": "spatial_index",
    "provides": ["muster.spatial_index/0"],
    "engine": {"min_api_level": 1, "max_api_level": 2},
    "depends": {
      "required": [{"id": "com.example.base", "version": ">=1.0.0 <2.0.0"}],
      "optional": [{"id": "com.example.extra", "version": "*"}],
      "conflicts": [{"id": "com.example.rival", "version": "^1.0.0"}],
      "after": ["com.example.early"]
    },
    "side": "server",
    "wire_affecting": false,
    "libraries": {
      "linux.x86_64": {
        "path": "libGrid.so",
        "sha256": "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
      }
    },
    "hot_reload": "rebuild",
    "licence": "MIT",
    "authors": ["A. Uthor"],
    "url": "https://example.com",
    "tags": ["fast"]
  })");
}

/// A loadable descriptor with nothing but an id; tests add what they are about.
[[nodiscard]] inline Descriptor Plugin(std::string_view id, std::string_view version = "1.0.0",
                                       PluginKind kind = PluginKind::SpatialIndex) {
  Descriptor descriptor;
  descriptor.id = id;
  descriptor.version = Version::Parse(version).value();
  descriptor.kind = kind;
  descriptor.provides = {std::string{InterfaceOf(kind)}};
  descriptor.engine = {1, 1};
  descriptor.side = Side::Server;
  descriptor.libraries.emplace(kPlatformTag, LibraryEntry{"lib.so", {}});
  descriptor.origin = std::string{id} + "/plugin.json";
  return descriptor;
}

[[nodiscard]] inline PluginReference Needs(std::string_view id, std::string_view versions = "*") {
  return {std::string{id}, VersionRange::Parse(versions).value()};
}

}  // namespace muster::plugins::test
