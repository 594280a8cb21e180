// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// Classes into tables. `SpatialIndexTable<Grid>::kTable` is a mu_spatial_index_v0 whose functions call Grid's methods;
// what Grid must offer is said by the concept in front of each table, in the words of the C header. Methods return
// mu_status or nothing; exceptions stop here. Usable without a library too: linked-in fallbacks are made the same way.
//
// Instances are made with T(const Host&, const Params&), T(const Params&), T(const Host&) or T(): the first that
// exists.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "PluginApi/AiController.h"
#include "PluginApi/LayoutHash.h"
#include "PluginApi/Note.h"
#include "PluginApi/PluginHostAccess.h"
#include "PluginApi/SnapshotCodec.h"
#include "PluginApi/SpatialIndex.h"
#include "PluginApi/Transport.h"

namespace muster::plugin {

/// What a method may return: MU_OK or a failure, or nothing, which is MU_OK.
template <class R>
concept StatusOrVoid = std::same_as<R, void> || std::same_as<R, mu_status>;

namespace detail {

template <class T, class... Params>
concept Makeable =
    std::constructible_from<T, const Host&, const Params&...> || std::constructible_from<T, const Params&...> ||
    std::constructible_from<T, const Host&> || std::default_initializable<T>;

template <class T, class... Params>
std::unique_ptr<T> Make(const Params&... params) {
  if constexpr (std::constructible_from<T, const Host&, const Params&...>) {
    return std::make_unique<T>(CurrentHost(), params...);
  } else if constexpr (std::constructible_from<T, const Params&...>) {
    return std::make_unique<T>(params...);
  } else if constexpr (std::constructible_from<T, const Host&>) {
    return std::make_unique<T>(CurrentHost());
  } else {
    return std::make_unique<T>();
  }
}

/// The opaque C handle of an instance is the instance.
template <class T, class Handle>
T& Self(Handle* handle) noexcept {
  return *reinterpret_cast<std::remove_const_t<T>*>(handle);
}
template <class T, class Handle>
const T& Self(const Handle* handle) noexcept {
  return *reinterpret_cast<const T*>(handle);
}

template <class T, class Handle, class... Params>
mu_status Create(Handle** out, const Params*... params) noexcept {
  if (out == nullptr || ((params == nullptr) || ...)) {
    return MU_E_INVALID_ARGUMENT;
  }
  *out = nullptr;
  return Guarded([&] { *out = reinterpret_cast<Handle*>(Make<T>(*params...).release()); });
}

template <class T, class Handle>
void Destroy(Handle* handle) noexcept {
  delete reinterpret_cast<T*>(handle);
}

/// Fills a struct of the caller's size: the part that both sides know.
template <class Struct, class Fill>
void FillSized(Struct* out, Fill&& fill) noexcept {
  if (out == nullptr || out->struct_size < sizeof(out->struct_size)) {
    return;
  }
  Struct mine{};
  mine.struct_size = static_cast<std::uint32_t>(sizeof(Struct));
  const std::uint32_t theirSize = out->struct_size;
  if (Guarded([&] { fill(mine); }) == MU_OK) {
    mine.struct_size = theirSize;
    std::memcpy(out, &mine, std::min<std::size_t>(theirSize, sizeof(Struct)));
  }
}

}  // namespace detail

/// A class that answers queries about one tick's positions; see SpatialIndex.h for every rule.
template <class T>
concept SpatialIndex = detail::Makeable<T, mu_spatial_params> &&
    requires(T& index, const T& constant, const mu_spatial_view& view, std::span<const mu_sphere_query> spheres,
             std::span<const mu_nearest_query> nearest, std::uint64_t* bits, std::uint32_t number, std::uint32_t* slots,
             mu_id_query_result* idResults, mu_nearest_result* nearestResults, std::span<mu_slot_pair> pairs,
             std::uint64_t& pairCount, mu_spatial_stats& stats) {
  { index.Rebuild(view) } -> StatusOrVoid;
  { constant.QueryBits(spheres, bits, number) } -> StatusOrVoid;
  { constant.QueryIds(spheres, slots, number, idResults) } -> StatusOrVoid;
  { constant.QueryNearest(nearest, slots, number, nearestResults) } -> StatusOrVoid;
  { constant.CandidatePairs(pairs, pairCount) } -> StatusOrVoid;
  { constant.Stats(stats) } -> std::same_as<void>;
};

template <SpatialIndex T>
struct SpatialIndexTable {
  using Table = mu_spatial_index_v0;
  static constexpr const char* kId = MU_SPATIAL_INDEX_V0;
  static constexpr mu_note_interface kNote = MU_PROVIDES_SPATIAL_INDEX_V0;

