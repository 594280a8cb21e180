// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// An AI controller in plain C. FIXTURE_FAULT picks one mistake to make; without it the plugin is in order.
#include <stdlib.h>
#include <string.h>

#include "PluginApi/AiController.h"
#include "PluginApi/Entry.h"
#include "PluginApi/LayoutHash.h"
#include "PluginApi/Note.h"

#define FAULT_NONE 0
#define FAULT_NULL_FUNCTION 1
#define FAULT_SMALL_TABLE 2
#define FAULT_LAYOUT 3
#define FAULT_INIT 4
#define FAULT_IDENTITY 5
#define FAULT_MAGIC 6
#define FAULT_NOTE_ID 7
#define FAULT_NO_TABLE 8
#define FAULT_API_LEVEL 9
#ifndef FIXTURE_FAULT
#define FIXTURE_FAULT FAULT_NONE
#endif

#if FIXTURE_FAULT == FAULT_LAYOUT
MU_DEFINE_NOTE(MUSTER_PLUGIN_ID, MUSTER_PLUGIN_VERSION, {MU_AI_CONTROLLER_V0, 1u, 2u});
#elif FIXTURE_FAULT == FAULT_NOTE_ID
MU_DEFINE_NOTE("com.example.other", MUSTER_PLUGIN_VERSION, MU_PROVIDES_AI_CONTROLLER_V0);
#else
MU_DEFINE_NOTE(MUSTER_PLUGIN_ID, MUSTER_PLUGIN_VERSION, MU_PROVIDES_AI_CONTROLLER_V0);
#endif

struct mu_ai_provider {
  int unused;
};

static const mu_host* g_host;

static mu_text Text(const char* text) {
  const mu_text result = {text, strlen(text)};
  return result;
}

static mu_status Create(mu_ai_provider** out) {
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

static mu_status Think(mu_ai_provider* self, const mu_think_batch* batch) {
  (void)self;
  for (uint32_t i = 0; i < batch->count; ++i) {
    batch->controls[i].throttle = 1.0f;
  }
  return MU_OK;
}

static const mu_ai_controller_v0 kTable = {
#if FIXTURE_FAULT == FAULT_SMALL_TABLE
    sizeof(mu_ai_controller_v0) - sizeof(void*),
#else
    sizeof(mu_ai_controller_v0),
#endif
    0,
    Create,
    Destroy,
    ControllerCount,
    ControllerInfo,
    FIXTURE_FAULT == FAULT_NULL_FUNCTION ? NULL : Think};

static void Identity(mu_plugin_identity* out) {
  out->id = Text(MUSTER_PLUGIN_ID);
#if FIXTURE_FAULT == FAULT_IDENTITY
  out->version = Text("9.9.9");
#else
  out->version = Text(MUSTER_PLUGIN_VERSION);
#endif
  out->build = Text("plain C");
}

static mu_status Init(const mu_host* host) {
  g_host = host;
#if FIXTURE_FAULT == FAULT_INIT
  const mu_host_error_v0* error = (const mu_host_error_v0*)host->service(host->context, MU_HOST_ERROR_V0);
  error->set(host->context, Text("no coffee left"));
  return MU_E_FAILED;
#else
  const mu_host_log_v0* log = (const mu_host_log_v0*)host->service(host->context, MU_HOST_LOG_V0);
  log->write(host->context, MU_LOG_INFO, Text("hello from C"));
  return MU_OK;
#endif
}

static void Deinit(void) {
  const mu_host_log_v0* log = (const mu_host_log_v0*)g_host->service(g_host->context, MU_HOST_LOG_V0);
  log->write(g_host->context, MU_LOG_INFO, Text("goodbye from C"));
  g_host = NULL;
}

static const void* GetInterface(const char* id) {
#if FIXTURE_FAULT == FAULT_NO_TABLE
  (void)id;
  (void)kTable;
  return NULL;
#else
  return strcmp(id, MU_AI_CONTROLLER_V0) == 0 ? &kTable : NULL;
#endif
}

const mu_plugin_entry mu_plugin_entry_v1 = {
#if FIXTURE_FAULT == FAULT_MAGIC
    0x12345678u,
#else
    MU_ENTRY_MAGIC,
#endif
    sizeof(mu_plugin_entry),
#if FIXTURE_FAULT == FAULT_API_LEVEL
    MU_API_LEVEL + 1,
#else
    MU_API_LEVEL,
#endif
    0,
    Identity,
    Init,
    Deinit,
    GetInterface};
