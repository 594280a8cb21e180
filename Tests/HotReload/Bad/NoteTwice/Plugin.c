// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_NOTE                                                                         \
  MU_DEFINE_NOTE(MUSTER_PLUGIN_ID, MUSTER_PLUGIN_VERSION, MU_PROVIDES_AI_CONTROLLER_V0); \
  MU_NOTE_ATTRIBUTES static const mu_note_section mu_second_note = {.type = MU_NOTE_TYPE}

#include "GoodPlugin.h"
