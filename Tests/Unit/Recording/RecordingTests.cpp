// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Format.h"

#include "Core/Files.h"
#include "Core/Mutex.h"
#include "Core/Random.h"
#include "Recording/RecordingReader.h"
#include "Recording/RecordingWriter.h"
#include "World/EntityStore.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace muster::recording {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Steering {
  float values[4];
  std::uint32_t buttons;
};

/// A little world with columns of every type, which changes all the time.
class RecordedWorld {
 public:
  explicit RecordedWorld(std::uint32_t capacity = 200)
      : m_x{m_registry.Add<double>({.name = "position_x"})},
        m_health{m_registry.Add<float>({.name = "health"})},
        m_archetype{m_registry.Add<std::uint16_t>({.name = "archetype"})},
        m_class{m_registry.Add<std::uint8_t>({.name = "entity_class"})},
        m_control{m_registry.Add<Steering>({.name = "control"})},
        store{m_registry, {.capacity = capacity}} {}

  [[nodiscard]] std::vector<RecordedColumn> Columns() const {
    return {{{"position_x", ElementType::F64, "m", 8}, m_x.index},
            {{"health", ElementType::F32, "", 4}, m_health.index},
            {{"archetype", ElementType::U16, "", 2}, m_archetype.index},
            {{"entity_class", ElementType::U8, "", 1}, m_class.index},
            {{"control", ElementType::Bytes, "", sizeof(Steering)}, m_control.index}};
  }

  void Change(Random& random) {
    for (int i = 0; i < 6; ++i) {
      if (const auto handle = store.Create(); !handle.IsNull()) {
        const std::uint32_t slot = handle.Slot();
        // Any bits, NaN among them: a recorder copies, it does not calculate.
        const std::uint64_t bits = random.Next();
        std::memcpy(&store.Column(m_x)[slot], &bits, sizeof bits);
        store.Column(m_health)[slot] = random.NextUnitFloat();
        store.Column(m_archetype)[slot] = static_cast<std::uint16_t>(random.Next());
        store.Column(m_class)[slot] = static_cast<std::uint8_t>(random.Next());
        store.Column(m_control)[slot] = {{0.5F, -0.5F, random.NextUnitFloat(), 0.0F}, 7};
      }
    }
    const std::uint32_t slot = static_cast<std::uint32_t>(random.NextBelow(store.Capacity()));
    store.Destroy(store.HandleAt(slot));
  }

  /// What a recording should hold now: the handles, and each column's bytes.
  struct Copy {
    std::vector<world::EntityHandle> handles;
    std::vector<Bytes> columns;
  };
  [[nodiscard]] Copy Now() const {
    Copy copy;
    for (const std::uint32_t slot : store.LiveSlots()) {
      copy.handles.push_back(store.HandleAt(slot));
    }
    for (const RecordedColumn& column : Columns()) {
      const auto* const data = static_cast<const std::uint8_t*>(store.ColumnData(column.index));
      const std::size_t width = column.description.elementBytes;
      Bytes& bytes = copy.columns.emplace_back();
      for (const std::uint32_t slot : store.LiveSlots()) {
        bytes.insert(bytes.end(), data + slot * width, data + (slot + 1) * width);
      }
    }
    return copy;
  }

 private:
  world::ColumnRegistry m_registry;
  world::ColumnId<double> m_x;
  world::ColumnId<float> m_health;
  world::ColumnId<std::uint16_t> m_archetype;
  world::ColumnId<std::uint8_t> m_class;
  world::ColumnId<Steering> m_control;

 public:
  world::EntityStore store;
};

/// Collects the bytes; can hold the writer back and can fail.
struct Shelf {
  Mutex mutex;
  CondVar changed;
  Bytes bytes MUSTER_GUARDED_BY(mutex);
  bool isHeld MUSTER_GUARDED_BY(mutex) = false;
  bool isWaiting MUSTER_GUARDED_BY(mutex) = false;
  std::size_t failsBeyond MUSTER_GUARDED_BY(mutex) = SIZE_MAX;

  void Hold(bool hold) {
    const MutexLock lock{mutex};
    isHeld = hold;
    changed.NotifyAll();
  }
  void AwaitWriter() {
    const MutexLock lock{mutex};
    while (!isWaiting) {
      changed.Wait(mutex);
    }
  }
  Bytes Taken() {
    const MutexLock lock{mutex};
    return bytes;
  }
};

