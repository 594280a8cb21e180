// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginApi/AiController.h"
#include "Simulation/Archetypes.h"

#include "Core/Files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace muster::simulation {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSmallest = R"(id = "test:thing"
class = "ground"
[motion]
model = "stationary"
)";

std::string ErrorOf(std::string_view toml) {
  const Result<Archetype> parsed = ArchetypeSet::Parse(toml, "thing.toml");
  EXPECT_FALSE(parsed.HasValue());
  return parsed ? "" : parsed.Failure().ToString();
}

TEST(Archetypes, TheContentThatShipsIsSound) {
  const auto set = ArchetypeSet::LoadDirectory(MUSTER_TEST_SOURCE_DIR "/Content/Archetypes");
  ASSERT_TRUE(set.HasValue()) << set.Failure().ToString();
  for (const char* id : {"builtin:trainer", "builtin:interceptor", "builtin:transport", "builtin:debug-entity"}) {
    const auto found = set->Find(id);
    ASSERT_TRUE(found.HasValue()) << id;
    EXPECT_EQ(set->Get(*found).entityClass, MU_CLASS_AIRCRAFT);
    EXPECT_EQ(set->Get(*found).motion, MotionModel::FixedWing);
    EXPECT_GT(set->Get(*found).cruiseSpeedMps, 50.0F);
  }
}

TEST(Archetypes, VehiclesAndProjectilesShipToo) {
  const auto set = ArchetypeSet::LoadDirectory(MUSTER_TEST_SOURCE_DIR "/Content/Archetypes");
  ASSERT_TRUE(set.HasValue()) << set.Failure().ToString();
  for (const char* id : {"builtin:truck", "builtin:rover"}) {
    const Archetype& vehicle = set->Get(*set->Find(id));
    EXPECT_EQ(vehicle.entityClass, MU_CLASS_GROUND) << id;
    EXPECT_EQ(vehicle.motion, MotionModel::Ground) << id;
    EXPECT_EQ(vehicle.MassKg(), vehicle.ground.massKg) << id;
  }
  const Archetype& shell = set->Get(*set->Find("builtin:shell"));
  EXPECT_EQ(shell.entityClass, MU_CLASS_PROJECTILE);
  EXPECT_EQ(shell.motion, MotionModel::Ballistic);
  EXPECT_EQ(shell.hitDamage, 0.25F);
}

TEST(Archetypes, IdsFollowTheOrderOfFileNames) {
  const auto set = ArchetypeSet::LoadDirectory(MUSTER_TEST_SOURCE_DIR "/Content/Archetypes");
  ASSERT_TRUE(set.HasValue());
  EXPECT_EQ(set->Find("builtin:debug-entity")->Value(), 1U);
  EXPECT_EQ(set->Find("builtin:interceptor")->Value(), 2U);
}

TEST(Archetypes, ReadsWhatIsWrittenAndKeepsDefaults) {
  const auto parsed = ArchetypeSet::Parse(R"(id = "test:craft"
class = "aircraft"
radius_m = 3
toughness = 2.5
[spawn]
cruise_speed_mps = 120
[motion]
model = "fixed_wing"
mass_kg = 5000
)",
                                          "craft.toml");
  ASSERT_TRUE(parsed.HasValue()) << parsed.Failure().ToString();
  EXPECT_EQ(parsed->name, "test:craft");
  EXPECT_EQ(parsed->radiusMeters, 3.0F);
  EXPECT_EQ(parsed->toughness, 2.5F);
  EXPECT_EQ(parsed->cruiseSpeedMps, 120.0F);
  EXPECT_EQ(parsed->flight.massKg, 5'000.0F);
  EXPECT_EQ(parsed->flight.wingAreaM2, motion::FlightParams{}.wingAreaM2);
}

