// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "CheckList.h"

#include "GateErrors.h"

#include "Core/Files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace muster::gate {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxListBytes = 1 << 20;
constexpr std::uint32_t kSchema = 1;

std::optional<Comparison> ComparisonOf(const std::string& word) {
  if (word == "at_least") {
    return Comparison::AtLeast;
  }
  if (word == "at_most") {
    return Comparison::AtMost;
  }
  return word == "equals" ? std::optional{Comparison::Equals} : std::nullopt;
}

void ReadBar(const std::string& figure, const Json& limits, StrictObject& entry, std::vector<Bar>& bars) {
  if (!limits.is_object() || limits.empty()) {
    entry.Refuse(fmt::format("The bar of \"{}\" must be an object such as {{\"at_most\": 0}}.", figure));
    return;
  }
  for (const auto& [word, limit] : limits.items()) {
    const auto comparison = ComparisonOf(word);
    if (!comparison) {
      entry.Refuse(fmt::format("The bar of \"{}\" has \"{}\"; it may have at_least, at_most, equals.", figure, word));
    } else if (limit.is_number()) {
      bars.push_back({figure, *comparison, limit.get<double>()});
    } else if (limit.is_string() && *comparison == Comparison::Equals) {
      bars.push_back({figure, *comparison, limit.get<std::string>()});
    } else {
      entry.Refuse(fmt::format("The bar of \"{}\" must be a number, or a text with equals.", figure));
    }
  }
}

Result<CheckEntry> ReadEntry(StrictObject& entry) {
  CheckEntry check;
  check.id = entry.Text("id");
  check.kind = entry.Text("kind");
  check.shows = entry.Text("shows");
  const std::string when = entry.Text("when", "always");
  check.isInQuick = when != "full";
  check.isInFull = when != "quick";
  if (when != "always" && when != "quick" && when != "full") {
    entry.Refuse("\"when\" must be always, quick or full.");
  }
  const Json& bars = entry.Any("bars");
  if (!bars.is_object() || bars.empty()) {
    entry.Refuse("A check needs \"bars\": without one it cannot fail.");
  } else {
    for (const auto& [figure, limits] : bars.items()) {
      ReadBar(figure, limits, entry, check.bars);
    }
  }
  if (const CheckMaker make = FindCheckKind(check.kind)) {
    check.check = make(entry);
  } else {
    return Error{kCheckListMalformed,
                 fmt::format("{} has the kind \"{}\", which does not exist.", entry.Where(), check.kind),
                 fmt::format("There are: {}.", CheckKindNames()), "Choose one of them."};
  }
  if (Result<void> read = entry.Finish(); !read) {
    return std::move(read).Failure();
  }
  return check;
}

std::string ProfilesIn(const std::filesystem::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{folder, error}) {
    if (entry.path().extension() == ".json") {
      names.insert(entry.path().stem().string());
    }
  }
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "none" : text;
}

}  // namespace

Result<CheckList> ParseCheckList(std::string_view text) {
  // Comments are allowed, so that a bar can say where it comes from.
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  if (json.is_discarded()) {
    return Error{kCheckListMalformed, "The list of checks is not JSON.", "It does not parse.", "Mend it."};
  }
  StrictObject root{json, "the list"};
  CheckList list;
  if (root.Number("schema") != kSchema) {
    root.Refuse(fmt::format("\"schema\" must be {}.", kSchema));
  }
  list.profile = root.Text("profile");
  std::vector<StrictObject> entries = root.Objects("checks");
  if (Result<void> read = root.Finish(); !read) {
    return std::move(read).Failure();
  }
  std::set<std::string> ids;
  for (StrictObject& object : entries) {
    auto entry = ReadEntry(object);
    if (!entry) {
      return std::move(entry).Failure();
    }
    if (!ids.insert(entry->id).second) {
      return Error{kCheckListMalformed, fmt::format("Two checks are called \"{}\".", entry->id), "Reports go by id.",
                   "Give one of them another id."};
    }
    list.checks.push_back(std::move(*entry));
  }
  return list;
}

Result<CheckList> LoadProfile(const Places& places, std::string_view profile) {
  const std::filesystem::path folder = places.source / "Tests" / "Load";
  const bool isName = profile.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
  const std::filesystem::path path = folder / (std::string{profile} + ".json");
  if (!isName || !std::filesystem::exists(path)) {
    return Error{kProfileUnknown, fmt::format("There is no profile \"{}\".", profile),
                 fmt::format("There are: {}.", ProfilesIn(folder)), "Choose one, or `run`."};
  }
  auto text = ReadTextFile(path, kMaxListBytes);
  if (!text) {
    return std::move(text).Failure();
  }
  return ParseCheckList(*text);
}

}  // namespace muster::gate
