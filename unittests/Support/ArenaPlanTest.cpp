//===- ArenaPlanTest.cpp - buffers that share one allocation --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/ArenaPlan.h"

#include "Check.h"
#include <algorithm>
#include <random>

using namespace parablock;

/// No two buffers that meet in time share a byte, and all lie below the peak.
static bool isSound(const std::vector<ArenaBuffer> &buffers,
                    const ArenaPlan &plan, uint64_t alignment) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    uint64_t begin = plan.offsets[i], end = begin + buffers[i].bytes;
    if (begin % alignment != 0 || end > plan.peakBytes)
      return false;
    for (size_t j = 0; j < i; ++j) {
      bool meetInTime = buffers[i].firstUse <= buffers[j].lastUse &&
                        buffers[j].firstUse <= buffers[i].lastUse;
      bool meetInSpace =
          begin < plan.offsets[j] + buffers[j].bytes && plan.offsets[j] < end;
      if (meetInTime && meetInSpace)
        return false;
    }
  }
  return true;
}

/// The most bytes that are in use in one step: no plan takes less.
static uint64_t getLowerBound(const std::vector<ArenaBuffer> &buffers,
                              uint64_t alignment) {
  uint64_t most = 0;
  for (const ArenaBuffer &at : buffers) {
    uint64_t now = 0;
    for (const ArenaBuffer &other : buffers)
      if (other.firstUse <= at.firstUse && at.firstUse <= other.lastUse)
        now += (other.bytes + alignment - 1) / alignment * alignment;
    most = std::max(most, now);
  }
  return most;
}

static void testSmall() {
  ArenaPlan none = planArena({});
  CHECK_EQUAL("no buffers", none.peakBytes, uint64_t(0));

  ArenaPlan chain = planArena({{1000, 0, 1}, {1000, 1, 2}, {1000, 2, 3}});
  CHECK_EQUAL("a chain needs two", chain.peakBytes, uint64_t(2048));
  CHECK_EQUAL("of three", chain.sumBytes, uint64_t(3 * 1024));
  CHECK_EQUAL("the third where the first was", chain.offsets[2],
              chain.offsets[0]);

  ArenaPlan together = planArena({{256, 0, 2}, {256, 1, 1}, {256, 1, 2}});
  CHECK_EQUAL("all at once share nothing", together.peakBytes,
              together.sumBytes);

  // Free while the last one is placed: 512 bytes at 0 and 256 bytes at 1024.
  ArenaPlan gaps =
      planArena({{2048, 5, 9}, {512, 0, 1}, {512, 0, 9}, {256, 9, 9}}, 256);
  CHECK("gaps are used",
        isSound({{2048, 5, 9}, {512, 0, 1}, {512, 0, 9}, {256, 9, 9}}, gaps,
                256));
  CHECK_EQUAL("empty buffers take no room",
              planArena({{0, 0, 9}, {256, 0, 9}}).peakBytes, uint64_t(256));
  CHECK_EQUAL("alignment", planArena({{1, 0, 0}, {1, 0, 0}}, 64).peakBytes,
              uint64_t(128));
}

static void testRandom() {
  std::mt19937 random(7);
  bool sound = true, bounded = true;
  double worst = 0;
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<ArenaBuffer> buffers(1 + random() % 40);
    for (ArenaBuffer &buffer : buffers) {
      buffer.bytes = random() % 5000;
      buffer.firstUse = random() % 30;
      buffer.lastUse = buffer.firstUse + random() % 6;
    }
    ArenaPlan plan = planArena(buffers);
    sound &= isSound(buffers, plan, 256);
    uint64_t least = getLowerBound(buffers, 256);
    bounded &= least <= plan.peakBytes && plan.peakBytes <= plan.sumBytes;
    if (least)
      worst = std::max(worst, double(plan.peakBytes) / least);
  }
  CHECK("never overlapping", sound);
  CHECK("between the lower bound and the sum", bounded);
  CHECK("not far above the lower bound", worst < 1.6);
}

int main() {
  testSmall();
  testRandom();
  return unittest::finish();
}
