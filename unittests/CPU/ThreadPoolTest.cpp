//===- ThreadPoolTest.cpp - every item once, on its own worker ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/ThreadPool.h"
#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace parablock::cpu;

namespace {
/// The notes of the parts of one run.
struct Record {
  explicit Record(int64_t count, int32_t workers)
      : visits(count), busy(workers) {}

  std::vector<std::atomic<int>> visits, busy;
  std::atomic<int64_t> parts{0}, shortest{INT64_MAX};
  std::atomic<bool> shared{false};
};

void note(void *context, int32_t worker, int64_t begin, int64_t end) {
  Record &record = *static_cast<Record *>(context);
  if (record.busy[worker].fetch_add(1) != 0)
    record.shared = true;
  ++record.parts;
  for (int64_t i = begin; i < end; ++i)
    ++record.visits[i];
  int64_t seen = record.shortest;
  bool isLast = end == static_cast<int64_t>(record.visits.size());
  while (!isLast && end - begin < seen &&
         !record.shortest.compare_exchange_weak(seen, end - begin)) {
  }
  --record.busy[worker];
}

bool isOnceEach(const Record &record) {
  return std::all_of(
      record.visits.begin(), record.visits.end(),
      [](const std::atomic<int> &visits) { return visits == 1; });
}
} // namespace

TEST(ThreadPoolTest, EveryItemRunsOnceInPartsOfAtLeastTheGrain) {
  for (unsigned workers : {1u, 2u, 3u, 8u}) {
    ThreadPool pool(workers);
    EXPECT_EQ(pool.numWorkers, static_cast<int32_t>(workers)) << "workers";
    bool isRight = true;
    for (int64_t count : {1, 2, 7, 64, 1000})
      for (int64_t grain : {1, 3, 64, 5000}) {
        Record record(count, pool.numWorkers);
        pool.run(count, grain, note, &record);
        isRight &= isOnceEach(record) && !record.shared &&
                   record.shortest >= std::min(grain, count);
        if (count <= grain)
          isRight &= record.parts == 1;
      }
    EXPECT_TRUE(isRight) << "every item once, parts of at least the grain";
  }
}

/// Runs close together find workers awake, runs far apart find them asleep.
TEST(ThreadPoolTest, ManyRunsFollowEachOther) {
  ThreadPool pool(4);
  bool isRight = true;
  for (int i = 0; i < 3000; ++i) {
    Record record(17, pool.numWorkers);
    pool.run(17, 1, note, &record);
    isRight &= isOnceEach(record) && !record.shared;
    if (i % 100 == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(isRight) << "many runs";
}

/// Through the hook that applications see.
TEST(ThreadPoolTest, RunsThroughTheHookOfApplications) {
  ThreadPool pool(2);
  ParablockPool *hook = &pool;
  Record record(100, 2);
  hook->run(hook, 100, 10, note, &record);
  EXPECT_TRUE(isOnceEach(record)) << "through the hook";
  Record none(0, 2);
  hook->run(hook, 0, 1, note, &none);
  EXPECT_EQ(none.parts, 0) << "nothing to do";
}

#if !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD
/// Bytes of addresses that this process has taken.
static rlim_t getAddressBytes() {
  long pages = 0;
  if (FILE *file = fopen("/proc/self/statm", "r")) {
    if (fscanf(file, "%ld", &pages) != 1)
      pages = 0;
    fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(getpagesize());
}

/// Where the system has no more threads, fewer do the work.
TEST(ThreadPoolTest, FewerThreadsDoWhereTheSystemHasNoMore) {
  rlimit before, tight;
  EXPECT_EQ(getrlimit(RLIMIT_AS, &before), 0) << "limit";
  tight = before;
  tight.rlim_cur = getAddressBytes() + (rlim_t(64) << 20);
  EXPECT_EQ(setrlimit(RLIMIT_AS, &tight), 0) << "limit of addresses";
  ThreadPool pool(500);
  EXPECT_EQ(setrlimit(RLIMIT_AS, &before), 0) << "no limit again";
  EXPECT_GE(pool.numWorkers, 1) << "fewer than wanted";
  EXPECT_LT(pool.numWorkers, 500) << "fewer than wanted";
  Record record(1000, pool.numWorkers);
  pool.run(1000, 1, note, &record);
  EXPECT_TRUE(isOnceEach(record)) << "every item once";
  EXPECT_FALSE(record.shared) << "every item once";
}
#endif
