// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The headers are C11: this file only has to compile, and to agree with C++ about sizes.
#include "PluginApi/Abi.h"
#include "PluginApi/AiController.h"
#include "PluginApi/Entry.h"
#include "PluginApi/Host.h"
#include "PluginApi/LayoutHash.h"
#include "PluginApi/Note.h"
#include "PluginApi/SnapshotCodec.h"
#include "PluginApi/SpatialIndex.h"
#include "PluginApi/Transport.h"

_Static_assert(sizeof(mu_canonical_record) == 48, "a record has no padding");
_Static_assert(sizeof(mu_note_section) == 20 + sizeof(mu_note), "the note has no padding");
_Static_assert(sizeof(mu_note) == 32 + 64 + 32 + 8 * 56, "the note's description has no padding");

static const mu_note_interface kInterfaces[] = {MU_PROVIDES_TRANSPORT_V0, MU_PROVIDES_SPATIAL_INDEX_V0,
                                                MU_PROVIDES_AI_CONTROLLER_V0, MU_PROVIDES_SNAPSHOT_CODEC_V0};

size_t MusterSizesInC(size_t index);
size_t MusterSizesInC(size_t index) {
  const size_t sizes[] = {sizeof(mu_plugin_entry),     sizeof(mu_note),
                          sizeof(mu_transport_v0),     sizeof(mu_spatial_index_v0),
                          sizeof(mu_ai_controller_v0), sizeof(mu_snapshot_codec_v0),
                          sizeof(mu_transport_params), sizeof(mu_transport_event),
                          sizeof(mu_think_batch),      sizeof(mu_world_view),
                          sizeof(mu_codec_columns),    sizeof(kInterfaces) / 4};
  return index < sizeof(sizes) / sizeof(sizes[0]) ? sizes[index] : 0;
}