class ShelfSink final : public IRecordingSink {
 public:
  explicit ShelfSink(Shelf& shelf) : m_shelf{shelf} {}
  Result<void> Write(std::span<const std::uint8_t> bytes) override {
    const MutexLock lock{m_shelf.mutex};
    while (m_shelf.isHeld) {
      m_shelf.isWaiting = true;
      m_shelf.changed.NotifyAll();
      m_shelf.changed.Wait(m_shelf.mutex);
    }
    m_shelf.isWaiting = false;
    if (m_shelf.bytes.size() + bytes.size() > m_shelf.failsBeyond) {
      return Error{kRecordingWriteFailed, "The shelf is full.", "", "Get a larger one."};
    }
    m_shelf.bytes.insert(m_shelf.bytes.end(), bytes.begin(), bytes.end());
    return {};
  }

 private:
  Shelf& m_shelf;
};

void AwaitFinished(const RecordingWriter& writer) {
  while (!writer.IsFinished()) {
    std::this_thread::yield();
  }
}

/// Until the writer has taken everything off the ring, so that a test that records fast loses no tick.
void AwaitWritten(const RecordingWriter& writer, std::uint64_t ticks) {
  while (writer.Status().ticks < ticks && !writer.IsFinished()) {
    std::this_thread::yield();
  }
}

std::vector<InputRow> InputsOf(std::uint64_t tick) {
  std::vector<InputRow> inputs;
  for (std::uint32_t i = 0; i < tick % 4; ++i) {
    inputs.push_back({SessionId{i + 1}, world::EntityHandle{i, 3}, 0.25F * static_cast<float>(i), -0.5F,
                      static_cast<float>(tick), 1.0F, i});
  }
  return inputs;
}

struct Recorded {
  Bytes bytes;
  std::vector<RecordedWorld::Copy> worlds;  ///< by tick, from 1 on
  std::vector<std::size_t> chunkEnds;       ///< where each tick's chunk ends
};

Recorded RecordTicks(std::uint64_t ticks, std::uint32_t everyTicks, std::uint32_t capacity = 200) {
  RecordedWorld world{capacity};
  Shelf shelf;
  Recorded recorded;
  Random random{3};
  RecordingWriter writer{
      std::make_unique<ShelfSink>(shelf), world.store, world.Columns(), {.everyTicks = everyTicks, .seed = 77}};
  for (std::uint64_t tick = 1; tick <= ticks; ++tick) {
    world.Change(random);
    recorded.worlds.push_back(world.Now());
    writer.Record(Tick{tick}, InputsOf(tick));
    AwaitWritten(writer, tick);
    recorded.chunkEnds.push_back(shelf.Taken().size());
  }
  writer.Finish();
  AwaitFinished(writer);
  EXPECT_EQ(writer.Status().state, RecordingState::Stopped);
  EXPECT_EQ(writer.Status().leftOut, 0U);
  recorded.bytes = shelf.Taken();
  EXPECT_EQ(writer.Status().bytes, recorded.bytes.size());
  return recorded;
}

RecordingReader ReaderOf(Bytes bytes) {
  auto reader = RecordingReader::FromBytes(std::move(bytes), "test");
  EXPECT_TRUE(reader.HasValue()) << (reader ? "" : reader.Failure().ToString());
  return std::move(*reader);
}

bool Advance(RecordingReader& reader) {
  const Result<bool> more = reader.Next();
  EXPECT_TRUE(more.HasValue()) << (more ? "" : more.Failure().ToString());
  return more && *more;
}

