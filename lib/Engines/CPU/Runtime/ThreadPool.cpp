//===- ThreadPool.cpp - job queue and worker loop -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/Runtime/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <thread>

using namespace parablock::cpu;

namespace {
constexpr uint64_t openBit = uint64_t(1) << 31;
constexpr uint64_t joinedMask = openBit - 1;

/// The fraction of its share of the remaining work that a worker takes: half.
/// Parts shrink towards the end, so that a delayed worker delays the others
/// less.
constexpr int64_t partsOfShare = 2;

/// How long an idle worker polls before it sleeps: longer than the pause
/// between two launches, but imperceptible.
constexpr std::chrono::microseconds patience(200);
constexpr int looksPerClockRead = 64;

uint64_t getNumber(uint64_t state) { return state >> 32; }

/// Yields the core's resources to its other thread.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}
} // namespace

static void runOnPool(ParablockPool *pool, int64_t count, int64_t grain,
                      ParablockRangeBody body, void *context) {
  static_cast<ThreadPool *>(pool)->run(count, grain, body, context);
}

void *ThreadPool::start(void *worker) {
  const auto *started = static_cast<const Worker *>(worker);
  started->pool->serve(started->number);
  return nullptr;
}

ThreadPool::ThreadPool(unsigned wanted) {
  if (wanted == 0)
    wanted = std::max(1u, std::thread::hardware_concurrency());
  wanted = std::min(wanted, mostWorkers);
  ParablockPool::run = runOnPool;
  // Threads refer to their entries by address.
  workers.reserve(wanted);
  numWorkers = 1;
  while (static_cast<unsigned>(numWorkers) < wanted) {
    Worker &worker = workers.emplace_back(Worker{this, numWorkers, {}});
    // std::thread would end the process where there is none.
    if (pthread_create(&worker.thread, nullptr, start, &worker) != 0) {
      workers.pop_back();
      break;
    }
    ++numWorkers;
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wakeUp.notify_all();
  for (Worker &worker : workers)
    pthread_join(worker.thread, nullptr);
}

void ThreadPool::run(int64_t count, int64_t grain, ParablockRangeBody body,
                     void *context) {
  grain = std::max<int64_t>(grain, 1);
  if (count <= 0)
    return;
  if (numWorkers == 1 || count <= grain) {
    body(context, 0, 0, count);
    return;
  }
  job.body = body;
  job.context = context;
  job.count = count;
  job.grain = grain;
  job.next.store(0, std::memory_order_relaxed);
  open();
  work(0);
  close();
}

void ThreadPool::open() {
  // No worker is in the previous job any more: close() waited for that.
  uint64_t number = getNumber(state.load(std::memory_order_relaxed)) + 1;
  state.store((number << 32) | openBit);
  if (sleepers.load() == 0)
    return;
  // A thread that read the old state under the lock is now waiting.
  {
    std::lock_guard<std::mutex> lock(mutex);
  }
  wakeUp.notify_all();
}

void ThreadPool::close() {
  uint64_t now = state.fetch_and(~openBit);
  for (int looks = 1; (now & joinedMask) != 0; ++looks) {
    // If cores are scarce, the worker may need this one.
    if (looks % looksPerClockRead == 0)
      std::this_thread::yield();
    else
      pause();
    now = state.load(std::memory_order_acquire);
  }
}

void ThreadPool::work(int32_t worker) {
  int64_t begin = job.next.load(std::memory_order_relaxed);
  while (begin < job.count) {
    int64_t left = job.count - begin;
    int64_t part = std::max(job.grain, left / (numWorkers * partsOfShare));
    int64_t end = begin + std::min(part, left);
    // If another worker was faster, `begin` is where it ended.
    if (!job.next.compare_exchange_weak(begin, end, std::memory_order_relaxed))
      continue;
    job.body(job.context, worker, begin, end);
    begin = job.next.load(std::memory_order_relaxed);
  }
}

bool ThreadPool::join(uint64_t &last) {
  uint64_t now = state.load(std::memory_order_acquire);
  if (getNumber(now) == last || !(now & openBit))
    return false;
  if (!state.compare_exchange_strong(now, now + 1))
    return false;
  last = getNumber(now);
  return true;
}

void ThreadPool::sleep(uint64_t last) {
  std::unique_lock<std::mutex> lock(mutex);
  sleepers.fetch_add(1);
  wakeUp.wait(lock, [&] {
    uint64_t now = state.load();
    return stopping || (getNumber(now) != last && (now & openBit));
  });
  sleepers.fetch_sub(1);
}

void ThreadPool::serve(int32_t worker) {
  uint64_t last = 0;
  auto idleSince = std::chrono::steady_clock::now();
  for (int looks = 1; !stopping.load(std::memory_order_relaxed); ++looks) {
    if (join(last)) {
      work(worker);
      state.fetch_sub(1, std::memory_order_release);
      idleSince = std::chrono::steady_clock::now();
      continue;
    }
    pause();
    if (looks % looksPerClockRead != 0)
      continue;
    if (std::chrono::steady_clock::now() - idleSince > patience) {
      sleep(last);
      idleSince = std::chrono::steady_clock::now();
    }
  }
}
