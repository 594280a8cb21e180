// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
//
// The reference codec with one mistake, or none: what the suite has to tell apart.
#include "PluginApi/Plugin.h"
#include "RawCodec.h"

#include <cstdint>

#define FAULT_NONE 0
#define FAULT_READS_PAST 1        // the last record of a message is read by whole words, one too far
#define FAULT_WRITES_PAST 2       // zeros a whole word behind each body, whatever the stride leaves
#define FAULT_BATCH_DEPENDENT 3   // an item's bits depend on the item in front of it
#define FAULT_REMEMBERS 4         // the same call gives other bits the second time
#define FAULT_TAKES_ANYTHING 5    // never says that bytes are malformed
#define FAULT_BIAS 6              // health comes back a little worse than it was
#define FAULT_NEEDS_ITS_ANCHOR 7  // how long a body is depends on the anchor's values
#define FAULT_SILENT_CHANGE 8     // writes other bytes than its golden ones under the same version
#define FAULT_FAILS 9             // throws from the fourth batch on

namespace {

using muster::codecs::RawCodec;

class FaultyCodec : public RawCodec {
 public:
  static mu_status Encode(std::span<mu_encode_item> items, std::uint8_t* bits, std::uint32_t stride) {
    const mu_status status = RawCodec::Encode(items, bits, stride);
    if (status != MU_OK) {
      return status;
    }
#if FIXTURE_FAULT == FAULT_WRITES_PAST
    for (std::size_t i = 0; i < items.size(); ++i) {
      for (std::size_t at = 0; at < 8; ++at) {
        const_cast<volatile std::uint8_t*>(bits)[i * stride + kBits / 8 + at] = 0;
      }
    }
#elif FIXTURE_FAULT == FAULT_BATCH_DEPENDENT
    for (std::size_t i = 1; i < items.size(); ++i) {
      bits[i * stride + 28] = static_cast<std::uint8_t>(bits[i * stride + 28] ^ (bits[(i - 1) * stride] & 1));
    }
#elif FIXTURE_FAULT == FAULT_REMEMBERS
    static std::uint8_t calls = 0;
    bits[28] = static_cast<std::uint8_t>(bits[28] ^ (++calls & 1));
#elif FIXTURE_FAULT == FAULT_SILENT_CHANGE
    for (std::size_t i = 0; i < items.size(); ++i) {
      bits[i * stride + 36] = static_cast<std::uint8_t>(~bits[i * stride + 36]);
    }
#endif
    return MU_OK;
  }

  static mu_status Decode(mu_bytes bytes, std::uint64_t bitOffset, const mu_canonical_record* anchor,
                          std::uint32_t anchorAgeTicks, mu_canonical_record& out, std::uint32_t& bitsRead) {
#if FIXTURE_FAULT == FAULT_READS_PAST
    if (bytes.size != 0) {
      static_cast<void>(*const_cast<const volatile std::uint8_t*>(bytes.data + bytes.size));
    }
#endif
#if FIXTURE_FAULT == FAULT_SILENT_CHANGE
    std::uint8_t changed[kBits / 8 + 1] = {};
    if (bitOffset == 0 && bytes.size >= kBits / 8) {
      std::memcpy(changed, bytes.data, kBits / 8);
      changed[36] = static_cast<std::uint8_t>(~changed[36]);
      bytes = {changed, kBits / 8};
    }
#endif
    const mu_status status = RawCodec::Decode(bytes, bitOffset, anchor, anchorAgeTicks, out, bitsRead);
#if FIXTURE_FAULT == FAULT_TAKES_ANYTHING
    return status == MU_E_MALFORMED ? MU_OK : status;
#elif FIXTURE_FAULT == FAULT_NEEDS_ITS_ANCHOR
    if (anchor != nullptr && (anchor->offset_x & 1) != 0 && status == MU_OK) {
      bitsRead -= 1;
    }
#endif
    return status;
  }

#if FIXTURE_FAULT == FAULT_FAILS
  static void Quantise(const mu_codec_columns& columns, std::span<const std::uint32_t> slots,
                       mu_canonical_record* records) {
    static int calls = 0;
    if (++calls > 3) {
      throw muster::plugin::Failure{MU_E_FAILED, "out of bits"};
    }
    RawCodec::Quantise(columns, slots, records);
  }
#endif

#if FIXTURE_FAULT == FAULT_BIAS
  static void Dequantise(const mu_canonical_record& record, mu_record_values& out) {
    RawCodec::Dequantise(record, out);
    out.health *= 0.999F;
  }
#endif
};

}  // namespace

MUSTER_PLUGIN(muster::plugin::SnapshotCodecTable<FaultyCodec>);
