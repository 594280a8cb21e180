// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "PluginHost/Descriptor.h"

#include <algorithm>

#include "PluginApi/AiController.h"
#include "PluginApi/SnapshotCodec.h"
#include "PluginApi/SpatialIndex.h"
#include "PluginApi/Transport.h"

namespace muster::plugins {
namespace {

template <class Enum>
struct Word {
  Enum value;
  std::string_view word;
};

constexpr std::array kKinds{Word<PluginKind>{PluginKind::SnapshotCodec, "snapshot_codec"},
                            Word<PluginKind>{PluginKind::Transport, "transport"},
                            Word<PluginKind>{PluginKind::SpatialIndex, "spatial_index"},
                            Word<PluginKind>{PluginKind::AiController, "ai_controller"}};
constexpr std::array kSides{Word<Side>{Side::Server, "server"}, Word<Side>{Side::Client, "client"},
                            Word<Side>{Side::Both, "both"}};
constexpr std::array kReloads{
    Word<HotReload>{HotReload::None, "none"}, Word<HotReload>{HotReload::Stateless, "stateless"},
    Word<HotReload>{HotReload::Rebuild, "rebuild"}, Word<HotReload>{HotReload::Stateful, "stateful"}};

template <class Enum, std::size_t Count>
[[nodiscard]] std::string_view WordOf(const std::array<Word<Enum>, Count>& words, Enum value) noexcept {
  const auto* found =
      std::find_if(words.begin(), words.end(), [value](const auto& word) { return word.value == value; });
  return found == words.end() ? std::string_view{"unknown"} : found->word;
}

template <class Enum, std::size_t Count>
[[nodiscard]] std::optional<Enum> ValueOf(const std::array<Word<Enum>, Count>& words, std::string_view text) noexcept {
  const auto* found = std::find_if(words.begin(), words.end(), [text](const auto& word) { return word.word == text; });
  return found == words.end() ? std::nullopt : std::optional<Enum>{found->value};
}

}  // namespace

std::string_view ToString(PluginKind kind) noexcept {
  return WordOf(kKinds, kind);
}
std::string_view ToString(Side side) noexcept {
  return WordOf(kSides, side);
}
std::string_view ToString(HotReload hotReload) noexcept {
  return WordOf(kReloads, hotReload);
}
std::optional<PluginKind> PluginKindFrom(std::string_view word) noexcept {
  return ValueOf(kKinds, word);
}
std::optional<Side> SideFrom(std::string_view word) noexcept {
  return ValueOf(kSides, word);
}
std::optional<HotReload> HotReloadFrom(std::string_view word) noexcept {
  return ValueOf(kReloads, word);
}

std::string_view InterfaceOf(PluginKind kind) noexcept {
  switch (kind) {
    case PluginKind::SnapshotCodec:
      return MU_SNAPSHOT_CODEC_V0;
    case PluginKind::Transport:
      return MU_TRANSPORT_V0;
    case PluginKind::SpatialIndex:
      return MU_SPATIAL_INDEX_V0;
    case PluginKind::AiController:
      return MU_AI_CONTROLLER_V0;
  }
  return {};
}

bool IsPluginId(std::string_view text) noexcept {
  if (text.empty() || text.size() > kMaxIdCharacters) {
    return false;
  }
  bool hasDot = false;
  bool atStart = true;
  for (const char letter : text) {
    if (letter == '.') {
      if (atStart) {
        return false;
      }
      hasDot = true;
      atStart = true;
      continue;
    }
    const bool isLetter = letter >= 'a' && letter <= 'z';
    const bool isRest = (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
    if (!isLetter && (atStart || !isRest)) {
      return false;
    }
    atStart = false;
  }
  return hasDot && !atStart;
}

bool IsReservedId(std::string_view id) noexcept {
  constexpr std::array<std::string_view, 4> kReserved{"builtin", "muster.builtin", "muster.host", "muster.core"};
  return std::any_of(kReserved.begin(), kReserved.end(), [id](std::string_view reserved) {
    return id.substr(0, reserved.size()) == reserved && (id.size() == reserved.size() || id[reserved.size()] == '.');
  });
}

}  // namespace muster::plugins
