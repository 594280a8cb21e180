// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/PluginLock.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "PluginHost/Errors.h"

namespace muster::plugins {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kLockSchema = 1;
constexpr std::size_t kMaxLockBytes = 1024 * 1024;

[[nodiscard]] Error NoLock(std::string cause) {
  return Error{kLockMismatch, "The plugin lock cannot be read.", std::move(cause),
               "Write it anew from the plugins that are loaded."};
}

/// The member of an object as text, or nothing.
[[nodiscard]] std::optional<std::string> TextOf(const Json& object, const char* key) {
  const auto member = object.find(key);
  if (member == object.end() || !member->is_string()) {
    return std::nullopt;
  }
  return member->get<std::string>();
}

[[nodiscard]] std::optional<LockEntry> EntryOf(const Json& json) {
  if (!json.is_object()) {
    return std::nullopt;
  }
  const auto id = TextOf(json, "id");
  const auto version = TextOf(json, "version");
  const auto descriptor = TextOf(json, "descriptor");
  const auto library = TextOf(json, "library");
  const auto wire = json.find("wire_affecting");
  if (!id || !IsPluginId(*id) || !version || !descriptor || !library || wire == json.end() || !wire->is_boolean()) {
    return std::nullopt;
  }
  const auto parsedVersion = Version::Parse(*version);
  const auto descriptorDigest = Sha256FromHex(*descriptor);
  const auto librarySha256 = Sha256FromHex(*library);
  if (!parsedVersion || !descriptorDigest || !librarySha256) {
    return std::nullopt;
  }
  return LockEntry{*id, *parsedVersion, *descriptorDigest, *librarySha256, wire->get<bool>()};
}

}  // namespace

PluginLock::PluginLock(std::vector<LockEntry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const LockEntry& a, const LockEntry& b) { return a.id < b.id; });
  for (LockEntry& entry : entries) {
    if (!m_entries.empty() && m_entries.back().id == entry.id) {
      m_entries.back() = std::move(entry);
    } else {
      m_entries.push_back(std::move(entry));
    }
  }
}

LockEntry LockEntryOf(const Descriptor& descriptor, const LibraryEntry& library) {
  return LockEntry{descriptor.id, descriptor.version, descriptor.digest, library.sha256, descriptor.wireAffecting};
}

std::string WriteLock(const PluginLock& lock) {
  Json plugins = Json::array();
  for (const LockEntry& entry : lock.Entries()) {
    plugins.push_back(Json{{"id", entry.id},
                           {"version", entry.version.ToString()},
                           {"descriptor", ToHex(entry.descriptorDigest)},
                           {"library", ToHex(entry.librarySha256)},
                           {"wire_affecting", entry.wireAffecting}});
  }
  return Json{{"schema", kLockSchema}, {"plugins", std::move(plugins)}}.dump(2) + "\n";
}

Result<PluginLock> ReadLock(std::string_view text) {
  if (text.size() > kMaxLockBytes) {
    return NoLock("It is larger than a lock can be.");
  }
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    return NoLock("It is not a JSON object.");
  }
  const auto schema = json.find("schema");
  const auto plugins = json.find("plugins");
  if (schema == json.end() || *schema != kLockSchema || plugins == json.end() || !plugins->is_array()) {
    return NoLock(fmt::format("It is no lock of schema {}.", kLockSchema));
  }
  std::vector<LockEntry> entries;
  for (const Json& element : *plugins) {
    std::optional<LockEntry> entry = EntryOf(element);
    if (!entry) {
      return NoLock(fmt::format("Entry {} is incomplete or malformed.", entries.size()));
    }
    entries.push_back(*std::move(entry));
  }
  return PluginLock{std::move(entries)};
}

Sha256Digest LockDigest(const PluginLock& lock) {
  Sha256 sha;
  for (const LockEntry& entry : lock.Entries()) {
    if (entry.wireAffecting) {
      const std::string line =
          fmt::format("{}\n{}\n{}\n", entry.id, entry.version.ToString(), ToHex(entry.descriptorDigest));
      sha.Update(std::as_bytes(std::span{line.data(), line.size()}));
    }
  }
  return sha.Finish();
}

std::vector<std::string> DescribeDifferences(const PluginLock& ours, const PluginLock& theirs) {
  std::vector<std::string> differences;
  auto our = ours.Entries().begin();
  auto their = theirs.Entries().begin();
  const auto ourEnd = ours.Entries().end();
  const auto theirEnd = theirs.Entries().end();
  while (our != ourEnd || their != theirEnd) {
    if (their == theirEnd || (our != ourEnd && our->id < their->id)) {
      differences.push_back(fmt::format("{} {} is missing there.", our->id, our->version.ToString()));
      ++our;
      continue;
    }
    if (our == ourEnd || their->id < our->id) {
      differences.push_back(fmt::format("{} {} is missing here.", their->id, their->version.ToString()));
      ++their;
      continue;
    }
    if (our->version != their->version) {
      differences.push_back(
          fmt::format("{} is {} here and {} there.", our->id, our->version.ToString(), their->version.ToString()));
    } else if (our->descriptorDigest != their->descriptorDigest || our->wireAffecting != their->wireAffecting) {
      differences.push_back(fmt::format("{} {} has another plugin.json there.", our->id, our->version.ToString()));
    } else if (our->librarySha256 != their->librarySha256) {
      differences.push_back(fmt::format("{} {} is another build there.", our->id, our->version.ToString()));
    }
    ++our;
    ++their;
  }
  return differences;
}

}  // namespace muster::plugins
