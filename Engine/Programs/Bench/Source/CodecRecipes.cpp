// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Recipes.h"

#include "Core/Random.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <numeric>
#include <utility>

namespace muster::bench {
namespace {

constexpr std::uint32_t kEntities = 5'000;
constexpr std::uint32_t kAnchorAgeTicks = 16;

/// Aircraft in flight as columns, and where they are 16 ticks later.
struct Fleet {
  Fleet() : slots(kEntities) {
    std::iota(slots.begin(), slots.end(), 0U);
    Random random{17};
    for (auto& column : positions) {
      column.resize(kEntities);
    }
    for (auto& column : floats) {
      column.resize(kEntities);
    }
    status.assign(kEntities, 0);
    for (std::size_t entity = 0; entity < kEntities; ++entity) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        positions[axis][entity] =
            axis == 1 ? random.NextBetween(50.0, 4'000.0) : random.NextBetween(-25'000.0, 25'000.0);
        floats[axis][entity] = random.NextBetween(-180.0F, 180.0F);
      }
      for (std::size_t part = 3; part < 7; ++part) {
        floats[part][entity] = random.NextBetween(-0.5F, 0.5F);
      }
      floats[7][entity] = 1.0F;
      floats[8][entity] = random.NextUnitFloat();
    }
  }

  void FlyOn(Random random) {
    constexpr double seconds = kAnchorAgeTicks / 60.0;
    for (std::size_t entity = 0; entity < kEntities; ++entity) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float change = random.NextBetween(-3.0F, 3.0F);
        positions[axis][entity] += seconds * static_cast<double>(floats[axis][entity] + change / 2.0F);
        floats[axis][entity] += change;
      }
      for (std::size_t part = 3; part < 7; ++part) {
        floats[part][entity] += random.NextBetween(-0.02F, 0.02F);
      }
    }
  }

  [[nodiscard]] mu_codec_columns Columns() const {
    return {sizeof(mu_codec_columns), kEntities,        positions[0].data(), positions[1].data(), positions[2].data(),
            floats[0].data(),         floats[1].data(), floats[2].data(),    floats[3].data(),    floats[4].data(),
            floats[5].data(),         floats[6].data(), floats[7].data(),    floats[8].data(),    status.data()};
  }

  std::array<std::vector<double>, 3> positions{};
  std::array<std::vector<float>, 9> floats{};
  std::vector<std::uint32_t> status{};
  std::vector<std::uint32_t> slots;
};

/// One codec's records and bits of the fleet.
struct Coded {
  explicit Coded(const NamedTable<mu_snapshot_codec_v0>& named) : codec{*named.table} {
    mu_codec_info info{};
    codec.info(&info);
    stride = info.max_bits / 8;
    anchors.resize(kEntities);
    records.resize(kEntities);
    decoded.resize(kEntities);
    absolute = Items(false);
    anchored = Items(true);
    absoluteBits.resize(std::size_t{kEntities} * stride);
    anchoredBits.resize(std::size_t{kEntities} * stride);
    const mu_codec_columns before = fleet.Columns();
    status |= codec.quantise(&before, fleet.slots.data(), kEntities, anchors.data());
    fleet.FlyOn(Random{18});
    Quantise();
    Encode(false);
    Encode(true);
  }

  void Quantise() {
    const mu_codec_columns columns = fleet.Columns();
    status |= codec.quantise(&columns, fleet.slots.data(), kEntities, records.data());
  }
  void Encode(bool isAnchored) {
    status |= codec.encode(isAnchored ? anchored.data() : absolute.data(), kEntities,
                           isAnchored ? anchoredBits.data() : absoluteBits.data(), stride);
  }
  void Decode(bool isAnchored) {
    const std::uint8_t* bits = isAnchored ? anchoredBits.data() : absoluteBits.data();
    const std::vector<mu_encode_item>& items = isAnchored ? anchored : absolute;
    for (std::size_t entity = 0; entity < kEntities; ++entity) {
      std::uint32_t bitsRead = 0;
      const mu_bytes bytes{bits + entity * stride, stride};
      status |=
          codec.decode(bytes, 0, items[entity].anchor, items[entity].anchor_age_ticks, &decoded[entity], &bitsRead);
    }
  }
  [[nodiscard]] double BitsPerRecord(bool isAnchored) const {
    double bits = 0.0;
    for (const mu_encode_item& item : isAnchored ? anchored : absolute) {
      bits += item.bit_count;
    }
    return bits / kEntities;
  }
  [[nodiscard]] std::string Check(const std::string& who) {
    for (const bool isAnchored : {false, true}) {
      std::memset(decoded.data(), 0xA5, decoded.size() * sizeof(mu_canonical_record));
      Decode(isAnchored);
      if (status != MU_OK ||
          std::memcmp(decoded.data(), records.data(), records.size() * sizeof(mu_canonical_record)) != 0) {
        return fmt::format("{} does not decode what it encoded ({})", who, isAnchored ? "anchored" : "absolute");
      }
    }
    return {};
  }

