// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Loading, swapping and unloading good plugins.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "PluginApi/Note.h"
#include "PluginFolders.h"
#include "PluginHost/CallGuard.h"
#include "PluginHost/Errors.h"

namespace muster::plugins::test {
namespace {

using SpatialProvider = Provider<mu_spatial_index_v0>;

class PluginSwap : public HotReloadTest {
 protected:
  [[nodiscard]] static SpatialProvider Spatial(PluginHost& host) {
    Result<SpatialProvider> provider = host.Catalog().Find<mu_spatial_index_v0>(kSpatialId);
    EXPECT_TRUE(provider) << provider.Failure().ToString();
    return std::move(provider).Value();
  }

  /// An index of the slot's provider.
  [[nodiscard]] static mu_spatial_index* Create(const Slot<mu_spatial_index_v0>& slot) {
    const mu_spatial_params params{sizeof(mu_spatial_params), 64, 0.0F, 0};
    mu_spatial_index* index = nullptr;
    EXPECT_EQ(slot->create(&params, &index), MU_OK);
    return index;
  }

  /// Which version answers, by a call through the slot: 10000 * major + 100 * minor + patch.
  [[nodiscard]] static std::uint32_t Answer(const Slot<mu_spatial_index_v0>& slot, const mu_spatial_index* index) {
    mu_spatial_stats stats{};
    stats.struct_size = sizeof(stats);
    slot->stats(index, &stats);
    return stats.cells;
  }