TEST(Recording, TheWorldComesBackBitForBit) {
  const Recorded recorded = RecordTicks(120, 3);
  RecordingReader reader = ReaderOf(recorded.bytes);
  EXPECT_EQ(reader.Schema().seed, 77U);
  EXPECT_EQ(reader.Schema().slotCapacity, 200U);
  EXPECT_EQ(reader.Schema().everyTicks, 3U);
  ASSERT_EQ(reader.Schema().columns.size(), 5U);
  EXPECT_EQ(reader.Schema().columns[0], (ColumnDescription{"position_x", ElementType::F64, "m", 8}));
  EXPECT_EQ(reader.FindColumn("archetype"), std::optional<std::size_t>{2});
  EXPECT_EQ(reader.FindColumn("nothing"), std::nullopt);
  for (std::uint64_t tick = 1; tick <= 120; ++tick) {
    ASSERT_TRUE(Advance(reader));
    const RecordedTick& current = reader.Current();
    EXPECT_EQ(current.tick, Tick{tick});
    EXPECT_EQ(current.leftOut, 0U);
    ASSERT_EQ(current.hasWorld, tick % 3 == 0);
    const std::vector<InputRow> inputs = InputsOf(tick);
    ASSERT_EQ(current.inputs.size(), inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_EQ(current.inputs[i].session, inputs[i].session);
      EXPECT_EQ(current.inputs[i].entity, inputs[i].entity);
      EXPECT_EQ(current.inputs[i].throttle, inputs[i].throttle);
      EXPECT_EQ(current.inputs[i].elevator, inputs[i].elevator);
      EXPECT_EQ(current.inputs[i].aileron, inputs[i].aileron);
      EXPECT_EQ(current.inputs[i].rudder, inputs[i].rudder);
      EXPECT_EQ(current.inputs[i].buttons, inputs[i].buttons);
    }
    if (!current.hasWorld) {
      EXPECT_TRUE(reader.ColumnBytes(0).empty());
      continue;
    }
    const RecordedWorld::Copy& expected = recorded.worlds[tick - 1];
    EXPECT_EQ(current.handles, expected.handles);
    for (std::size_t column = 0; column < expected.columns.size(); ++column) {
      const auto bytes = reader.ColumnBytes(column);
      EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), expected.columns[column]) << "tick " << tick;
    }
    std::vector<std::uint16_t> archetypes;
    reader.ReadColumn(2, archetypes);
    EXPECT_EQ(archetypes.size(), current.handles.size());
  }
  EXPECT_FALSE(Advance(reader));
  EXPECT_FALSE(Advance(reader)) << "the end stays the end";
  EXPECT_TRUE(reader.IsComplete());
}

TEST(Recording, EqualWorldsGiveEqualBytes) {
  EXPECT_EQ(RecordTicks(30, 2).bytes, RecordTicks(30, 2).bytes);
}

TEST(Recording, CutAnywhereItReadsAsItsWholeChunksOrFailsWithAName) {
  const Recorded recorded = RecordTicks(12, 2, 40);
  for (std::size_t length = 0; length < recorded.bytes.size(); ++length) {
    auto reader = RecordingReader::FromBytes(
        {recorded.bytes.begin(), recorded.bytes.begin() + static_cast<std::ptrdiff_t>(length)}, "cut");
    if (!reader) {
      EXPECT_EQ(reader.Failure().code, kRecordingMalformed) << length;
      EXPECT_LT(length, recorded.chunkEnds.front()) << "the schema is whole, so it must open";
      continue;
    }
    std::size_t ticks = 0;
    while (Advance(*reader)) {
      ++ticks;
      EXPECT_EQ(reader->Current().tick, Tick{ticks});
    }
    std::size_t whole = 0;
    while (whole < recorded.chunkEnds.size() && recorded.chunkEnds[whole] <= length) {
      ++whole;
    }
    ASSERT_EQ(ticks, whole) << "cut at " << length;
    EXPECT_FALSE(reader->IsComplete());
  }
}

TEST(Recording, NoChangedByteGoesUnseen) {
  const Recorded recorded = RecordTicks(6, 1, 20);
  for (std::size_t at = 0; at < recorded.bytes.size(); ++at) {
    if (at >= 12 && at < kFileHeadBytes) {
      continue;  // kept for later, read by nobody
    }
    Bytes changed = recorded.bytes;
    changed[at] ^= 0x10U;
    auto reader = RecordingReader::FromBytes(std::move(changed), "changed");
    bool isSeen = !reader.HasValue();
    if (reader) {
      Result<bool> more = reader->Next();
      while (more && *more) {
        more = reader->Next();
      }
      isSeen = !more || !reader->IsComplete();
      if (!more) {
        EXPECT_EQ(more.Failure().code, kRecordingDamaged);
        EXPECT_EQ(reader->Next().Failure().code, kRecordingDamaged) << "the error stays";
      }
    }
    EXPECT_TRUE(isSeen) << "byte " << at;
  }
}

