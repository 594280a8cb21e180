// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#define BAD_NOTE                                                           \
  MU_NOTE_ATTRIBUTES static const mu_note_section kNote = {                \
      sizeof(MU_NOTE_NAME),                                                \
      sizeof(mu_note),                                                     \
      MU_NOTE_TYPE,                                                        \
      MU_NOTE_NAME,                                                        \
      {MU_NOTE_VERSION,                                                    \
       sizeof(mu_note),                                                    \
       MU_API_LEVEL,                                                       \
       64u,                                                                \
       MU_BUILT_SANITIZER,                                                 \
       MU_BUILT_COMPILER,                                                  \
       MU_BUILT_COMPILER_MAJOR,                                            \
       0,                                                                  \
       "com.example.bad.bad.bad.bad.bad.bad.bad.bad.bad.bad.bad.bad.bad.", \
       MUSTER_PLUGIN_VERSION,                                              \
       {MU_PROVIDES_AI_CONTROLLER_V0}}}

#include "GoodPlugin.h"