  [[nodiscard]] static bool IsMapped(std::string_view part) {
    std::ifstream maps{"/proc/self/maps"};
    for (std::string line; std::getline(maps, line);) {
      if (line.find(part) != std::string::npos) {
        return true;
      }
    }
    return false;
  }
};

TEST_F(PluginSwap, LoadsFromAPrivateCopyAndAnswersWithItsVersion) {
  Install("SpatialV1");
  const auto host = MakeHost();
  const Result<void> loaded = host->LoadAll();
  ASSERT_TRUE(loaded) << loaded.Failure().ToString();

  ASSERT_EQ(host->Generations().size(), 1u);
  const auto generation = host->Generations().front();
  EXPECT_EQ(generation->Id(), kSpatialId);
  EXPECT_EQ(generation->Number(), 1u);
  EXPECT_EQ(generation->Identity().version, "1.0.0");
  EXPECT_FALSE(generation->Identity().build.empty());
  EXPECT_TRUE(IsMapped(generation->ShadowPath().string()));
  EXPECT_FALSE(IsMapped(Root().string())) << "the installed file itself must not be mapped";
  struct stat status {};
  ASSERT_EQ(::stat(generation->ShadowPath().parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
}

TEST_F(PluginSwap, RunsTheNewCodeAfterTheExchangeAndUnmapsTheOld) {
  Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  Slot<mu_spatial_index_v0> slot{Spatial(*host)};
  mu_spatial_index* index = Create(slot);
  EXPECT_EQ(Answer(slot, index), 10000u);

  Install("SpatialV2");
  auto replacement = host->LoadReplacement(kSpatialId);
  ASSERT_TRUE(replacement) << replacement.Failure().ToString();
  EXPECT_EQ((*replacement)->Number(), 2u);
  EXPECT_EQ(Answer(slot, index), 10000u) << "nothing changes before the exchange";

  SpatialProvider next = Spatial(*host);
  EXPECT_EQ(next.generation, *replacement) << "the newest generation is what the catalog gives";
  SpatialProvider old = slot.Exchange(std::move(next));
  old.table->destroy(index);
  index = Create(slot);
  EXPECT_EQ(Answer(slot, index), 10100u);
  EXPECT_EQ(slot.Current().VersionText(), "1.1.0");

  const std::string oldImage = old.generation->ShadowPath().string();
  EXPECT_TRUE(IsMapped(oldImage));
  const Result<void> retired = host->Retire(std::move(old.generation));
  ASSERT_TRUE(retired) << retired.Failure().ToString();
  EXPECT_FALSE(IsMapped(oldImage));
  EXPECT_FALSE(std::filesystem::exists(oldImage));
  EXPECT_EQ(Answer(slot, index), 10100u);
  slot->destroy(index);
}

TEST_F(PluginSwap, GoesBackToTheOldGenerationWhileItIsKept) {
  Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  Slot<mu_spatial_index_v0> slot{Spatial(*host)};
  Install("SpatialV2");
  auto replacement = host->LoadReplacement(kSpatialId);
  ASSERT_TRUE(replacement);
  SpatialProvider old = slot.Exchange(*ProviderCatalog::Of<mu_spatial_index_v0>(*replacement));
  SpatialProvider failed = slot.Exchange(std::move(old));
  *replacement = nullptr;
  ASSERT_TRUE(host->Retire(std::move(failed.generation)));

  mu_spatial_index* index = Create(slot);
  EXPECT_EQ(Answer(slot, index), 10000u);
  slot->destroy(index);
  EXPECT_EQ(Spatial(*host).Number(), 1u) << "the catalog gives the one that is left";
}

TEST_F(PluginSwap, SurvivesTwoHundredSwapsWithOneImageLeft) {
  Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  Slot<mu_spatial_index_v0> slot{Spatial(*host)};
  for (int i = 0; i < 200; ++i) {
    Install(i % 2 == 0 ? "SpatialV2" : "SpatialV1");
    ASSERT_TRUE(host->LoadReplacement(kSpatialId));
    SpatialProvider old = slot.Exchange(Spatial(*host));
    ASSERT_TRUE(host->Retire(std::move(old.generation)));
    mu_spatial_index* index = Create(slot);
    ASSERT_EQ(Answer(slot, index), i % 2 == 0 ? 10100u : 10000u);
    slot->destroy(index);
  }
  EXPECT_EQ(host->Generations().size(), 1u);
  const std::filesystem::path folder = slot.Current().generation->ShadowPath().parent_path();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{folder}, std::filesystem::directory_iterator{}), 1);
}

TEST_F(PluginSwap, IsNotDisturbedByAnOverwriteOfTheInstalledFile) {
  const auto folder = Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  Slot<mu_spatial_index_v0> slot{Spatial(*host)};
  mu_spatial_index* index = Create(slot);
  std::filesystem::resize_file(folder / "libHotReloadSpatialV1.so", 0);
  EXPECT_EQ(Answer(slot, index), 10000u);
  slot->destroy(index);
}

TEST_F(PluginSwap, KeepsTheOldWhenTheNewDoesNotLoad) {
  Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  const auto folder = Install("SpatialV2");
  Edit(folder,
       [](nlohmann::json& json) { json["libraries"][std::string{kPlatformTag}]["sha256"] = std::string(64, '0'); });
  const auto replacement = host->LoadReplacement(kSpatialId);
  ASSERT_FALSE(replacement);
  EXPECT_EQ(replacement.Failure().code, kHashMismatch) << replacement.Failure().ToString();
  EXPECT_EQ(host->Generations().size(), 1u);
  EXPECT_EQ(Spatial(*host).Number(), 1u);
  EXPECT_FALSE(host->Report().HasFailures()) << "the running generation is still in order";
}

TEST_F(PluginSwap, LoadsAReplacementFromAnotherFolder) {
  Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  const auto replacement = host->LoadReplacement(Built("SpatialV2").string());
  ASSERT_TRUE(replacement) << replacement.Failure().ToString();
  EXPECT_EQ((*replacement)->Identity().version, "1.1.0");
}

TEST_F(PluginSwap, RefusesAReplacementThatItsDependentsCannotFollow) {
  Install("SpatialV1");
  const auto dependent = Install("PlainC", "Controller");
  Edit(dependent, [](nlohmann::json& json) {
    json["depends"]["required"] = {{{"id", kSpatialId}, {"version", "<1.1.0"}}};
  });
  const auto host = MakeHost();
  const Result<void> loaded = host->LoadAll();
  ASSERT_TRUE(loaded) << loaded.Failure().ToString();
  Install("SpatialV2");
  const auto replacement = host->LoadReplacement(kSpatialId);
  ASSERT_FALSE(replacement);
  EXPECT_EQ(replacement.Failure().code, kVersionOutOfRange);
  EXPECT_EQ(host->Generations().size(), 2u);
}

TEST_F(PluginSwap, RefusesToReplaceWhatSaysThatItStays) {
  const auto folder = Install("SpatialV1");
  Edit(folder, [](nlohmann::json& json) { json["hot_reload"] = "none"; });
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  const auto replacement = host->LoadReplacement(kSpatialId);
  ASSERT_FALSE(replacement);
  EXPECT_EQ(replacement.Failure().code, kNotReloadable);
}

TEST_F(PluginSwap, RefusesToReplaceWhatIsNotThere) {
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  EXPECT_EQ(host->LoadReplacement("com.example.nowhere").Failure().code, kPluginNotFound);
  EXPECT_EQ(host->LoadReplacement((Root() / "nowhere").string()).Failure().code, kPluginNotFound);
  EXPECT_EQ(host->Load("com.example.nowhere").Failure().code, kPluginNotFound);
}

TEST_F(PluginSwap, RefusesToRetireWhatASlotStillUses) {
  Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  const Slot<mu_spatial_index_v0> slot{Spatial(*host)};
  const Result<void> retired = host->Retire(host->Generations().front());
  ASSERT_FALSE(retired);
  EXPECT_EQ(retired.Failure().code, kStillReferenced);
  mu_spatial_index* index = Create(slot);
  EXPECT_EQ(Answer(slot, index), 10000u);
  slot->destroy(index);
}

TEST_F(PluginSwap, ReportsAnImageThatStaysMapped) {
  Install("Pinned");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  EXPECT_TRUE(m_sink.Contains("MU1209"));
  auto provider = host->Catalog().Find<mu_spatial_index_v0>("com.example.pinned");
  ASSERT_TRUE(provider);
  {
    const Slot<mu_spatial_index_v0> slot{*provider};
    mu_spatial_index* index = Create(slot);
    const mu_spatial_view view{};
    ASSERT_EQ(slot->rebuild(index, &view), MU_OK);
    slot->destroy(index);
  }
  auto generation = provider->generation;
  *provider = {};
  const Result<void> retired = host->Retire(std::move(generation));
  ASSERT_FALSE(retired);
  EXPECT_EQ(retired.Failure().code, kImageStillMapped) << retired.Failure().ToString();
  EXPECT_TRUE(host->Generations().empty());
}

TEST_F(PluginSwap, RunsAPluginInPlainC) {
  Install("PlainC");
  {
    const auto host = MakeHost();
    const Result<void> loaded = host->LoadAll();
    ASSERT_TRUE(loaded) << loaded.Failure().ToString();
    EXPECT_TRUE(m_sink.Contains("hello from C"));
    const auto provider = host->Catalog().Find<mu_ai_controller_v0>("com.example.plainc");
    ASSERT_TRUE(provider);
    EXPECT_EQ(provider->generation->Identity().build, "plain C");
    mu_ai_provider* controllers = nullptr;
    ASSERT_EQ(provider->table->create(&controllers), MU_OK);
    mu_control control{};
    mu_think_batch batch{};
    batch.count = 1;
    batch.controls = &control;
    EXPECT_EQ(provider->table->think(controllers, &batch), MU_OK);
    EXPECT_EQ(control.throttle, 1.0F);
    provider->table->destroy(controllers);
  }
  EXPECT_TRUE(m_sink.Contains("goodbye from C")) << "deinit runs when the host ends";
}

TEST_F(PluginSwap, TurnsExceptionsIntoStatusesWithTheirSentence) {
  Install("Throwing");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  const auto provider = host->Catalog().Find<mu_spatial_index_v0>("com.example.throwing");
  ASSERT_TRUE(provider);
  const auto rebuild = [&provider](float cellSize, CallGuard& guard) {
    const mu_spatial_params params{sizeof(mu_spatial_params), 64, cellSize, 0};
    mu_spatial_index* index = nullptr;
    const mu_status created = guard.Call("create", [&] { return provider->table->create(&params, &index); });
    if (created != MU_OK) {
      EXPECT_EQ(index, nullptr);
      return created;
    }
    const mu_spatial_view view{};
    const mu_status status = guard.Call("rebuild", [&] { return provider->table->rebuild(index, &view); });
    provider->table->destroy(index);
    return status;
  };
  struct Case {
    float cellSize;
    mu_status status;
    const char* sentence;
  };
  for (const Case& expected :
       {Case{-1.0F, MU_E_EXCEPTION, "the cells are too small"}, Case{0.0F, MU_E_EXCEPTION, "the index broke"},
        Case{1.0F, MU_E_OUT_OF_MEMORY, "out of memory"}, Case{2.0F, MU_E_STATE, "chosen by the plugin"},
        Case{3.0F, MU_E_EXCEPTION, "an exception that is no std::exception"}}) {
    CallGuard guard{"com.example.throwing 1.0.0"};
    EXPECT_EQ(rebuild(expected.cellSize, guard), expected.status);
    EXPECT_TRUE(guard.IsTripped());
    EXPECT_NE(guard.FirstFailure().cause.find(expected.sentence), std::string::npos) << guard.FirstFailure().ToString();
  }
}

TEST_F(PluginSwap, LoadsOnePluginWithWhatItRequires) {
  Install("SpatialV1");
  Install("Throwing", "Unrelated");
  const auto dependent = Install("PlainC", "Controller");
  Edit(dependent, [](nlohmann::json& json) { json["depends"]["required"] = {{{"id", kSpatialId}, {"version", "*"}}}; });
  const auto host = MakeHost();
  const auto loaded = host->Load("com.example.plainc");
  ASSERT_TRUE(loaded) << loaded.Failure().ToString();
  ASSERT_EQ(host->Generations().size(), 2u);
  EXPECT_EQ(host->Generations()[0]->Id(), kSpatialId);
  EXPECT_EQ(host->Generations()[1]->Id(), "com.example.plainc");
  EXPECT_EQ(*host->Load("com.example.plainc"), *loaded) << "a second call gives what is loaded";
}

TEST_F(PluginSwap, StampsTheLockWithWhatReallyRuns) {
  Install("SpatialV1");
  const auto host = MakeHost();
  ASSERT_TRUE(host->LoadAll());
  ASSERT_EQ(host->Lock().Entries().size(), 1u);
  EXPECT_EQ(host->Lock().Entries().front().librarySha256, host->Generations().front()->ContentHash());
  const PluginLock before = host->Lock();
  Install("SpatialV2");
  ASSERT_TRUE(host->LoadReplacement(kSpatialId));
  EXPECT_EQ(DescribeDifferences(before, host->Lock()),
            std::vector<std::string>{"com.example.spatial is 1.0.0 here and 1.1.0 there."});
}

TEST_F(PluginSwap, RemovesTheCopiesOfProcessesThatAreGone) {
  // A number above the kernel's largest process id names nobody.
  const auto orphan = Cache() / "muster-plugins-999999999-abcdef";
  const auto alive = Cache() / ("muster-plugins-" + std::to_string(::getppid()) + "-abcdef");
  const auto foreign = Cache() / "somebody-elses";
  for (const auto& folder : {orphan, alive, foreign}) {
    std::filesystem::create_directories(folder);
    std::ofstream{folder / "file"} << "x";
  }
  std::filesystem::path own;
  {
    const auto host = MakeHost();
    EXPECT_FALSE(std::filesystem::exists(orphan));
    EXPECT_TRUE(std::filesystem::exists(alive));
    EXPECT_TRUE(std::filesystem::exists(foreign));
    Install("SpatialV1");
    ASSERT_TRUE(host->LoadAll());
    own = host->Generations().front()->ShadowPath().parent_path();
    EXPECT_EQ(own.parent_path(), std::filesystem::canonical(Cache()));
    EXPECT_TRUE(std::filesystem::exists(own));
  }
  EXPECT_FALSE(std::filesystem::exists(own)) << "and its own at the end";
}

}  // namespace
}  // namespace muster::plugins::test