TEST(Archetypes, ErrorsNameFileAndLine) {
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"boat\"\n[motion]\nmodel = \"stationary\"\n"),
              HasSubstr("thing.toml:2"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \n"), HasSubstr("thing.toml:2"));
  EXPECT_THAT(ErrorOf(std::string{kSmallest} + "wing = 3\n"), HasSubstr("thing.toml:5"));
  EXPECT_THAT(ErrorOf(std::string{kSmallest} + "wing = 3\n"), HasSubstr("'wing'"));
  const std::string vehicle = "id = \"test:x\"\nclass = \"ground\"\n[motion]\nmodel = \"ground\"\n";
  EXPECT_THAT(ErrorOf(vehicle + "mass_kg = \"heavy\"\n"), HasSubstr("thing.toml:5"));
  EXPECT_THAT(ErrorOf(vehicle + "mass_kg = -3\n"), HasSubstr("must be a number from"));
  EXPECT_THAT(ErrorOf(vehicle + "span_m = 9\n"), HasSubstr("'span_m' is no key")) << "a wing's key on a vehicle";
  EXPECT_THAT(ErrorOf(vehicle + "span_m = 9\n"), HasSubstr("wheelbase_m"));
}

TEST(Archetypes, RefusesWhatIsMissingOrUnsound) {
  EXPECT_TRUE(ArchetypeSet::Parse(kSmallest, "thing.toml").HasValue());
  EXPECT_THAT(ErrorOf("class = \"ground\"\n[motion]\nmodel = \"stationary\"\n"), HasSubstr("id is missing"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\n[motion]\nmodel = \"stationary\"\n"), HasSubstr("class is missing"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"ground\"\n"), HasSubstr("[motion] is missing"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"ground\"\n[motion]\nmodel = \"jelly\"\n"), HasSubstr("fixed_wing"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"aircraft\"\n[motion]\nmodel = \"fixed_wing\"\nsafe_sink_mps = 20\n"),
              HasSubstr("fatal sink"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"ground\"\n[motion]\nmodel = \"ground\"\nyaw_inertia_kgm2 = 10\n"),
              HasSubstr("yaw inertia"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"ground\"\n[motion]\nmodel = \"ground\"\nmax_reverse_mps = 60\n"),
              HasSubstr("backward"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"projectile\"\n[spawn]\ncruise_speed_mps = 900\n[motion]\nmodel = "
                      "\"ballistic\"\nmax_speed_mps = 800\n"),
              HasSubstr("cruise speed"));
  EXPECT_THAT(ErrorOf("id = \"test:x\"\nclass = \"aircraft\"\n[spawn]\ncruise_speed_mps = 900\n[motion]\nmodel = "
                      "\"fixed_wing\"\n"),
              HasSubstr("cruise speed"));
}

TEST(Archetypes, TwoFilesWithOneIdAreRefused) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.HasValue());
  ASSERT_TRUE(WriteFileAtomically(folder->Path() / "a.toml", kSmallest).HasValue());
  ASSERT_TRUE(WriteFileAtomically(folder->Path() / "b.toml", kSmallest).HasValue());
  const auto set = ArchetypeSet::LoadDirectory(folder->Path());
  ASSERT_FALSE(set.HasValue());
  EXPECT_THAT(set.Failure().ToString(), HasSubstr("b.toml"));
  EXPECT_THAT(set.Failure().ToString(), HasSubstr("test:thing"));
}

TEST(Archetypes, AFolderWithoutArchetypesIsAnError) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.HasValue());
  EXPECT_EQ(ArchetypeSet::LoadDirectory(folder->Path()).Failure().code, kArchetypeInvalid);
  EXPECT_EQ(ArchetypeSet::LoadDirectory(folder->Path() / "nowhere").Failure().code, kArchetypeInvalid);
}

TEST(Archetypes, AnUnknownIdListsTheKnownOnes) {
  const auto set = ArchetypeSet::LoadDirectory(MUSTER_TEST_SOURCE_DIR "/Content/Archetypes");
  const auto missing = set->Find("builtin:zeppelin");
  ASSERT_FALSE(missing.HasValue());
  EXPECT_EQ(missing.Failure().code, kArchetypeUnknown);
  EXPECT_THAT(missing.Failure().ToString(), HasSubstr("builtin:trainer"));
}

}  // namespace
}  // namespace muster::simulation
