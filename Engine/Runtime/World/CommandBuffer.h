// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// What workers want done to the world's structure, kept until the owner does it.
//
//   ChunkedCommands<EntityHandle> despawns;
//   despawns.Begin(chunkCount);                          // [sim] before the parallel phase
//   despawns.Record(chunk, handle);                      // [worker] that runs this chunk
//   CommitDespawns(store, despawns);                     // [sim] at the point where structure changes
//
//   struct Hit { EntityHandle shooter; EntityHandle target; float damage; };
//   ChunkedCommands<Hit> hits;                           // spawn requests and events alike: any type
//   hits.ForEach([&](const Hit& hit) { ... });           // chunk order, then the order of recording
//
// Chunks are cut by index, never by worker, so the order of commands, and with it which slot a spawn gets, is the same
// for any number of workers. Lists keep their memory from tick to tick: a steady tick allocates nothing.
#pragma once

#include "Core/Assert.h"
#include "Core/Bytes.h"
#include "World/EntityStore.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace muster::world {

template <class Command>
class ChunkedCommands {
 public:
  /// [sim] Drops what was recorded and makes room for `chunkCount` chunks.
  void Begin(std::size_t chunkCount) {
    if (m_chunks.size() < chunkCount) {
      m_chunks.resize(chunkCount);
    }
    for (Chunk& chunk : m_chunks) {
      chunk.commands.clear();
    }
    m_chunkCount = chunkCount;
  }

  /// [worker] Only the worker that runs `chunk` may record into it.
  void Record(std::size_t chunk, Command command) {
    MUSTER_ASSERT(chunk < m_chunkCount, "a chunk that Begin was not told of");
    m_chunks[chunk].commands.push_back(std::move(command));
  }

  /// [sim] Calls `body(const Command&)` for each command, in chunk order.
  template <class Body>
  void ForEach(Body&& body) const {
    for (std::size_t chunk = 0; chunk < m_chunkCount; ++chunk) {
      for (const Command& command : m_chunks[chunk].commands) {
        body(command);
      }
    }
  }

  /// [sim]
  std::size_t Count() const {
    std::size_t count = 0;
    for (std::size_t chunk = 0; chunk < m_chunkCount; ++chunk) {
      count += m_chunks[chunk].commands.size();
    }
    return count;
  }

 private:
  // A cache line each, so that workers that record side by side do not share one.
  struct alignas(kCacheLineBytes) Chunk {
    std::vector<Command> commands;
  };

  std::vector<Chunk> m_chunks;
  std::size_t m_chunkCount = 0;
};

/// [sim] Destroys what was recorded, stale and repeated handles passed over; returns how many died.
inline std::size_t CommitDespawns(EntityStore& store, const ChunkedCommands<EntityHandle>& despawns) {
  std::size_t died = 0;
  despawns.ForEach([&](EntityHandle handle) { died += store.Destroy(handle) ? 1U : 0U; });
  return died;
}

}  // namespace muster::world
