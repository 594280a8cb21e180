// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Descriptor.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "Descriptors.h"
#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

using Json = nlohmann::json;

[[nodiscard]] Result<Descriptor> Parse(const Json& json) {
  return ParseDescriptor(json.dump(), "plugin.json");
}

/// Changes a valid descriptor and gives the error's cause.
[[nodiscard]] std::string Refusal(const std::function<void(Json&)>& change) {
  Json json = test::ValidDescriptor();
  change(json);
  const Result<Descriptor> parsed = Parse(json);
  EXPECT_FALSE(parsed) << json.dump(2);
  if (parsed) {
    return {};
  }
  EXPECT_EQ(parsed.Failure().code, kDescriptorInvalid) << parsed.Failure().ToString();
  return parsed.Failure().cause;
}

[[nodiscard]] bool Begins(const std::string& text, std::string_view start) {
  return text.rfind(start, 0) == 0;
}

TEST(Descriptor, ReadsEveryField) {
  const Result<Descriptor> parsed = Parse(test::ValidDescriptor());
  ASSERT_TRUE(parsed) << parsed.Failure().ToString();
  const Descriptor& d = *parsed;
  EXPECT_EQ(d.id, "com.example.grid");
  EXPECT_EQ(d.name, "Grid");
  EXPECT_EQ(d.description, "A grid.");
  EXPECT_EQ(d.version.ToString(), "1.2.3");
  EXPECT_EQ(d.kind, PluginKind::SpatialIndex);
  EXPECT_EQ(d.provides, std::vector<std::string>{"muster.spatial_index/0"});
  EXPECT_EQ(d.engine.min, 1u);
  EXPECT_EQ(d.engine.max, 2u);
  ASSERT_EQ(d.depends.required.size(), 1u);
  EXPECT_EQ(d.depends.required[0].id, "com.example.base");
  EXPECT_EQ(d.depends.required[0].versions.ToString(), ">=1.0.0 <2.0.0");
  EXPECT_EQ(d.depends.optional.at(0).id, "com.example.extra");
  EXPECT_EQ(d.depends.conflicts.at(0).id, "com.example.rival");
  EXPECT_EQ(d.depends.after, std::vector<std::string>{"com.example.early"});
  EXPECT_EQ(d.side, Side::Server);
  EXPECT_FALSE(d.wireAffecting);
  ASSERT_EQ(d.libraries.count("linux.x86_64"), 1u);
  EXPECT_EQ(d.libraries.find("linux.x86_64")->second.path, "libGrid.so");
  EXPECT_EQ(d.libraries.find("linux.x86_64")->second.sha256[1], std::byte{0x11});
  EXPECT_EQ(d.hotReload, HotReload::Rebuild);
  EXPECT_EQ(d.licence, "MIT");
  EXPECT_EQ(d.authors, std::vector<std::string>{"A. Uthor"});
  EXPECT_EQ(d.url, "https://example.com");
  EXPECT_EQ(d.tags, std::vector<std::string>{"fast"});
  EXPECT_EQ(d.origin, "plugin.json");
}

TEST(Descriptor, DigestIgnoresLibrariesAndFormattingAndNothingElse) {
  const Json json = test::ValidDescriptor();
  const Sha256Digest digest = Parse(json)->digest;
  EXPECT_EQ(ParseDescriptor(json.dump(8), "elsewhere")->digest, digest);
  Json other = json;
  other.erase("libraries");
  EXPECT_EQ(Parse(other)->digest, digest);
  for (const auto& [key, value] : json.items()) {
    if (key == "libraries") {
      continue;
    }
    Json changed = json;
    if (key == "description" || key == "url" || key == "name" || key == "licence") {
      changed[key] = "other";
    } else if (key == "version") {
      changed[key] = "1.2.4";
    } else if (key == "tags" || key == "authors") {
      changed[key].push_back("other");
    } else {
      continue;
    }
    EXPECT_NE(Parse(changed)->digest, digest) << key;
  }
}

