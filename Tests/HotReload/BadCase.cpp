// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "BadCase.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <span>
#include <sstream>
#include <stdexcept>

#include "Core/Sha256.h"
#include "PluginHost/Descriptor.h"

namespace muster::plugins::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

[[nodiscard]] fs::path Corpus() {
  return fs::path{MUSTER_TEST_SOURCE_DIR} / "Tests" / "HotReload" / "Bad";
}

[[nodiscard]] std::string FromHex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string{digits.substr(i, 2)}, nullptr, 16));
  }
  return bytes;
}

/// Reads an object member by member; one that nobody knows is a mistake in the corpus.
template <class Target>
void ReadMembers(const Json& json, Target& target,
                 const std::map<std::string, std::function<void(Target&, const Json&)>>& readers) {
  for (const auto& [key, value] : json.items()) {
    const auto reader = readers.find(key);
    if (reader == readers.end()) {
      throw std::runtime_error("unknown key " + key);
    }
    reader->second(target, value);
  }
}

[[nodiscard]] BadCase::Damage ReadDamage(const Json& json) {
  using Damage = BadCase::Damage;
  Damage damage;
  ReadMembers<Damage>(json, damage,
                      {{"keep_bytes", [](Damage& d, const Json& v) { d.keepBytes = v.get<std::uint64_t>(); }},
                       {"keep_per_mille", [](Damage& d, const Json& v) { d.keepPerMille = v.get<std::uint64_t>(); }},
                       {"at", [](Damage& d, const Json& v) { d.at = v.get<std::uint64_t>(); }},
                       {"hex", [](Damage& d, const Json& v) { d.bytes = FromHex(v.get<std::string>()); }},
                       {"replace", [](Damage& d, const Json& v) { d.replace = v.get<std::string>(); }},
                       {"with", [](Damage& d, const Json& v) { d.bytes = v.get<std::string>(); }}});
  return damage;
}

[[nodiscard]] BadCase::Arrangement ReadArrangement(const Json& json) {
  using Arrangement = BadCase::Arrangement;
  Arrangement arrangement;
  ReadMembers<Arrangement>(json, arrangement,
                           {{"path", [](Arrangement& a, const Json& v) { a.path = v.get<std::string>(); }},
                            {"from", [](Arrangement& a, const Json& v) { a.from = v.get<std::string>(); }},
                            {"link", [](Arrangement& a, const Json& v) { a.link = v.get<std::string>(); }},
                            {"mode", [](Arrangement& a, const Json& v) { a.mode = v.get<std::string>(); }}});
  return arrangement;
}

[[nodiscard]] BadCase ReadCase(const fs::path& folder) {
  BadCase result;
  result.name = folder.filename().string();
  const auto text = [](std::string BadCase::*member) {
    return [member](BadCase& c, const Json& v) { c.*member = v.get<std::string>(); };
  };
  ReadMembers<BadCase>(
      Json::parse(ReadText(folder / "case.json")), result,
      {{"wrong", text(&BadCase::wrong)},
       {"error", [](BadCase& c, const Json& v) { c.error = v.is_null() ? "" : v.get<std::string>(); }},
       {"cause", text(&BadCase::inCause)},
       {"runs", [](BadCase& c, const Json& v) { c.runs = v.get<bool>(); }},
       {"step", text(&BadCase::step)},
       {"id", text(&BadCase::id)},
       {"library", text(&BadCase::library)},
       {"path", text(&BadCase::path)},
       {"hash", text(&BadCase::hash)},
       {"layout", text(&BadCase::layout)},
       {"root", text(&BadCase::root)},
       {"start", text(&BadCase::start)},
       {"lock", text(&BadCase::lock)},
       {"strict", [](BadCase& c, const Json& v) { c.strict = v.get<bool>(); }},
       {"disabled", [](BadCase& c, const Json& v) { c.disabled = v.get<std::vector<std::string>>(); }},
       {"link_options", [](BadCase&, const Json&) {}},  // the build's
       {"exports", [](BadCase&, const Json&) {}},       // the build's
       {"damage", [](BadCase& c,
                     const Json& v) { std::transform(v.begin(), v.end(), std::back_inserter(c.damage), ReadDamage); }},
       {"paths", [](BadCase& c, const Json& v) {
          std::transform(v.begin(), v.end(), std::back_inserter(c.paths), ReadArrangement);
        }}});
  if (result.wrong.empty()) {
    throw std::runtime_error("it does not say what is wrong");
  }
  return result;
}

