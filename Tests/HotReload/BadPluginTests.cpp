// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Walks the rejection corpus: each case ends in its named error, for its reason, and before any code of it has run
// unless only a call could tell.
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>

#include "BadCase.h"
#include "PluginFolders.h"
#include "PluginHost/CallGuard.h"
#include "PluginHost/Errors.h"

namespace muster::plugins::test {
namespace {

/// Where a resolver leaves its mark, which can use neither the environment nor the C library.
constexpr int kEarlyMark = 200;

class MarkedTest : public HotReloadTest {
 protected:
  void SetUp() override {
    HotReloadTest::SetUp();
    ASSERT_EQ(::setenv("MUSTER_FIXTURE_MARKER", Marker().c_str(), 1), 0);
    const int file = ::open(EarlyMarker().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_GE(file, 0);
    ASSERT_EQ(::dup2(file, kEarlyMark), kEarlyMark);
    ::close(file);
  }
  void TearDown() override {
    ::unsetenv("MUSTER_FIXTURE_MARKER");
    ::close(kEarlyMark);
  }

  [[nodiscard]] std::filesystem::path Marker() const { return Directory() / "marker"; }
  [[nodiscard]] std::filesystem::path EarlyMarker() const { return Directory() / "early"; }
  /// What ran, a line each.
  [[nodiscard]] std::string Marks() const { return Read(EarlyMarker()) + Read(Marker()); }
  void ForgetMarks() const {
    std::filesystem::remove(Marker());
    std::filesystem::resize_file(EarlyMarker(), 0);
    ::lseek(kEarlyMark, 0, SEEK_SET);
  }
};

/// Runs the host's part of a case.
class BadPlugin : public MarkedTest, public ::testing::WithParamInterface<BadCase> {
 protected:
  [[nodiscard]] const BadCase& Case() const { return GetParam(); }

  [[nodiscard]] Result<void> Run() {
    if (Case().step == "lock") {
      const Result<PluginLock> lock = ReadLock(Case().lock);
      return lock ? Result<void>{} : Result<void>{lock.Failure()};
    }
    PluginHostConfig config;
    config.roots = {{Case().root.empty() ? Root() : Directory() / Case().root,
                     Case().layout == "installed" ? PluginRoot::Layout::Installed : PluginRoot::Layout::Source}};
    config.cacheDirectory = Cache();
    config.strict = Case().strict;
    config.disabled = Case().disabled;
    Result<std::unique_ptr<PluginHost>> host = PluginHost::Create(std::move(config), m_log, m_clock);
    if (!host) {
      return host.Failure();
    }
    if (Case().step == "ask") {
      const Result<PluginHost::GenerationPointer> loaded = (*host)->Load(Case().id);
      return loaded ? Result<void>{} : Result<void>{loaded.Failure()};
    }
    if (Result<void> loaded = (*host)->LoadAll(); !loaded) {
      EXPECT_TRUE((*host)->Generations().size() < 2);
      return loaded;
    }
    return Afterwards(**host);
  }

