// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// An AI controller in plain C.
#include <stdlib.h>
#include <string.h>

#include "PluginApi/AiController.h"
#include "PluginApi/Entry.h"
#include "PluginApi/LayoutHash.h"
#include "PluginApi/Note.h"

MU_DEFINE_NOTE(MUSTER_PLUGIN_ID, MUSTER_PLUGIN_VERSION, MU_PROVIDES_AI_CONTROLLER_V0);

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
    sizeof(mu_ai_controller_v0), 0, Create, Destroy, ControllerCount, ControllerInfo, Think};

static void Identity(mu_plugin_identity* out) {
  out->id = Text(MUSTER_PLUGIN_ID);
  out->version = Text(MUSTER_PLUGIN_VERSION);
  out->build = Text("plain C");
}

static mu_status Init(const mu_host* host) {
  g_host = host;
  const mu_host_log_v0* log = (const mu_host_log_v0*)host->service(host->context, MU_HOST_LOG_V0);
  log->write(host->context, MU_LOG_INFO, Text("hello from C"));
  return MU_OK;
}

static void Deinit(void) {
  const mu_host_log_v0* log = (const mu_host_log_v0*)g_host->service(g_host->context, MU_HOST_LOG_V0);
  log->write(g_host->context, MU_LOG_INFO, Text("goodbye from C"));
  g_host = NULL;
}

static const void* GetInterface(const char* id) {
  return strcmp(id, MU_AI_CONTROLLER_V0) == 0 ? &kTable : NULL;
}

const mu_plugin_entry mu_plugin_entry_v1 = {
    MU_ENTRY_MAGIC, sizeof(mu_plugin_entry), MU_API_LEVEL, 0, Identity, Init, Deinit, GetInterface};