void Write(const fs::path& path, std::string_view bytes) {
  std::ofstream{path, std::ios::binary} << bytes;
}

/// The descriptor as it stands, with the library entered where it reads and has none.
[[nodiscard]] std::string Stamped(const std::string& descriptor, std::string_view path, const Sha256Digest& hash) {
  Json json = Json::parse(descriptor, nullptr, false);
  if (!json.is_object() || json.contains("libraries")) {
    return descriptor;
  }
  // Entered as text, so that whatever else is odd about the descriptor stays.
  const std::size_t end = descriptor.rfind('}');
  const Json entry{{std::string{kPlatformTag}, {{"path", path}, {"sha256", ToHex(hash)}}}};
  return descriptor.substr(0, end) + ", \"libraries\": " + entry.dump() + "}\n";
}

void ReplaceAll(std::string& text, const std::string& what, const std::string& with) {
  if (what.size() != with.size()) {
    throw std::runtime_error("a text can only be replaced by one of its length");
  }
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

fs::path BadCase::Folder() const {
  return Corpus() / name;
}

bool BadCase::HasOwnLibrary() const {
  return fs::exists(Folder() / "Plugin.c");
}

fs::path BadCase::BuiltLibrary() const {
  return fs::path{MUSTER_TEST_BINARY_DIR} / "HotReload" / "Bad" / ((HasOwnLibrary() ? name : "Good") + ".so");
}

std::string BadCase::LibraryBytes() const {
  std::string bytes = ReadText(BuiltLibrary());
  for (const Damage& change : damage) {
    if (!change.replace.empty()) {
      ReplaceAll(bytes, change.replace, change.bytes);
    } else if (change.keepBytes || change.keepPerMille) {
      bytes.resize(
          static_cast<std::size_t>(change.keepBytes.value_or(bytes.size() * change.keepPerMille.value_or(0) / 1000)));
    } else {
      bytes.replace(static_cast<std::size_t>(change.at), change.bytes.size(), change.bytes);
    }
  }
  return bytes;
}

void BadCase::Install(const fs::path& pluginRoot) const {
  const std::string bytes = library == "none" ? std::string{} : LibraryBytes();
  const std::string hashed = hash == "other" ? ReadText(BuiltLibrary()) : bytes;
  const Sha256Digest digest = Sha256Of(std::as_bytes(std::span{hashed.data(), hashed.size()}));
  const auto put = [&](const fs::path& from, const fs::path& to) {
    fs::create_directories(to);
    const std::string descriptor = ReadText(from / "plugin.json");
    Write(to / "plugin.json", library == "none" ? descriptor : Stamped(descriptor, path, digest));
    if (library != "none") {
      Write(to / (path.find('/') == std::string::npos ? path : "plugin.so"), bytes);
    }
  };
  if (fs::exists(Folder() / "plugin.json")) {
    put(Folder(), pluginRoot / name);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator{Folder()}) {
    if (entry.is_directory()) {
      put(entry.path(), pluginRoot / entry.path().filename());
    }
  }
  for (const Arrangement& arrangement : paths) {
    const fs::path target = pluginRoot / arrangement.path;
    if (!arrangement.from.empty()) {
      fs::create_directories(target.parent_path());
      fs::rename(pluginRoot / arrangement.from, target);
    }
    if (!arrangement.link.empty()) {
      fs::create_symlink(arrangement.link, target);
    }
    if (!arrangement.mode.empty() &&
        ::chmod(target.c_str(), static_cast<mode_t>(std::stoul(arrangement.mode, nullptr, 8))) != 0) {
      throw std::runtime_error("chmod " + target.string());
    }
  }
}

void PrintTo(const BadCase& badCase, std::ostream* stream) {
  *stream << badCase.name << ": " << badCase.wrong;
}

std::vector<BadCase> ReadCorpus() {
  std::vector<BadCase> cases;
  for (const fs::directory_entry& entry : fs::directory_iterator{Corpus()}) {
    if (entry.is_directory()) {
      try {
        cases.push_back(ReadCase(entry.path()));
      } catch (const std::exception& problem) {
        throw std::runtime_error(entry.path().string() + ": " + problem.what());
      }
    }
  }
  std::sort(cases.begin(), cases.end(), [](const BadCase& a, const BadCase& b) { return a.name < b.name; });
  return cases;
}

std::string ReadText(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

}  // namespace muster::plugins::test
