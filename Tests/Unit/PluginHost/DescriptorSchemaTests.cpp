// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The published schema says what the parser does.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "Descriptors.h"
#include "PluginHost/Descriptor.h"

namespace muster::plugins {
namespace {

using Json = nlohmann::json;

[[nodiscard]] Json Schema() {
  std::ifstream file{std::string{MUSTER_TEST_SOURCE_DIR} + "/Engine/Runtime/PluginApi/plugin.schema.json"};
  return Json::parse(file);
}

[[nodiscard]] std::set<std::string> KeysOf(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) {
    keys.insert(key);
  }
  return keys;
}

TEST(DescriptorSchema, HasTheParsersKeys) {
  std::set<std::string> known;
  std::set<std::string> required;
  for (const DescriptorField& field : DescriptorFields()) {
    known.emplace(field.name);
    if (field.required) {
      required.emplace(field.name);
    }
  }
  EXPECT_EQ(KeysOf(Schema()["properties"]), known);
  EXPECT_EQ(Schema()["required"].get<std::set<std::string>>(), required);
  EXPECT_EQ(Schema()["additionalProperties"], false);
  EXPECT_EQ(Schema()["properties"]["schema"]["const"], kDescriptorSchema);
}

TEST(DescriptorSchema, HasTheParsersWords) {
  const Json properties = Schema()["properties"];
  for (const std::string& word : properties["kind"]["enum"].get<std::vector<std::string>>()) {
    const auto kind = PluginKindFrom(word);
    ASSERT_TRUE(kind) << word;
    EXPECT_EQ(ToString(*kind), word);
  }
  EXPECT_EQ(properties["kind"]["enum"].size(), 4u);
  for (const std::string& word : properties["side"]["enum"].get<std::vector<std::string>>()) {
    EXPECT_TRUE(SideFrom(word)) << word;
  }
  EXPECT_EQ(properties["side"]["enum"].size(), 3u);
  for (const std::string& word : properties["hot_reload"]["enum"].get<std::vector<std::string>>()) {
    EXPECT_TRUE(HotReloadFrom(word)) << word;
  }
  EXPECT_EQ(properties["hot_reload"]["enum"].size(), 4u);
}

/// Adds each key that the schema lists for an object below the valid descriptor's, one too many, and takes each
/// required one away: the parser must agree with the schema each time.
TEST(DescriptorSchema, AgreesAboutInnerObjects) {
  const Json schema = Schema();
  struct Inner {
    Json::json_pointer place;
    Json definition;
  };
  const std::vector<Inner> inners{
      {Json::json_pointer{"/engine"}, schema["properties"]["engine"]},
      {Json::json_pointer{"/depends"}, schema["properties"]["depends"]},
      {Json::json_pointer{"/depends/required/0"}, schema["$defs"]["references"]["items"]},
      {Json::json_pointer{"/libraries/linux.x86_64"}, schema["properties"]["libraries"]["additionalProperties"]},
  };
  for (const Inner& inner : inners) {
    const Json valid = test::ValidDescriptor();
    EXPECT_EQ(KeysOf(valid[inner.place]), KeysOf(inner.definition["properties"])) << inner.place.to_string();
    const auto required = inner.definition.value("required", std::set<std::string>{});
    for (const std::string& key : KeysOf(valid[inner.place])) {
      Json without = valid;
      without[inner.place].erase(key);
      EXPECT_EQ(ParseDescriptor(without.dump(), "x").HasValue(), required.count(key) == 0)
          << inner.place.to_string() << " " << key;
    }
  }
}

TEST(DescriptorSchema, HasTheParsersLimits) {
  const Json definitions = Schema()["$defs"];
  EXPECT_EQ(definitions["pluginId"]["maxLength"], kMaxIdCharacters);
  const auto withName = [](std::size_t length) {
    Json json = test::ValidDescriptor();
    json["name"] = std::string(length, 'a');
    return ParseDescriptor(json.dump(), "x").HasValue();
  };
  const auto limit = definitions["nonEmptyText"]["maxLength"].get<std::size_t>();
  EXPECT_TRUE(withName(limit));
  EXPECT_FALSE(withName(limit + 1));
  const auto withTags = [](std::size_t count) {
    Json json = test::ValidDescriptor();
    json["tags"] = std::vector<std::string>(count, "a");
    return ParseDescriptor(json.dump(), "x").HasValue();
  };
  const auto entries = definitions["texts"]["maxItems"].get<std::size_t>();
  EXPECT_TRUE(withTags(entries));
  EXPECT_FALSE(withTags(entries + 1));
}

}  // namespace
}  // namespace muster::plugins
