// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Protocol/RefusalCodes.h"

#include "Core/Utf8.h"
#include "Spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace muster::protocol {

namespace {

struct Standing {
  ErrorCode code;
  std::string_view sentence;
  std::string_view action;
};

constexpr Standing kStanding[] = {
    {kProtocolVersionMismatch, "The server and this client speak different protocol versions.",
     "Bring the older side to the version of the newer one."},
    {kPluginSetDiffers, "The server and this client run different plugins that change what is on the wire.",
     "Install the server's plugins, in the server's versions, and join again."},
    {kCodecMissing, "The server packs its snapshots with a codec that this client does not have.",
     "Install the server's snapshot codec plugin and join again."},
    {kServerFull, "The server is full.", "Try again when somebody has left."},
    {kTooManyFromAddress, "Too many clients of this server are on the same address.",
     "Close one of them, or ask the operator to raise max_connections_per_ip."},
    {kConnectRateExceeded, "This address has connected too often in a short time.", "Wait before the next attempt."},
    {kBadName, "The server does not accept this name.",
     "Choose a name of 1 to 32 visible characters, without control characters."},
    {kServerClosing, "The server is closing and takes no new players.", "Try again later, or choose another server."},
    {kHandshakeTimeout, "The handshake was not finished in time.",
     "Check that packets pass in both directions, then connect again."},
    {kHandshakeMalformed, "The server could not read this client's hello.",
     "Check that the client is a Muster client of the server's version."},
    {kJoinExpected, "The first message of a connection must ask to join.",
     "Check that the client is a Muster client of the server's version."},
    {kServerShutdown, "The server shuts down.", "Connect again when it is back."},
    {kKicked, "You were removed from the server by its operator.", "Ask the operator why before you return."},
    {kIdleTimeout, "You were removed because nothing was heard from you for too long.", "Connect again to play on."},
    {kFlood, "You were removed because this client sent far more than a client needs to.",
     "Check the client for a fault; connect again with an unmodified one."},
    {kMalformedMessages, "You were removed because too many messages of this client could not be read.",
     "Check that the client has the server's version and plugins."},
    {kBacklogExceeded, "You were removed because this client did not take what the server sent.",
     "Check the connection's bandwidth and loss, then connect again."},
};

const Standing* Find(std::uint16_t number) noexcept {
  const auto* found = std::find_if(std::begin(kStanding), std::end(kStanding),
                                   [number](const Standing& entry) { return entry.code.number == number; });
  return found == std::end(kStanding) ? nullptr : found;
}

Refusal Compose(ErrorCode code, std::string_view detail, std::string_view action) {
  const Standing* standing = Find(code.number);
  std::string text(standing != nullptr ? standing->sentence
                                       : std::string_view{"The server does not let this client in."});
  if (!detail.empty()) {
    text.append(" ").append(detail);
  }
  if (action.empty() && standing != nullptr) {
    action = standing->action;
  }
  if (!action.empty()) {
    text.append(" ").append(action);
  }
  return {code.number, MakeLine(text, kMaxRefusalTextBytes)};
}

const WirePlugin* FindPlugin(const std::vector<WirePlugin>& plugins, std::string_view id) noexcept {
  const auto found =
      std::find_if(plugins.begin(), plugins.end(), [id](const WirePlugin& plugin) { return plugin.id == id; });
  return found == plugins.end() ? nullptr : &*found;
}

}  // namespace

bool IsRefusal(ErrorCode code) noexcept {
  return code == kUnknownRefusal || Find(code.number) != nullptr;
}

ErrorCode RefusalCode(std::uint16_t number) noexcept {
  const Standing* standing = Find(number);
  return standing != nullptr ? standing->code : kUnknownRefusal;
}

Error ToError(const Refusal& refusal) {
  const Standing* standing = Find(refusal.code);
  Error error;
  error.code = RefusalCode(refusal.code);
  error.sentence =
      refusal.text.empty()
          ? std::string(standing != nullptr ? standing->sentence : std::string_view{"The server refused this client."})
          : EscapeControl(refusal.text);
  error.action =
      standing != nullptr
          ? std::string(standing->action)
          : fmt::format("Bring this client to the server's version; it does not know code {}.", refusal.code);
  // The text of a server ends with its own advice; saying it twice helps nobody.
  if (error.sentence.ends_with(error.action) && error.sentence.size() > error.action.size()) {
    error.sentence.resize(error.sentence.size() - error.action.size());
    while (error.sentence.ends_with(' ')) {
      error.sentence.pop_back();
    }
  }
  return error;
}

Refusal MakeRefusal(ErrorCode code, std::string_view detail) {
  return Compose(code, detail, {});
}

Refusal RefuseVersion(std::uint16_t serverVersion, std::uint16_t clientVersion) {
  const bool clientIsOlder = clientVersion < serverVersion;
  return Compose(kProtocolVersionMismatch,
                 fmt::format("The server speaks version {}, the client version {}; the {} is the older one.",
                             serverVersion, clientVersion, clientIsOlder ? "client" : "server"),
                 clientIsOlder ? "Update the client." : "Update the server, or use an older client.");
}

Refusal RefuseCodec(const WireIdentity& server, const WireIdentity& client) {
  return Compose(kCodecMissing,
                 fmt::format("The server uses {} (wire version {}), the client offers {} (wire version {}).",
                             server.codecName, server.codecWireVersion, client.codecName, client.codecWireVersion),
                 {});
}

Refusal RefusePluginSet(const WireIdentity& server, const WireIdentity& client) {
  std::string differences;
  const auto add = [&differences](std::string part) {
    differences.append(differences.empty() ? "" : "; ").append(part);
  };
  for (const WirePlugin& ours : server.plugins) {
    const WirePlugin* theirs = FindPlugin(client.plugins, ours.id);
    if (theirs == nullptr) {
      add(fmt::format("{} {} is missing on the client", ours.id, ours.version));
    } else if (theirs->version != ours.version) {
      add(fmt::format("{} is {} on the server and {} on the client", ours.id, ours.version, theirs->version));
    }
  }
  for (const WirePlugin& theirs : client.plugins) {
    if (FindPlugin(server.plugins, theirs.id) == nullptr) {
      add(fmt::format("{} {} is missing on the server", theirs.id, theirs.version));
    }
  }
  if (differences.empty()) {
    differences = "Their names and versions agree, but not their plugin.json files";
  }
  return Compose(kPluginSetDiffers, differences + ".", {});
}

Refusal RefuseFull(std::uint32_t maxPeers) {
  return Compose(kServerFull, fmt::format("All of its {} places are taken.", maxPeers), {});
}

Refusal RefuseAddressLimit(std::uint32_t maxPerAddress) {
  return Compose(kTooManyFromAddress, fmt::format("It allows {}.", maxPerAddress), {});
}

Refusal RefuseConnectRate(std::uint32_t retryAfterSeconds) {
  return Compose(
      kConnectRateExceeded, {},
      fmt::format("Wait {} second{} before the next attempt.", retryAfterSeconds, retryAfterSeconds == 1 ? "" : "s"));
}

}  // namespace muster::protocol
