// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/ProviderCatalog.h"

#include <gtest/gtest.h>

#include "PluginHost/Errors.h"
#include "PluginHost/Slot.h"
#include "Support/AssertionExpectation.h"

namespace muster::plugins {
namespace {

TEST(ProviderCatalog, GivesBuiltInsByNameAndInterface) {
  const mu_spatial_index_v0 linear{};
  const mu_ai_controller_v0 hold{};
  ProviderCatalog catalog;
  catalog.RegisterBuiltIn("builtin.linear", &linear);
  catalog.RegisterBuiltIn("builtin.hold", &hold);
  const auto provider = catalog.Find<mu_spatial_index_v0>("builtin.linear");
  ASSERT_TRUE(provider);
  EXPECT_EQ(provider->table, &linear);
  EXPECT_TRUE(provider->IsBuiltIn());
  EXPECT_EQ(provider->Number(), 0u);
  EXPECT_EQ(provider->VersionText(), "built in");
  EXPECT_EQ(catalog.All<mu_ai_controller_v0>().size(), 1u);
}

TEST(ProviderCatalog, SaysWhoElseProvidesIt) {
  const mu_spatial_index_v0 table{};
  ProviderCatalog catalog;
  catalog.RegisterBuiltIn("builtin.b", &table);
  catalog.RegisterBuiltIn("builtin.a", &table);
  const auto missing = catalog.Find<mu_spatial_index_v0>("x.grid");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.Failure().code, kNoProvider);
  EXPECT_NE(missing.Failure().sentence.find("x.grid"), std::string::npos);
  EXPECT_NE(missing.Failure().cause.find("builtin.a, builtin.b"), std::string::npos) << missing.Failure().cause;
  EXPECT_FALSE(catalog.Find<mu_transport_v0>("builtin.a")) << "a name counts within its interface";
}

TEST(ProviderCatalog, BuiltInNamesCannotBeTakenForPlugins) {
  const mu_spatial_index_v0 table{};
  ProviderCatalog catalog;
  EXPECT_ASSERTION(catalog.RegisterBuiltIn("linear", &table), "start with builtin.");
}

TEST(Slot, ExchangeGivesBackWhatWasThere) {
  const mu_spatial_index_v0 first{};
  const mu_spatial_index_v0 second{};
  Slot<mu_spatial_index_v0> slot{Provider<mu_spatial_index_v0>{"first", &first}};
  EXPECT_EQ(slot.operator->(), &first);
  const Provider<mu_spatial_index_v0> old = slot.Exchange(Provider<mu_spatial_index_v0>{"second", &second});
  EXPECT_EQ(old.table, &first);
  EXPECT_EQ(old.name, "first");
  EXPECT_EQ(slot.operator->(), &second);
  EXPECT_EQ(slot.Current().name, "second");
  EXPECT_ASSERTION((void)slot.Exchange({}), "always has a table");
}

}  // namespace
}  // namespace muster::plugins