  static mu_status Create(const mu_spatial_params* params, mu_spatial_index** out) noexcept {
    return detail::Create<T>(out, params);
  }
  static mu_status Rebuild(mu_spatial_index* self, const mu_spatial_view* view) noexcept {
    return detail::Guarded([&] { return detail::Self<T>(self).Rebuild(*view); });
  }
  static mu_status QueryBits(const mu_spatial_index* self, const mu_sphere_query* queries, std::uint32_t count,
                             std::uint64_t* bits, std::uint32_t words) noexcept {
    return detail::Guarded([&] {
      return detail::Self<T>(self).QueryBits(std::span{queries, std::size_t{count}}, bits, words);
    });
  }
  static mu_status QueryIds(const mu_spatial_index* self, const mu_sphere_query* queries, std::uint32_t count,
                            std::uint32_t* slots, std::uint32_t capacity, mu_id_query_result* results) noexcept {
    return detail::Guarded([&] {
      return detail::Self<T>(self).QueryIds(std::span{queries, std::size_t{count}}, slots, capacity, results);
    });
  }
  static mu_status QueryNearest(const mu_spatial_index* self, const mu_nearest_query* queries, std::uint32_t count,
                                std::uint32_t* slots, std::uint32_t capacity, mu_nearest_result* results) noexcept {
    return detail::Guarded([&] {
      return detail::Self<T>(self).QueryNearest(std::span{queries, std::size_t{count}}, slots, capacity, results);
    });
  }
  static mu_status CandidatePairs(const mu_spatial_index* self, mu_slot_pair* pairs, std::uint64_t capacity,
                                  std::uint64_t* count) noexcept {
    return detail::Guarded([&] {
      return detail::Self<T>(self).CandidatePairs(std::span{pairs, static_cast<std::size_t>(capacity)}, *count);
    });
  }
  static void Stats(const mu_spatial_index* self, mu_spatial_stats* out) noexcept {
    detail::FillSized(out, [&](mu_spatial_stats& stats) { detail::Self<T>(self).Stats(stats); });
  }

  static constexpr Table kTable{sizeof(Table),   0,          &Create,   &detail::Destroy<T, mu_spatial_index>,
                                &Rebuild,        &QueryBits, &QueryIds, &QueryNearest,
                                &CandidatePairs, &Stats};
};

/// A class that steers agents; see AiController.h for every rule. `Think` must be callable concurrently.
template <class T>
concept AiController = detail::Makeable<T> && requires(T& provider, const T& constant, std::uint32_t index,
                                                       mu_controller_info& info, const mu_think_batch& batch) {
  { constant.ControllerCount() } -> std::same_as<std::uint32_t>;
  { constant.ControllerInfo(index, info) } -> StatusOrVoid;
  { provider.Think(batch) } -> StatusOrVoid;
};

template <AiController T>
struct AiControllerTable {
  using Table = mu_ai_controller_v0;
  static constexpr const char* kId = MU_AI_CONTROLLER_V0;
  static constexpr mu_note_interface kNote = MU_PROVIDES_AI_CONTROLLER_V0;

  static mu_status Create(mu_ai_provider** out) noexcept { return detail::Create<T>(out); }
  static std::uint32_t ControllerCount(const mu_ai_provider* self) noexcept {
    std::uint32_t count = 0;
    const mu_status status = detail::Guarded([&] { count = detail::Self<T>(self).ControllerCount(); });
    return status == MU_OK ? count : 0;
  }
  static mu_status ControllerInfo(const mu_ai_provider* self, std::uint32_t index, mu_controller_info* out) noexcept {
    return detail::Guarded([&] { return detail::Self<T>(self).ControllerInfo(index, *out); });
  }
  static mu_status Think(mu_ai_provider* self, const mu_think_batch* batch) noexcept {
    return detail::Guarded([&] { return detail::Self<T>(self).Think(*batch); });
  }

  static constexpr Table kTable{sizeof(Table),   0,     &Create, &detail::Destroy<T, mu_ai_provider>, &ControllerCount,
                                &ControllerInfo, &Think};
};

/// A class of static functions that turns records into bits; see SnapshotCodec.h for every rule.
template <class T>
concept SnapshotCodec = requires(mu_codec_info& info, const mu_codec_columns& columns,
                                 std::span<const std::uint32_t> slots, mu_canonical_record* records,
                                 std::span<mu_encode_item> items, std::uint8_t* bits, std::uint32_t number,
                                 mu_bytes bytes, std::uint64_t bitOffset, const mu_canonical_record* anchor,
                                 mu_canonical_record& record, std::uint32_t& bitsRead, mu_record_values& values) {
  { T::Info(info) } -> std::same_as<void>;
  { T::Quantise(columns, slots, records) } -> StatusOrVoid;
  { T::Encode(items, bits, number) } -> StatusOrVoid;
  { T::Decode(bytes, bitOffset, anchor, number, record, bitsRead) } -> std::same_as<mu_status>;
  { T::Dequantise(record, values) } -> StatusOrVoid;
};

template <SnapshotCodec T>
struct SnapshotCodecTable {
  using Table = mu_snapshot_codec_v0;
  static constexpr const char* kId = MU_SNAPSHOT_CODEC_V0;
  static constexpr mu_note_interface kNote = MU_PROVIDES_SNAPSHOT_CODEC_V0;

