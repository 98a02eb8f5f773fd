//===- ArenaPlan.cpp - places buffers by size -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/ArenaPlan.h"

#include <algorithm>
#include <numeric>

using namespace parablock;

namespace {
struct Interval {
  uint64_t begin, end;
};
} // namespace

static bool meet(const ArenaBuffer &a, const ArenaBuffer &b) {
  return a.firstUse <= b.lastUse && b.firstUse <= a.lastUse;
}

/// Returns the start of the smallest gap of at least `bytes` between `taken`,
/// or the end of them all.
static uint64_t findGap(std::vector<Interval> taken, uint64_t bytes) {
  std::sort(
      taken.begin(), taken.end(),
      [](const Interval &a, const Interval &b) { return a.begin < b.begin; });
  uint64_t end = 0, best = 0, bestSize = UINT64_MAX;
  for (const Interval &interval : taken) {
    uint64_t size = interval.begin > end ? interval.begin - end : 0;
    if (size >= bytes && size < bestSize) {
      best = end;
      bestSize = size;
    }
    end = std::max(end, interval.end);
  }
  return bestSize == UINT64_MAX ? end : best;
}

ArenaPlan parablock::planArena(const std::vector<ArenaBuffer> &buffers,
                               uint64_t alignment) {
  auto align = [&](uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  };
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return buffers[a].bytes > buffers[b].bytes;
  });

  ArenaPlan plan;
  plan.offsets.resize(buffers.size());
  std::vector<size_t> placed;
  for (size_t index : order) {
    const ArenaBuffer &buffer = buffers[index];
    uint64_t bytes = align(buffer.bytes);
    std::vector<Interval> taken;
    for (size_t other : placed)
      if (meet(buffer, buffers[other]))
        taken.push_back({plan.offsets[other],
                         plan.offsets[other] + align(buffers[other].bytes)});
    plan.offsets[index] = findGap(std::move(taken), bytes);
    plan.peakBytes = std::max(plan.peakBytes, plan.offsets[index] + bytes);
    plan.sumBytes += bytes;
    placed.push_back(index);
  }
  return plan;
}
