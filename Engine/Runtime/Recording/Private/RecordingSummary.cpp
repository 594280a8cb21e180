// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "Recording/RecordingReader.h"

#include "Core/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace muster::recording {

RecordingSummary Summarise(RecordingReader& reader) {
  RecordingSummary summary;
  summary.schema = reader.Schema();
  summary.bytes = reader.SizeBytes();
  Result<bool> more = reader.Next();
  for (; more && *more; more = reader.Next()) {
    const RecordedTick& tick = reader.Current();
    summary.firstTick = summary.ticks == 0 ? tick.tick : summary.firstTick;
    summary.lastTick = tick.tick;
    ++summary.ticks;
    summary.worldTicks += tick.hasWorld ? 1U : 0U;
    summary.mostEntities = std::max<std::uint64_t>(summary.mostEntities, tick.handles.size());
    summary.entityRows += tick.handles.size();
    summary.inputRows += tick.inputs.size();
  }
  if (!more) {
    summary.damage = more.Failure();
  }
  summary.leftOut = reader.Current().leftOut;
  summary.isComplete = reader.IsComplete();
  return summary;
}

std::string ToText(const RecordingSummary& summary) {
  std::string text = fmt::format(
      "ticks        {} ({} to {}), {} left out\n"
      "world        {} ticks (every {}), {} rows, at most {} entities of {}\n"
      "inputs       {} rows\n"
      "bytes        {}{}\n"
      "seed         {}\n"
      "columns      {}\n",
      summary.ticks, summary.firstTick.Value(), summary.lastTick.Value(), summary.leftOut, summary.worldTicks,
      summary.schema.everyTicks, summary.entityRows, summary.mostEntities, summary.schema.slotCapacity,
      summary.inputRows, summary.bytes, summary.isComplete ? "" : ", cut off: the recording was not ended in order",
      summary.schema.seed, summary.schema.columns.size());
  for (const ColumnDescription& column : summary.schema.columns) {
    text += fmt::format("  {:<20} {:<6} {:>2} B  {}\n", EscapeControl(column.name), ElementTypeName(column.type),
                        column.elementBytes, EscapeControl(column.unit));
  }
  if (summary.damage) {
    text += summary.damage->ToString() + "\n";
  }
  return text;
}

}  // namespace muster::recording