TEST(Descriptor, RefusesUnknownKeysAtTheirPlace) {
  EXPECT_TRUE(Begins(Refusal([](Json& j) { j["colour"] = 1; }), "/colour is an unknown key"));
  EXPECT_TRUE(Begins(Refusal([](Json& j) { j["engine"]["min"] = 1; }), "/engine/min is an unknown key"));
  EXPECT_TRUE(Begins(Refusal([](Json& j) { j["depends"]["required"][0]["x/y~z"] = 1; }),
                     "/depends/required/0/x~1y~0z is an unknown key"));
}

TEST(Descriptor, RefusesMissingKeys) {
  for (const DescriptorField& field : DescriptorFields()) {
    Json json = test::ValidDescriptor();
    ASSERT_EQ(json.count(field.name), 1u) << field.name;
    json.erase(std::string{field.name});
    const Result<Descriptor> parsed = Parse(json);
    EXPECT_EQ(parsed.HasValue(), !field.required) << field.name;
    if (!parsed) {
      EXPECT_NE(parsed.Failure().cause.find("'" + std::string{field.name} + "'"), std::string::npos);
    }
  }
}

TEST(Descriptor, RefusesWrongTypesOfEveryKey) {
  for (const DescriptorField& field : DescriptorFields()) {
    for (const Json& wrong : {Json(nullptr), Json(-1), Json(1.5), Json::array({Json::object()})}) {
      const std::string cause = Refusal([&](Json& j) { j[std::string{field.name}] = wrong; });
      EXPECT_TRUE(Begins(cause, "/" + std::string{field.name})) << cause;
    }
  }
}

TEST(Descriptor, RefusesBadValuesAtTheirPlace) {
  struct Case {
    std::function<void(Json&)> change;
    const char* start;
  };
  const std::vector<Case> cases{
      {[](Json& j) { j["schema"] = 2; }, "/schema is 2"},
      {[](Json& j) { j["id"] = "Grid"; }, "/id is no plugin id"},
      {[](Json& j) { j["id"] = "com.example." + std::string(60, 'a'); }, "/id is no plugin id"},
      {[](Json& j) { j["name"] = ""; }, "/name is empty"},
      {[](Json& j) { j["name"] = std::string("a\0b", 3); }, "/name has a zero byte"},
      {[](Json& j) { j["description"] = std::string(5000, 'a'); }, "/description is longer"},
      {[](Json& j) { j["version"] = "1.2"; }, "/version is no version"},
      {[](Json& j) { j["kind"] = "renderer"; }, "/kind is none of"},
      {[](Json& j) { j["provides"] = Json::array(); }, "/provides lacks muster.spatial_index/0"},
      {[](Json& j) { j["provides"] = {"muster.transport/0"}; }, "/provides lacks muster.spatial_index/0"},
      {[](Json& j) { j["provides"].push_back("muster.spatial_index/0"); }, "/provides/1 stands twice"},
      {[](Json& j) { j["provides"].push_back("muster.spatial_index"); }, "/provides/1 is no interface id"},
      {[](Json& j) { j["provides"].push_back("muster.spatial_index/0x"); }, "/provides/1 is no interface id"},
      {[](Json& j) { j["engine"]["min_api_level"] = 3; }, "/engine has a min_api_level above"},
      {[](Json& j) { j["engine"]["min_api_level"] = 4294967296; }, "/engine/min_api_level is not a whole number"},
      {[](Json& j) { j["engine"].erase("min_api_level"); }, "/engine lacks the key 'min_api_level'"},
      {[](Json& j) { j["depends"]["required"][0]["version"] = "new"; }, "/depends/required/0/version is no range"},
      {[](Json& j) { j["depends"]["required"][0].erase("version"); }, "/depends/required/0 lacks the key"},
      {[](Json& j) { j["depends"]["required"][0]["id"] = "com.example.grid"; }, "/depends names the plugin itself"},
      {[](Json& j) { j["depends"]["after"][0] = "com.example.grid"; }, "/depends names the plugin itself"},
      {[](Json& j) { j["depends"]["after"][0] = "../x"; }, "/depends/after/0 is no plugin id"},
      {[](Json& j) { j["side"] = "left"; }, "/side is none of"},
      {[](Json& j) { j["hot_reload"] = "yes"; }, "/hot_reload is none of"},
      {[](Json& j) { j["libraries"]["linux.x86_64"]["sha256"] = "abc"; }, "/libraries/linux.x86_64/sha256 is not 64"},
      {[](Json& j) { j["libraries"]["linux.x86_64"]["path"] = ""; }, "/libraries/linux.x86_64/path is empty"},
      {[](Json& j) { j["libraries"]["linux.x86_64"].erase("sha256"); }, "/libraries/linux.x86_64 lacks the key"},
      {[](Json& j) { j["authors"] = Json::array({""}); }, "/authors/0 is empty"},
      {[](Json& j) { j["tags"] = Json(std::vector<std::string>(65, "a")); }, "/tags has more than 64 entries"},
  };
  for (const Case& expected : cases) {
    const std::string cause = Refusal(expected.change);
    EXPECT_TRUE(Begins(cause, expected.start)) << cause << "\nexpected: " << expected.start;
  }
}

