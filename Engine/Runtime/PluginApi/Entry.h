// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The one symbol a plugin library exports. C++ authors get it from MUSTER_PLUGIN in Plugin.h.
#pragma once

#include "PluginApi/Abi.h"
#include "PluginApi/Host.h"

#define MU_ENTRY_MAGIC 0x4d555354u /* "MUST" */
#define MU_ENTRY_SYMBOL "mu_plugin_entry_v1"

/// Who answers: printed by `plugin list`, so that it is provable which code runs. Text owned by the library.
typedef struct mu_plugin_identity {
  mu_text id;       ///< reverse-dotted, as in plugin.json
  mu_text version;  ///< semantic version, as in plugin.json
  mu_text build;    ///< free text of the build (compiler, flags), for people
} mu_plugin_identity;

/// Life of a generation: load -> init -> (get_interface, instances come and go) -> deinit -> unload.
/// The host calls init and deinit exactly once each and paired, and destroys every instance before deinit.
typedef struct mu_plugin_entry {
  uint32_t magic;        ///< MU_ENTRY_MAGIC
  uint32_t struct_size;  ///< sizeof(mu_plugin_entry) of the plugin's headers
  uint32_t api_level;    ///< MU_API_LEVEL of the plugin's headers
  uint32_t reserved;     ///< zero
  /// [any] Needs no init.
  void (*identity)(mu_plugin_identity* out);
  /// [main] `host` is valid until deinit returns. A failure ends this generation; deinit is not called then.
  mu_status (*init)(const mu_host* host);
  /// [main] After it nothing of the plugin may be referenced any more: no callback, no block, no thread.
  void (*deinit)(void);
  /// [main] The table of an interface ("muster.spatial_index/0") or null. Owner: library, valid until unload.
  const void* (*get_interface)(const char* id);
} mu_plugin_entry;

/// Defined once in each plugin library: by MUSTER_PLUGIN, or by a C author as `const mu_plugin_entry mu_plugin_entry_v1
/// = {...}`.
MU_EXPORT const mu_plugin_entry mu_plugin_entry_v1;