  static void Info(mu_codec_info* out) noexcept {
    static_cast<void>(detail::Guarded([&] { T::Info(*out); }));
  }
  static mu_status Quantise(const mu_codec_columns* columns, const std::uint32_t* slots, std::uint32_t count,
                            mu_canonical_record* records) noexcept {
    return detail::Guarded([&] { return T::Quantise(*columns, std::span{slots, std::size_t{count}}, records); });
  }
  static mu_status Encode(mu_encode_item* items, std::uint32_t count, std::uint8_t* bits,
                          std::uint32_t stride) noexcept {
    return detail::Guarded([&] { return T::Encode(std::span{items, std::size_t{count}}, bits, stride); });
  }
  static mu_status Decode(mu_bytes bytes, std::uint64_t bitOffset, const mu_canonical_record* anchor,
                          std::uint32_t anchorAgeTicks, mu_canonical_record* out, std::uint32_t* bitsRead) noexcept {
    return detail::Guarded([&] { return T::Decode(bytes, bitOffset, anchor, anchorAgeTicks, *out, *bitsRead); });
  }
  static mu_status Dequantise(const mu_canonical_record* record, mu_record_values* out) noexcept {
    return detail::Guarded([&] { return T::Dequantise(*record, *out); });
  }

  static constexpr Table kTable{sizeof(Table), 0, &Info, &Quantise, &Encode, &Decode, &Dequantise};
};

/// A class that carries messages; see Transport.h for every rule. `Send` writes the status of every item.
template <class T>
concept Transport = detail::Makeable<T, mu_transport_params> &&
    requires(T& transport, const mu_address& address, mu_address& bound, mu_connection connection,
             mu_connection& outConnection, std::span<mu_transport_event> events, std::uint32_t number,
             std::uint32_t& count, std::span<mu_transport_send> items, mu_transport_stats& stats) {
  { T::UnreliableOverheadBytes() } -> std::same_as<std::uint32_t>;
  { transport.Listen(address, bound) } -> StatusOrVoid;
  { transport.Connect(address, outConnection) } -> StatusOrVoid;
  { transport.Service(events, count) } -> StatusOrVoid;
  { transport.Send(items) } -> std::same_as<void>;
  { transport.Flush() } -> std::same_as<void>;
  { transport.Disconnect(connection, number) } -> std::same_as<void>;
  { transport.WaitHandle() } -> std::same_as<std::int32_t>;
  { transport.Stats(stats) } -> std::same_as<void>;
};

template <Transport T>
struct TransportTable {
  using Table = mu_transport_v0;
  static constexpr const char* kId = MU_TRANSPORT_V0;
  static constexpr mu_note_interface kNote = MU_PROVIDES_TRANSPORT_V0;

  static std::uint32_t UnreliableOverheadBytes() noexcept { return T::UnreliableOverheadBytes(); }
  static mu_status Create(const mu_transport_params* params, mu_transport** out) noexcept {
    return detail::Create<T>(out, params);
  }
  static mu_status Listen(mu_transport* self, const mu_address* bind, mu_address* bound) noexcept {
    return detail::Guarded([&] { return detail::Self<T>(self).Listen(*bind, *bound); });
  }
  static mu_status Connect(mu_transport* self, const mu_address* remote, mu_connection* out) noexcept {
    return detail::Guarded([&] { return detail::Self<T>(self).Connect(*remote, *out); });
  }
  static mu_status Service(mu_transport* self, mu_transport_event* events, std::uint32_t capacity,
                           std::uint32_t* count) noexcept {
    *count = 0;
    return detail::Guarded([&] {
      return detail::Self<T>(self).Service(std::span{events, std::size_t{capacity}}, *count);
    });
  }
  static void Send(mu_transport* self, mu_transport_send* items, std::uint32_t count) noexcept {
    const std::span batch{items, std::size_t{count}};
    // What an exception keeps Send from deciding has not been sent.
    for (mu_transport_send& item : batch) {
      item.status = MU_E_EXCEPTION;
    }
    static_cast<void>(detail::Guarded([&] { detail::Self<T>(self).Send(batch); }));
  }
  static void Flush(mu_transport* self) noexcept {
    static_cast<void>(detail::Guarded([&] { detail::Self<T>(self).Flush(); }));
  }
  static void Disconnect(mu_transport* self, mu_connection connection, std::uint32_t detailCode) noexcept {
    static_cast<void>(detail::Guarded([&] { detail::Self<T>(self).Disconnect(connection, detailCode); }));
  }
  static std::int32_t WaitHandle(mu_transport* self) noexcept {
    std::int32_t handle = -1;
    static_cast<void>(detail::Guarded([&] { handle = detail::Self<T>(self).WaitHandle(); }));
    return handle;
  }
  static void Stats(mu_transport* self, mu_transport_stats* out) noexcept {
    detail::FillSized(out, [&](mu_transport_stats& stats) { detail::Self<T>(self).Stats(stats); });
  }

  static constexpr Table kTable{sizeof(Table),
                                0,
                                &UnreliableOverheadBytes,
                                &Create,
                                &detail::Destroy<T, mu_transport>,
                                &Listen,
                                &Connect,
                                &Service,
                                &Send,
                                &Flush,
                                &Disconnect,
                                &WaitHandle,
                                &Stats};
};

}  // namespace muster::plugin