TEST(Descriptor, RefusesWhatIsNoObject) {
  for (const char* text : {"[]", "1", "\"a\"", "null"}) {
    const Result<Descriptor> parsed = ParseDescriptor(text, "x");
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.Failure().code, kDescriptorInvalid) << text;
  }
}

TEST(Descriptor, NamesLineAndColumnOfBrokenJson) {
  const Result<Descriptor> parsed = ParseDescriptor("{\n  \"id\": \"a\",\n  oops\n}", "x/plugin.json");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.Failure().code, kDescriptorNotJson);
  EXPECT_NE(parsed.Failure().sentence.find("x/plugin.json"), std::string::npos);
  EXPECT_NE(parsed.Failure().cause.find("line 3, column 3"), std::string::npos) << parsed.Failure().cause;
}

TEST(Descriptor, RefusesAKeyThatStandsTwice) {
  const std::string once = test::ValidDescriptor().dump();
  const Result<Descriptor> parsed = ParseDescriptor("{\"id\":\"com.example.evil\"," + once.substr(1), "x");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.Failure().code, kDescriptorInvalid);
  EXPECT_NE(parsed.Failure().cause.find("'id' twice"), std::string::npos) << parsed.Failure().cause;
}

TEST(Descriptor, RefusesSizeAndDepthBeforeParsing) {
  Result<Descriptor> parsed = ParseDescriptor(std::string(kMaxDescriptorBytes + 1, ' '), "x");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.Failure().cause.find("larger than"), std::string::npos);
  parsed = ParseDescriptor(std::string(30000, '['), "x");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.Failure().cause.find("nested deeper"), std::string::npos);
  // Brackets in text are no nesting.
  Json json = test::ValidDescriptor();
  json["description"] = std::string(100, '[') + "\"\\" + std::string(100, '{');
  EXPECT_TRUE(Parse(json));
}

TEST(Descriptor, RefusesReservedIds) {
  for (const char* id : {"muster.builtin.linear", "builtin.x", "muster.host.log", "muster.core"}) {
    Json json = test::ValidDescriptor();
    json["id"] = id;
    const Result<Descriptor> parsed = Parse(json);
    ASSERT_FALSE(parsed) << id;
    EXPECT_EQ(parsed.Failure().code, kReservedName) << id;
  }
  EXPECT_FALSE(IsReservedId("muster.hosting.grid"));
  EXPECT_FALSE(IsReservedId("muster.spatial.grid"));
}

TEST(Descriptor, KnowsPluginIds) {
  for (const char* id : {"a.b", "com.example.grid", "muster.spatial.grid", "a1.b-c_d"}) {
    EXPECT_TRUE(IsPluginId(id)) << id;
  }
  for (const char* id : {"", "a", ".a", "a.", "a..b", "A.b", "a.B", "a.1b", "1a.b", "a.-b", "a/b.c", "a.b c", "a.b\n",
                         "../a.b", "a.b/../c"}) {
    EXPECT_FALSE(IsPluginId(id)) << id;
  }
}

TEST(Descriptor, SurvivesDamagedText) {
  const std::string text = test::ValidDescriptor().dump(2);
  std::mt19937 random{7};
  int refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = text;
    for (int i = 0; i < 3; ++i) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    damaged.resize(round % 3 == 0 ? random() % damaged.size() : damaged.size());
    const Result<Descriptor> parsed = ParseDescriptor(damaged, "x");
    refused += parsed ? 0 : 1;
  }
  EXPECT_GT(refused, 4000);
}

}  // namespace
}  // namespace muster::plugins