/// Rewrites every chunk's head, so that what was changed inside reaches the decoder behind the hash.
void Reseal(Bytes& bytes) {
  std::size_t at = kFileHeadBytes;
  for (std::uint64_t index = 0; at + kChunkHeadBytes <= bytes.size(); ++index) {
    std::uint32_t tag = 0;
    std::uint32_t length = 0;
    std::memcpy(&tag, bytes.data() + at, 4);
    std::memcpy(&length, bytes.data() + at + 4, 4);
    if (length > bytes.size() - at - kChunkHeadBytes) {
      return;
    }
    SealChunk(std::span{bytes}.subspan(at, kChunkHeadBytes + length), tag, index);
    at += kChunkHeadBytes + length;
  }
}

TEST(Recording, NothingBehindARightHashBreaksTheReader) {
  const Recorded recorded = RecordTicks(8, 2, 30);
  Random random{21};
  std::uint64_t refused = 0;
  for (int run = 0; run < 20'000; ++run) {
    Bytes changed = recorded.bytes;
    for (std::uint64_t edits = 1 + random.NextBelow(3); edits > 0; --edits) {
      // Mostly where counts and descriptions stand.
      const std::size_t reach = random.NextChance(0.7) ? std::min<std::size_t>(changed.size(), 500) : changed.size();
      const std::size_t at = kFileHeadBytes + random.NextBelow(reach - kFileHeadBytes);
      changed[at] = random.NextChance(0.3) ? 0xFF : static_cast<std::uint8_t>(random.Next());
    }
    Reseal(changed);
    auto reader = RecordingReader::FromBytes(std::move(changed), "hostile");
    if (!reader) {
      ++refused;
      continue;
    }
    const RecordingSummary summary = Summarise(*reader);
    refused += summary.damage ? 1U : 0U;
    EXPECT_FALSE(ToText(summary).empty());
    EXPECT_LE(summary.mostEntities, summary.schema.slotCapacity);
  }
  EXPECT_GT(refused, 1'000U) << "the changes must hurt";
}

TEST(Recording, WhatIsNoRecordingIsNamed) {
  const auto codeOf = [](Bytes bytes) {
    const auto reader = RecordingReader::FromBytes(std::move(bytes), "x");
    return reader ? ErrorCode{} : reader.Failure().code;
  };
  EXPECT_EQ(codeOf({}), kRecordingMalformed);
  EXPECT_EQ(codeOf(Bytes(4'096, 0)), kRecordingMalformed);
  Bytes newer = RecordTicks(1, 1).bytes;
  newer[8] = 9;
  EXPECT_EQ(codeOf(newer), kRecordingVersion);
  EXPECT_EQ(RecordingReader::Open("/nowhere/at/all").Failure().code, kRecordingUnreadable);
  EXPECT_EQ(RecordingReader::Open("/dev/null").Failure().code, kRecordingUnreadable);
  Bytes longer = RecordTicks(1, 1).bytes;
  longer.push_back(0);
  auto reader = RecordingReader::FromBytes(longer, "x");
  ASSERT_TRUE(reader.HasValue());
  EXPECT_TRUE(reader->Next().HasValue());
  EXPECT_EQ(reader->Next().Failure().code, kRecordingDamaged);
}

TEST(Recording, ASlowDiskCostsWholeTicksWhichAreCountedAndTheRestIsRight) {
  RecordedWorld world;
  Shelf shelf;
  shelf.Hold(true);
  Random random{8};
  RecordingWriter writer{std::make_unique<ShelfSink>(shelf), world.store, world.Columns(), {}};
  shelf.AwaitWriter();  // it stands before the file's head, and every frame is free
  for (std::uint64_t tick = 1; tick <= 100; ++tick) {
    world.Change(random);
    writer.Record(Tick{tick}, {});
  }
  EXPECT_EQ(writer.Status().leftOut, 100U - 16U);
  shelf.Hold(false);
  AwaitWritten(writer, 16);
  world.Change(random);
  const RecordedWorld::Copy last = world.Now();
  writer.Record(Tick{101}, {});
  writer.Finish();
  AwaitFinished(writer);

  RecordingReader reader = ReaderOf(shelf.Taken());
  for (std::uint64_t tick = 1; tick <= 16; ++tick) {
    ASSERT_TRUE(Advance(reader));
    EXPECT_EQ(reader.Current().tick, Tick{tick});
  }
  ASSERT_TRUE(Advance(reader));
  EXPECT_EQ(reader.Current().tick, Tick{101});
  EXPECT_EQ(reader.Current().leftOut, 84U);
  EXPECT_EQ(reader.Current().handles, last.handles);
  EXPECT_FALSE(Advance(reader));
  EXPECT_TRUE(reader.IsComplete());
}

TEST(Recording, EndsInOrderBeforeItIsTooLarge) {
  RecordedWorld world;
  Shelf shelf;
  RecordingWriter writer{std::make_unique<ShelfSink>(shelf), world.store, world.Columns(), {.maxBytes = 20'000}};
  Random random{8};
  for (std::uint64_t tick = 1; !writer.IsFinished(); ++tick) {
    world.Change(random);
    writer.Record(Tick{tick}, {});
    std::this_thread::yield();
  }
  EXPECT_EQ(writer.Status().state, RecordingState::Full);
  const Bytes bytes = shelf.Taken();
  EXPECT_LE(bytes.size(), 20'000U);
  EXPECT_GT(bytes.size(), 10'000U);
  const std::uint64_t written = writer.Status().ticks;
  writer.Record(Tick{1'000'000}, {});
  writer.Finish();
  EXPECT_EQ(writer.Status().state, RecordingState::Full);
  RecordingReader reader = ReaderOf(bytes);
  EXPECT_EQ(Summarise(reader).ticks, written);
  EXPECT_TRUE(reader.IsComplete());
}

TEST(Recording, AFailingDiskEndsItWithTheDisksErrorAndKeepsWhatThereIs) {
  RecordedWorld world;
  Shelf shelf;
  {
    const MutexLock lock{shelf.mutex};
    shelf.failsBeyond = 5'000;
  }
  RecordingWriter writer{std::make_unique<ShelfSink>(shelf), world.store, world.Columns(), {}};
  Random random{8};
  for (std::uint64_t tick = 1; !writer.IsFinished(); ++tick) {
    world.Change(random);
    writer.Record(Tick{tick}, {});
    std::this_thread::yield();
  }
  EXPECT_EQ(writer.Status().state, RecordingState::Failed);
  EXPECT_EQ(writer.Failure().code, kRecordingWriteFailed);
  RecordingReader reader = ReaderOf(shelf.Taken());
  const RecordingSummary summary = Summarise(reader);
  EXPECT_EQ(summary.ticks, writer.Status().ticks);
  EXPECT_FALSE(summary.isComplete);
  EXPECT_FALSE(summary.damage.has_value());
}

TEST(Recording, AFileIsNeverWrittenOver) {
  auto folder = TemporaryDirectory::Create();
  ASSERT_TRUE(folder.HasValue());
  const auto path = folder->Path() / "world.rec";
  RecordedWorld world;
  {
    auto sink = CreateRecordingFile(path);
    ASSERT_TRUE(sink.HasValue());
    RecordingWriter writer{std::move(*sink), world.store, world.Columns(), {}};
    Random random{1};
    world.Change(random);
    writer.Record(Tick{1}, InputsOf(3));
  }
  EXPECT_EQ(CreateRecordingFile(path).Failure().code, kRecordingExists);
  EXPECT_EQ(CreateRecordingFile(folder->Path() / "no" / "x.rec").Failure().code, kRecordingNotCreated);
  auto reader = RecordingReader::Open(path);
  ASSERT_TRUE(reader.HasValue()) << reader.Failure().ToString();
  const RecordingSummary summary = Summarise(*reader);
  EXPECT_EQ(summary.ticks, 1U);
  EXPECT_EQ(summary.inputRows, 3U);
  EXPECT_TRUE(summary.isComplete);
  const std::string text = ToText(summary);
  EXPECT_NE(text.find("position_x"), std::string::npos) << text;
  EXPECT_NE(text.find("f64"), std::string::npos) << text;
  EXPECT_EQ(text.find("cut off"), std::string::npos) << text;
}

}  // namespace
}  // namespace muster::recording