 private:
  /// What is done with a plugin that has loaded.
  [[nodiscard]] Result<void> Afterwards(PluginHost& host) const {
    if (Case().step == "replace") {
      const auto replaced = host.LoadReplacement("com.example.bad");
      return replaced ? Result<void>{} : Result<void>{replaced.Failure()};
    }
    if (Case().step == "retire") {
      PluginHost::GenerationPointer generation = host.Generations().front();
      return host.Retire(std::move(generation));
    }
    const auto provider = host.Catalog().Find<mu_ai_controller_v0>("com.example.bad");
    if (!provider) {
      return provider.Failure();
    }
    CallGuard guard{"com.example.bad"};
    mu_ai_provider* instance = nullptr;
    guard.Call("create", [&] { return provider->table->create(&instance); });
    if (guard.IsTripped()) {
      return guard.FirstFailure();
    }
    provider->table->destroy(instance);
    return {};
  }
};

TEST_P(BadPlugin, EndsInItsNamedError) {
  Case().Install(Root());
  const std::filesystem::path before = std::filesystem::current_path();
  if (!Case().start.empty()) {
    std::filesystem::current_path(Root() / Case().start);
  }
  const Result<void> result = Run();
  std::filesystem::current_path(before);
  EXPECT_EQ(!result, !Case().error.empty());
  if (!result) {
    const Error& error = result.Failure();
    EXPECT_EQ(error.code.name, Case().error) << error.ToString();
    EXPECT_NE((error.sentence + error.cause).find(Case().inCause), std::string::npos) << error.ToString();
    EXPECT_FALSE(error.sentence.empty() || error.cause.empty() || error.action.empty()) << error.ToString();
  }
  if (Case().step != "lock") {
    EXPECT_EQ(Marks().empty(), !Case().runs) << Marks();
  }
}

INSTANTIATE_TEST_SUITE_P(Every, BadPlugin, ::testing::ValuesIn(ReadCorpus()),
                         [](const auto& test) { return test.param.name; });

class Corpus : public MarkedTest {};

/// Opens a library as a host without any care would. True when the loader took it.
[[nodiscard]] bool OpensBlindly(const std::filesystem::path& library) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(Corpus, LeavesMarksWhereverItIsOpenedWithoutCare) {
  // Without this the missing marks above would prove nothing.
  std::size_t opened = 0;
  for (const BadCase& badCase : ReadCorpus()) {
    if (!badCase.HasOwnLibrary()) {
      continue;
    }
    ForgetMarks();
    if (OpensBlindly(badCase.BuiltLibrary())) {
      ++opened;
      EXPECT_NE(Marks().find("constructor\n"), std::string::npos) << badCase.name;
      EXPECT_NE(Marks().find("init_array\n"), std::string::npos) << badCase.name;
      EXPECT_EQ(Marks().find("ifunc\n") != std::string::npos, badCase.name == "ChosenWhileLoading") << badCase.name;
    }
  }
  EXPECT_GE(opened, 30u);
}

/// Number and name of every plugin error of the page of errors.
[[nodiscard]] std::map<std::string, unsigned> PluginErrorsOfThePage() {
  const std::string page = ReadText(std::filesystem::path{MUSTER_TEST_SOURCE_DIR} / "Docs/Reference/Errors.md");
  const std::regex row{R"(\n\| (1[0-6][0-9][0-9]) \| ([A-Za-z]+) \|)"};
  std::map<std::string, unsigned> errors;
  for (std::sregex_iterator match{page.begin(), page.end(), row}, end; match != end; ++match) {
    errors[(*match)[2]] = static_cast<unsigned>(std::stoul((*match)[1]));
  }
  return errors;
}

TEST_F(Corpus, HasACaseForEveryNamedPluginErrorOrSaysWhyNot) {
  const std::map<std::string, unsigned> errors = PluginErrorsOfThePage();
  ASSERT_GT(errors.size(), 30u);
  std::set<std::string> provoked;
  for (const BadCase& badCase : ReadCorpus()) {
    if (!badCase.error.empty()) {
      EXPECT_EQ(errors.count(badCase.error), 1u) << badCase.name << " expects an error that the page does not have";
      provoked.insert(badCase.error);
    }
  }
  const std::filesystem::path source{MUSTER_TEST_SOURCE_DIR};
  for (const auto& entry : nlohmann::json::parse(ReadText(source / "Tests/HotReload/Bad/NotFromAFolder.json"))) {
    const std::string error = entry.at("error");
    EXPECT_EQ(errors.count(error), 1u) << error;
    EXPECT_FALSE(entry.at("why").get<std::string>().empty());
    EXPECT_NE(ReadText(source / entry.at("test").get<std::string>()).find("k" + error), std::string::npos)
        << error << " is not in the test that is named for it";
    EXPECT_TRUE(provoked.insert(error).second) << error << " can be provoked from a folder after all";
  }
  for (const auto& [name, number] : errors) {
    EXPECT_EQ(provoked.count(name), 1u) << "MU" << number << " " << name << " has no case in Tests/HotReload/Bad";
  }
}

}  // namespace
}  // namespace muster::plugins::test
