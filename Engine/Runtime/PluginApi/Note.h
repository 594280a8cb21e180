// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The note inside a plugin library: section `.note.muster`, readable from the file without running its code. The host
// compares it with plugin.json and with its own headers before the library is loaded.
//
// Layout: an ELF note (namesz = 7, "Muster\0", type MU_NOTE_TYPE) whose description is mu_note, little-endian.
// C++ authors get it from MUSTER_PLUGIN in Plugin.h, C authors from MU_DEFINE_NOTE below.
#pragma once

#include "PluginApi/Abi.h"

#define MU_NOTE_NAME "Muster"
#define MU_NOTE_TYPE 1u
#define MU_NOTE_VERSION 1u
#define MU_NOTE_INTERFACES 8u

#define MU_SANITIZER_NONE 0u
#define MU_SANITIZER_ADDRESS 1u
#define MU_SANITIZER_THREAD 2u

/// One interface the library provides, with the hash of the layout it was compiled against (LayoutHash.h).
typedef struct mu_note_interface {
  char id[48];  ///< "muster.spatial_index/0", zero padded; empty when unused
  uint32_t layout_hash_low;
  uint32_t layout_hash_high;
} mu_note_interface;

typedef struct mu_note {
  uint32_t note_version;  ///< MU_NOTE_VERSION
  uint32_t note_size;     ///< sizeof(mu_note)
  uint32_t api_level;     ///< MU_API_LEVEL
  uint32_t pointer_bits;  ///< 64
  uint32_t sanitizer;     ///< MU_SANITIZER_*; must equal the host's
  uint32_t compiler;      ///< 1 GCC, 2 Clang: a difference is a warning
  uint32_t compiler_major;
  uint32_t optimised;  ///< 1 when compiled with optimisation
  char plugin_id[64];  ///< zero padded; must equal plugin.json
  char version[32];    ///< zero padded; must equal plugin.json
  mu_note_interface interfaces[MU_NOTE_INTERFACES];
} mu_note;

/// The note as it lies in the file: every field is 4-byte aligned, so the struct has no padding.
typedef struct mu_note_section {
  uint32_t name_size;  ///< 7
  uint32_t description_size;
  uint32_t type;
  char name[8];  ///< "Muster\0" and one byte of padding
  mu_note description;
} mu_note_section;

#if defined(__SANITIZE_ADDRESS__)
#define MU_BUILT_SANITIZER MU_SANITIZER_ADDRESS
#elif defined(__SANITIZE_THREAD__)
#define MU_BUILT_SANITIZER MU_SANITIZER_THREAD
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MU_BUILT_SANITIZER MU_SANITIZER_ADDRESS
#elif __has_feature(thread_sanitizer)
#define MU_BUILT_SANITIZER MU_SANITIZER_THREAD
#endif
#endif
/// The sanitizer of the compilation that includes this header.
#ifndef MU_BUILT_SANITIZER
#define MU_BUILT_SANITIZER MU_SANITIZER_NONE
#endif

/// The compiler of the compilation that includes this header: values of mu_note::compiler and compiler_major.
#if defined(__clang__)
#define MU_BUILT_COMPILER 2u
#define MU_BUILT_COMPILER_MAJOR __clang_major__
#else
#define MU_BUILT_COMPILER 1u
#define MU_BUILT_COMPILER_MAJOR __GNUC__
#endif

#ifdef __OPTIMIZE__
#define MU_BUILT_OPTIMISED 1u
#else
#define MU_BUILT_OPTIMISED 0u
#endif

#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 11)
#define MU_NOTE_ATTRIBUTES __attribute__((section(".note.muster"), used, retain, aligned(4)))
#else
#define MU_NOTE_ATTRIBUTES __attribute__((section(".note.muster"), used, aligned(4)))
#endif

/// For authors in C: once per library, at file scope. Id and version are string literals equal to those of plugin.json;
/// then one MU_PROVIDES_* (LayoutHash.h) per interface:
///   MU_DEFINE_NOTE("com.example.grid", "1.0.0", MU_PROVIDES_SPATIAL_INDEX_V0);
#define MU_DEFINE_NOTE(pluginId, pluginVersion, ...)                                                   \
  MU_NOTE_ATTRIBUTES static const mu_note_section mu_note_of_this_library = {sizeof(MU_NOTE_NAME),     \
                                                                             sizeof(mu_note),          \
                                                                             MU_NOTE_TYPE,             \
                                                                             MU_NOTE_NAME,             \
                                                                             {MU_NOTE_VERSION,         \
                                                                              sizeof(mu_note),         \
                                                                              MU_API_LEVEL,            \
                                                                              8u * sizeof(void*),      \
                                                                              MU_BUILT_SANITIZER,      \
                                                                              MU_BUILT_COMPILER,       \
                                                                              MU_BUILT_COMPILER_MAJOR, \
                                                                              MU_BUILT_OPTIMISED,      \
                                                                              pluginId,                \
                                                                              pluginVersion,           \
                                                                              {__VA_ARGS__}}}
