// SPDX-FileCopyrightText: 2026 Muster contributors
// SPDX-License-Identifier: MIT
#include "LoopPeers.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <utility>

namespace muster::bench {
namespace {

template <class Partitioner>
class TbbLoop final : public IParallelLoop {
 public:
  TbbLoop(std::string label, std::string subject) : m_label{std::move(label)}, m_subject{std::move(subject)} {}

  std::string Label() const override { return m_label; }
  std::string Subject() const override { return m_subject; }

  void WarmUp() override {
    // Its helpers wake up for work only, so they get some: a millisecond of loops.
    for (int turn = 0; turn < 200; ++turn) {
      Run(
          16 * 64, 64, [](void* /*context*/, std::size_t /*begin*/, std::size_t /*end*/) {}, nullptr);
    }
  }

  void Run(std::size_t count, std::size_t grain, ChunkBody body, void* context) override {
    m_arena.execute([&] {
      // Chunks of `grain` exactly, as everybody else has them.
      const std::size_t chunks = (count + grain - 1) / grain;
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, chunks, 1),
          [&](const tbb::blocked_range<std::size_t>& range) {
            for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) {
              const std::size_t begin = chunk * grain;
              body(context, begin, count - begin > grain ? begin + grain : count);
            }
          },
          Partitioner{});
    });
  }

 private:
  std::string m_label;
  std::string m_subject;
  tbb::task_arena m_arena{2};
};

}  // namespace

std::vector<LoopFactory> LoopPeers() {
  return {[] { return std::make_unique<TbbLoop<tbb::auto_partitioner>>("tbb_auto", "oneTBB auto_partitioner"); },
          [] { return std::make_unique<TbbLoop<tbb::static_partitioner>>("tbb_static", "oneTBB static_partitioner"); }};
}

}  // namespace muster::bench
