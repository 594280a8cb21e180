// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// A controller plugin that is in order, and leaves marks where its code runs. A case of the corpus defines the one
// thing that is wrong with it and includes this; what it does not define stays as it should be.
//
// Marks: any code of the library that runs adds a line to the file that MUSTER_FIXTURE_MARKER names.
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "PluginApi/AiController.h"
#include "PluginApi/Entry.h"
#include "PluginApi/LayoutHash.h"
#include "PluginApi/Note.h"

#ifndef BAD_NOTE
#define BAD_NOTE MU_DEFINE_NOTE(MUSTER_PLUGIN_ID, MUSTER_PLUGIN_VERSION, MU_PROVIDES_AI_CONTROLLER_V0)
#endif
#ifndef BAD_VERSION_OF_THE_CODE
#define BAD_VERSION_OF_THE_CODE MUSTER_PLUGIN_VERSION
#endif
#ifndef BAD_INIT
#define BAD_INIT MU_OK
#endif
#ifndef BAD_CREATE
#define BAD_CREATE MU_OK
#endif
#ifndef BAD_TABLE_SIZE
#define BAD_TABLE_SIZE sizeof(mu_ai_controller_v0)
#endif
#ifndef BAD_THINK
#define BAD_THINK Think
#endif
#ifndef BAD_TABLE
#define BAD_TABLE &kTable
#endif
#ifndef BAD_ENTRY_MAGIC
#define BAD_ENTRY_MAGIC MU_ENTRY_MAGIC
#endif
#ifndef BAD_ENTRY_SIZE
#define BAD_ENTRY_SIZE sizeof(mu_plugin_entry)
#endif
#ifndef BAD_ENTRY_API_LEVEL
#define BAD_ENTRY_API_LEVEL MU_API_LEVEL
#endif
#ifndef BAD_ENTRY_INIT
#define BAD_ENTRY_INIT Init
#endif
#ifndef BAD_ENTRY_NAME
#define BAD_ENTRY_NAME mu_plugin_entry_v1
#endif

BAD_NOTE;

static void LeaveMark(const char* what) {
  const char* path = getenv("MUSTER_FIXTURE_MARKER");
  FILE* file = path == NULL ? NULL : fopen(path, "a");
  if (file != NULL) {
    fputs(what, file);
    fclose(file);
  }
}

__attribute__((constructor)) static void Constructor(void) {
  LeaveMark("constructor\n");
}

static void InInitArray(void) {
  LeaveMark("init_array\n");
}
__attribute__((section(".init_array"), used)) static void (*g_inInitArray)(void) = InInitArray;

struct mu_ai_provider {
  int unused;
};

static const mu_host* g_host;

static mu_text Text(const char* text) {
  const mu_text result = {text, strlen(text)};
  return result;
}

static void SetSentence(const char* text) {
  const mu_host_error_v0* error = (const mu_host_error_v0*)g_host->service(g_host->context, MU_HOST_ERROR_V0);
  error->set(g_host->context, Text(text));
}

static mu_status Create(mu_ai_provider** out) {
  const mu_status status = BAD_CREATE;
  if (status != MU_OK) {
    SetSentence("out of coffee");
    return status;
  }
  *out = (mu_ai_provider*)calloc(1, sizeof(mu_ai_provider));
  return *out == NULL ? MU_E_OUT_OF_MEMORY : MU_OK;
}

static void Destroy(mu_ai_provider* self) {
  free(self);
}

static uint32_t ControllerCount(const mu_ai_provider* self) {
  (void)self;
  return 1;
}

static mu_status ControllerInfo(const mu_ai_provider* self, uint32_t index, mu_controller_info* out) {
  (void)self;
  if (index != 0) {
    return MU_E_INVALID_ARGUMENT;
  }
  memset(out, 0, sizeof(*out));
  out->name = Text("full_throttle");
  out->think_stride = 1;
  return MU_OK;
}

__attribute__((unused)) static mu_status Think(mu_ai_provider* self, const mu_think_batch* batch) {
  (void)self;
  for (uint32_t i = 0; i < batch->count; ++i) {
    batch->controls[i].throttle = 1.0f;
  }
  return MU_OK;
}

__attribute__((unused)) static const mu_ai_controller_v0 kTable = {
    BAD_TABLE_SIZE, 0, Create, Destroy, ControllerCount, ControllerInfo, BAD_THINK};

static void Identity(mu_plugin_identity* out) {
  out->id = Text(MUSTER_PLUGIN_ID);
  out->version = Text(BAD_VERSION_OF_THE_CODE);
  out->build = Text("corpus");
}

__attribute__((unused)) static mu_status Init(const mu_host* host) {
  const mu_status status = BAD_INIT;
  g_host = host;
  if (status != MU_OK) {
    SetSentence("no coffee left");
  }
  return status;
}

static void Deinit(void) {
  g_host = NULL;
}

static const void* GetInterface(const char* id) {
  return strcmp(id, MU_AI_CONTROLLER_V0) == 0 ? BAD_TABLE : NULL;
}

extern const mu_plugin_entry BAD_ENTRY_NAME;
__attribute__((visibility("default"))) const mu_plugin_entry BAD_ENTRY_NAME = {
    BAD_ENTRY_MAGIC, BAD_ENTRY_SIZE, BAD_ENTRY_API_LEVEL, 0, Identity, BAD_ENTRY_INIT, Deinit, GetInterface};
