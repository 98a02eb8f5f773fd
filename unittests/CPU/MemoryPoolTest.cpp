//===- MemoryPoolTest.cpp - memory that functions share -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/MemoryPool.h"
#include "gtest/gtest.h"

using namespace parablock::cpu;

TEST(MemoryPoolTest, RunsInTurnShareTheLargestWorkspace) {
  MemoryPool pool;
  for (uint64_t bytes : {1000, 5000, 64}) {
    Workspace workspace = pool.takeWorkspace();
    ASSERT_TRUE(workspace.arena.reserve(bytes)) << bytes;
    ASSERT_TRUE(workspace.scratch.reserve(bytes / 10)) << bytes;
    pool.giveBack(std::move(workspace));
  }
  MemoryCounts::Bytes one = {5056, 512, 0, 0, 0};
  EXPECT_EQ(pool.getCounts().getNow(), one) << "one alone";
  EXPECT_EQ(pool.getCounts().getPeak(), one) << "never two";
}

TEST(MemoryPoolTest, RunsAtATimeHaveWorkspacesOfTheirOwn) {
  MemoryPool pool;
  Workspace first = pool.takeWorkspace(), second = pool.takeWorkspace();
  ASSERT_TRUE(first.arena.reserve(128));
  ASSERT_TRUE(second.arena.reserve(64));
  EXPECT_NE(first.arena.data(), second.arena.data());
  pool.giveBack(std::move(first));
  pool.giveBack(std::move(second));
  MemoryCounts::Bytes now = {128, 0, 0, 0, 0}, peak = {192, 0, 0, 0, 0};
  EXPECT_EQ(pool.getCounts().getNow(), now) << "the larger one stays";
  EXPECT_EQ(pool.getCounts().getPeak(), peak) << "both";
  pool.getCounts().forgetPeak();
  EXPECT_EQ(pool.getCounts().getPeak(), now) << "anew";
}

TEST(MemoryPoolTest, TensorsAreCountedAsLongAsTheyLive) {
  MemoryPool pool;
  void *saved = pool.allocate(MemoryUse::Saved, 65);
  void *gradient = pool.allocate(MemoryUse::Gradient, 0);
  MemoryCounts::Bytes both = {0, 0, 0, 128, 64};
  EXPECT_EQ(pool.getCounts().getNow(), both) << "as they are taken";
  EXPECT_EQ(MemoryPool::round(65) + MemoryPool::round(0), 192u);
  pool.free(saved);
  pool.free(&pool); // no tensor of it
  MemoryCounts::Bytes one = {0, 0, 0, 0, 64};
  EXPECT_EQ(pool.getCounts().getNow(), one);
  pool.free(gradient);
  EXPECT_EQ(MemoryCounts::sum(pool.getCounts().getNow()), 0u);
  EXPECT_EQ(pool.getCounts().getPeak(), both);
  // No such memory, and nothing is counted.
  EXPECT_EQ(pool.allocate(MemoryUse::Saved, uint64_t(1) << 62), nullptr);
  EXPECT_EQ(MemoryCounts::sum(pool.getCounts().getNow()), 0u);
}
