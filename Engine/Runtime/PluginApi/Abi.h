// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The ground rules of Muster's plugin ABI. Plain C11, also valid C++.
//
// Use: a plugin includes the header of the interface it provides (Transport.h, SpatialIndex.h, AiController.h,
// SnapshotCodec.h), which includes this file. C++ authors include Plugin.h instead, which turns a class into a table.
//
// Every function in these headers carries a bracketed tag:
//   thread  [main] start and stop of the process   [sim] the tick thread      [worker] tick thread or a pool worker
//           [net] the network thread               [any] any thread, reentrant
//   state   created: after create, before listen or connect - active: from then on, or from create on without those
// Ownership is written at each pointer. "Until return" means that neither side keeps it after the call.
//
// Compatibility: every table begins with `struct_size` and `minor`. New functions are appended and raise `minor`; a
// removal or a changed signature is a new revision of the interface id. A caller reads only what `struct_size` covers.
// Revisions are /0 while the first plugins shape them; /0 may change between engine versions, and the layout hash in
// the library's note (see Note.h) tells whether it did.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define MU_EXTERN_C extern "C"
#else
#define MU_EXTERN_C extern
#endif

#define MU_EXPORT MU_EXTERN_C __attribute__((visibility("default")))

/// API level of these headers: raised when the entry, the note or a base type changes.
#define MU_API_LEVEL 1u

/// What a call came to. Zero is success, negative values are failures; there are no positive values.
/// A failing call leaves a sentence with `mu_host_error_v0::set`.
typedef int32_t mu_status;

#define MU_OK 0
#define MU_E_FAILED (-1)            ///< no better word; the sentence says what
#define MU_E_INVALID_ARGUMENT (-2)  ///< the caller broke the contract
#define MU_E_NOT_SUPPORTED (-3)
#define MU_E_OUT_OF_MEMORY (-4)  ///< also: the plugin's memory budget is spent
#define MU_E_BUFFER_TOO_SMALL (-5)
#define MU_E_MALFORMED (-6)       ///< bytes from outside do not decode; counted, never fatal
#define MU_E_TRUNCATED (-7)       ///< bytes from outside end too early; counted, never fatal
#define MU_E_WOULD_FRAGMENT (-8)  ///< an unreliable message is larger than one datagram
#define MU_E_BACKLOG (-9)         ///< the peer's outgoing queue is at its cap
#define MU_E_NOT_CONNECTED (-10)
#define MU_E_ADDRESS_IN_USE (-11)
#define MU_E_EXCEPTION (-12)  ///< the C++ layer caught an exception; the sentence is its what()
#define MU_E_STATE (-13)      ///< saved state is of another schema or does not parse

/// UTF-8 text, not terminated. `data` may be null when `size` is 0. Ownership: stated where it is used.
typedef struct mu_text {
  const char* data;
  uint64_t size;
} mu_text;

/// Read-only bytes.
typedef struct mu_bytes {
  const uint8_t* data;
  uint64_t size;
} mu_bytes;
