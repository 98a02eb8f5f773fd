//===- ArenaPlanTest.cpp - buffers that share one allocation --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/ArenaPlan.h"
#include "gtest/gtest.h"

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

TEST(ArenaPlanTest, BuffersShareMemoryOnlyWhereTheirTimesDiffer) {
  ArenaPlan none = planArena({});
  EXPECT_EQ(none.peakBytes, 0u) << "no buffers";

  ArenaPlan chain = planArena({{1000, 0, 1}, {1000, 1, 2}, {1000, 2, 3}});
  EXPECT_EQ(chain.peakBytes, 2048u) << "a chain needs two";
  EXPECT_EQ(chain.sumBytes, uint64_t(3 * 1024)) << "of three";
  EXPECT_EQ(chain.offsets[2], chain.offsets[0])
      << "the third where the first was";

  ArenaPlan together = planArena({{256, 0, 2}, {256, 1, 1}, {256, 1, 2}});
  EXPECT_EQ(together.peakBytes, together.sumBytes)
      << "all at once share nothing";

  // Free while the last one is placed: 512 bytes at 0 and 256 bytes at 1024.
  ArenaPlan gaps =
      planArena({{2048, 5, 9}, {512, 0, 1}, {512, 0, 9}, {256, 9, 9}}, 256);
  EXPECT_TRUE(
      isSound({{2048, 5, 9}, {512, 0, 1}, {512, 0, 9}, {256, 9, 9}}, gaps, 256))
      << "gaps are used";
  EXPECT_EQ(planArena({{0, 0, 9}, {256, 0, 9}}).peakBytes, 256u)
      << "empty buffers take no room";
  EXPECT_EQ(planArena({{1, 0, 0}, {1, 0, 0}}, 64).peakBytes, 128u)
      << "alignment";
}

TEST(ArenaPlanTest, RandomPlansAreSoundAndNotFarFromTheLeast) {
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
  EXPECT_TRUE(sound) << "never overlapping";
  EXPECT_TRUE(bounded) << "between the lower bound and the sum";
  EXPECT_LT(worst, 1.6) << "not far above the lower bound";
}