  const mu_snapshot_codec_v0& codec;
  Fleet fleet{};
  std::uint32_t stride = 0;
  mu_status status = MU_OK;
  std::vector<mu_canonical_record> anchors{}, records{}, decoded{};
  std::vector<mu_encode_item> absolute{}, anchored{};
  std::vector<std::uint8_t> absoluteBits{}, anchoredBits{};

 private:
  std::vector<mu_encode_item> Items(bool isAnchored) const {
    std::vector<mu_encode_item> items;
    for (std::size_t entity = 0; entity < kEntities; ++entity) {
      items.push_back({&records[entity], isAnchored ? &anchors[entity] : nullptr, isAnchored ? kAnchorAgeTicks : 0, 0});
    }
    return items;
  }
};

using Work = std::function<void(Coded&)>;

Group CodecGroup(const std::string& name, const Providers& providers, const Work& work, bool withBits,
                 bool isAnchored) {
  Group group;
  group.name = name;
  std::vector<std::shared_ptr<Coded>> all;
  std::vector<std::string> subjects;
  const auto add = [&](std::string label, std::string subject, std::function<void()> pass) {
    Case made;
    made.label = std::move(label);
    made.subject = std::move(subject);
    made.unit = "record";
    made.unitsPerPass = kEntities;
    made.pass = std::move(pass);
    group.cases.push_back(std::move(made));
  };
  for (const auto& named : providers.codecs) {
    auto coded = std::make_shared<Coded>(named);
    add(named.label, named.subject, [coded, work] { work(*coded); });
    if (withBits) {
      group.figures.push_back({named.label + "_bits", coded->BitsPerRecord(isAnchored), "bits a record"});
    }
    all.push_back(std::move(coded));
    subjects.push_back(named.subject);
  }
  auto from = std::make_shared<std::vector<mu_canonical_record>>(kEntities);
  auto to = std::make_shared<std::vector<mu_canonical_record>>(kEntities);
  add("memcpy", "memcpy of canonical records", [from, to] {
    for (std::size_t entity = 0; entity < kEntities; ++entity) {
      std::memcpy(&(*to)[entity], &(*from)[entity], sizeof(mu_canonical_record));
    }
    Keep(to->data());
  });
  for (const auto& named : providers.codecs) {
    group.ratios.push_back({named.label, "memcpy"});
  }
  group.check = [all, subjects] {
    std::string wrong;
    for (std::size_t at = 0; at < all.size() && wrong.empty(); ++at) {
      wrong = all[at]->Check(subjects[at]);
    }
    return wrong;
  };
  return group;
}

}  // namespace

std::vector<GroupRecipe> CodecRecipes(const Providers& providers) {
  std::vector<GroupRecipe> recipes;
  const auto add = [&](const std::string& name, std::string shows, Work work, bool withBits, bool isAnchored) {
    recipes.push_back({name, std::move(shows), true, [name, providers, work = std::move(work), withBits, isAnchored] {
                         return CodecGroup(name, providers, work, withBits, isAnchored);
                       }});
  };
  add(
      "codec/quantise", "columns of 5,000 aircraft to canonical records", [](Coded& coded) { coded.Quantise(); }, false,
      false);
  add(
      "codec/encode/absolute", "records to bits", [](Coded& coded) { coded.Encode(false); }, true, false);
  add(
      "codec/encode/anchored", "records to bits, relative to records 16 ticks older",
      [](Coded& coded) { coded.Encode(true); }, true, true);
  add(
      "codec/decode/absolute", "bits to records", [](Coded& coded) { coded.Decode(false); }, false, false);
  add(
      "codec/decode/anchored", "bits to records, relative to records 16 ticks older",
      [](Coded& coded) { coded.Decode(true); }, false, true);
  return recipes;
}

}  // namespace muster::bench
