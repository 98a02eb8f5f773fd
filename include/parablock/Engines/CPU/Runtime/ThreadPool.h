//===- ThreadPool.h - the workers of the CPU engine -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch takes microseconds, and the next one follows at once: idle workers
// poll for a while before they sleep.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_RUNTIME_THREADPOOL_H
#define PARABLOCK_CPU_RUNTIME_THREADPOOL_H

#include "parablock-c/Pool.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace parablock::cpu {

/// A ParablockPool with its own threads. Only one thread at a time may call
/// run(); it takes part as worker 0.
class ThreadPool : public ParablockPool {
public:
  static constexpr unsigned mostWorkers = 1024;

  /// 0 workers selects the number of cores. Fewer threads are created if the
  /// system refuses more.
  explicit ThreadPool(unsigned workers);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  void run(int64_t count, int64_t grain, ParablockRangeBody body,
           void *context);

private:
  /// The current work. The state word tracks whether workers may join; the job
  /// is immutable while any worker has joined.
  struct Job {
    ParablockRangeBody body = nullptr;
    void *context = nullptr;
    int64_t count = 0, grain = 1;
    std::atomic<int64_t> next{0};
  };

  /// A thread other than the caller's, and its number.
  struct Worker {
    ThreadPool *pool;
    int32_t number;
    pthread_t thread;
  };

  static void *start(void *worker);
  void work(int32_t worker);
  void serve(int32_t worker);
  /// Joins the open job that is newer than `last`, if any.
  bool join(uint64_t &last);
  /// Sleeps until the state differs from that of job `last`.
  void sleep(uint64_t last);
  void open();
  void close();

  Job job;
  /// Number of the job << 32 | open << 31 | workers that joined it.
  std::atomic<uint64_t> state{0};
  std::atomic<bool> stopping{false};
  std::atomic<int> sleepers{0};
  std::mutex mutex;
  std::condition_variable wakeUp;
  std::vector<Worker> workers;
};

} // namespace parablock::cpu

#endif // PARABLOCK_CPU_RUNTIME_THREADPOOL_H
