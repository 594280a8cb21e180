// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginPin.h"
#include "VirtualWorld.h"

#include "Core/Bytes.h"
#include "Core/Files.h"
#include "PluginHost/Errors.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace muster::tests {
namespace {

class PluginPinTest : public testing::Test {
 protected:
  PluginPinTest()
      : folder(std::move(*TemporaryDirectory::Create("muster-pin"))), file(folder.Path() / "plugins.lock") {}

  TemporaryDirectory folder;
  std::filesystem::path file;
};

TEST_F(PluginPinTest, FirstStartWritesAndTheNextIsHeldToIt) {
  server::ServerConfig config;
  config.world.simWorkerThreads = 1;
  config.plugins.lockFile = file.string();
  { const VirtualWorld first{config}; }
  const auto written = ReadTextFile(file, 1 << 20);
  ASSERT_TRUE(written);
  EXPECT_NE(written->find("muster.spatial.grid"), std::string::npos);
  EXPECT_NO_THROW(VirtualWorld{config});

  config.plugins.disabled = {"muster.codec.raw"};
  try {
    const VirtualWorld other{config};
    FAIL() << "a missing plugin was not noticed";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string{error.what()}.find("LockMismatch"), std::string::npos) << error.what();
    EXPECT_NE(std::string{error.what()}.find("muster.codec.raw"), std::string::npos) << error.what();
  }
}

TEST_F(PluginPinTest, AFileThatIsNoLockIsRefusedAndLeftAlone) {
  MemorySink sink;
  ASSERT_TRUE(WriteFileAtomically(file, AsBytes("{\"schema\": ")));
  const auto held = server::HoldToLock(file, plugins::PluginLock{}, Logger{sink, "server"});
  ASSERT_FALSE(held);
  EXPECT_EQ(held.Failure().code, plugins::kLockMismatch);
  EXPECT_EQ(*ReadTextFile(file, 1'024), "{\"schema\": ");
}

}  // namespace
}  // namespace muster::tests
