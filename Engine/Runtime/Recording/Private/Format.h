// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The file: 16 bytes of head (8 of magic, u32 version, u32 zero), then chunks. All numbers little-endian.
//
//   chunk    u32 tag, u32 payload bytes, u64 index from 0 on, u64 hash of the payload seeded by the rest, payload
//   Schema   (first) u64 seed, u32 slot capacity, u32 every n ticks, the entities' columns, the inputs' columns;
//            columns: u16 count, then u8 type, u8 element bytes, text8 name, text8 unit for each
//   Tick     u64 tick, u64 ticks left out so far, u32 entities (kNoWorld: not recorded), u32 inputs;
//            handles of the entities u64 each, then column after column; then inputs column after column
//   End      (last) u64 ticks, u64 left out
//
// A tick's chunk index grows by one for each chunk, so that a chunk can neither be lost nor repeated unseen.
#pragma once

#include "Recording/RecordingSchema.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace muster::recording {

inline constexpr std::string_view kMagic = "MUSTERRC";
inline constexpr std::uint32_t kFormatVersion = 1;
inline constexpr std::size_t kFileHeadBytes = 16;
inline constexpr std::size_t kChunkHeadBytes = 24;
inline constexpr std::size_t kTickHeadBytes = 24;
inline constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 30U;
inline constexpr std::uint32_t kNoWorld = 0xFFFF'FFFFU;

inline constexpr std::uint32_t kSchemaTag = 0x4D435343U;
inline constexpr std::uint32_t kTickTag = 0x4B434954U;
inline constexpr std::uint32_t kEndTag = 0x444E4543U;

inline constexpr std::size_t kInputRowBytes = 4 + 8 + 4 * 4 + 4;
inline constexpr std::size_t kHandleBytes = 8;

/// The inputs' columns, in their order.
const std::vector<ColumnDescription>& InputColumns();

/// Writes the head over the chunk's first kChunkHeadBytes; the payload lies behind them.
void SealChunk(std::span<std::uint8_t> chunk, std::uint32_t tag, std::uint64_t index);
std::uint64_t ChunkHash(std::uint32_t tag, std::uint64_t index, std::span<const std::uint8_t> payload);

std::array<std::uint8_t, kFileHeadBytes> FileHead();
/// Room for a chunk's head, then the payload.
std::vector<std::uint8_t> SchemaChunk(const RecordingSchema& schema);

/// What is wrong with a description, or null. Writer and reader hold the same rules.
const char* FindProblem(const RecordingSchema& schema);

}  // namespace muster::recording
