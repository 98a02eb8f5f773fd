//===- Worker.h - One host thread of a launch -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_WORKER_H
#define PARABLOCK_EMULATOR_WORKER_H

#include "Machine.h"
#include "Reports.h"
#include "llvm/ADT/Twine.h"
#include <atomic>
#include <deque>
#include <random>

namespace parablock::emulator {

/// Memory that kernels may access in addition to allocations: parameters and
/// the variables of the module. It has no history.
struct MemoryRange {
  uint64_t start, bytes;
  bool isConstant;
};

/// State that all host threads of a launch share.
struct LaunchContext {
  const EmulatorOptions &options;
  const LaunchConfig &config;
  void (*entry)(void **parameters);
  void **parameters;
  GlobalShadow &shadow;
  const SiteList &sites;
  llvm::ArrayRef<MemoryRange> ranges;
  uint32_t sharedBytes;
  uint32_t numCounters;
  /// CTAs may wait for each other through memory: if a cluster makes no
  /// progress, the next one is started, and there is one host thread.
  bool usesAtomics;
  bool hasManyWorkers = false;
  std::atomic<uint32_t> nextCluster{0};
  std::atomic<bool> abandoned{false};
  std::atomic<uint32_t> lastEpoch{0};
  /// True once a thread of a launch that may begin early has waited for the
  /// previous one; or has let the next begin without waiting.
  std::atomic<bool> hasWaited{false}, signalsTooEarly{false};

  Dim3 clusterGrid() const;
};

/// The result of Worker::current(). Never initialised at run time, so that
/// access needs no call.
extern __thread Thread *runningThread;

class Worker {
public:
  explicit Worker(LaunchContext &launch);
  ~Worker();

  /// Runs clusters until there are none left.
  void run();

  // For operations, on the fiber of the thread concerned.

  /// Leaves the running thread until another one wakes it.
  void block(Thread &thread, Wait wait);
  void wake(Thread &thread);
  void wakeAll(std::vector<Thread *> &threads);
  /// Lets the others run; a deadlock if only polling threads remain.
  void poll(Thread &thread, Wait wait);
  /// Something happened that pollers may have waited for.
  void noteProgress() { fruitlessRounds = 0; }

  void report(ReportKind kind, Thread &thread, const Site &site,
              const llvm::Twine &message, uint16_t other = 0);

  /// Returns the thread whose fiber is running on this host thread.
  static Thread &current() { return *runningThread; }

  LaunchContext &launch;
  ClockJoiner joiner;
  ReportSink reports;
  std::vector<uint64_t> counters;
  uint64_t nextSerial = 1;
  /// Destination of accesses that must not happen.
  alignas(64) char sink[1 << 12];
  /// The clocks of addresses used by atomics.
  std::map<uint64_t, llvm::SmallVector<ReleasedClock, 1>> atomicClocks;

private:
  bool startCluster();
  void noteEpochs(const Cluster &cluster);
  void finishCluster(size_t position);
  Thread &takeReady();
  void leave(Thread &thread);
  void runThread(Thread &thread);
  /// Performs the oldest copy that a thread waits for.
  bool advanceCopies();
  bool resumePollers();
  void reportDeadlock();
  static void threadMain();
  void finishThread(Thread &thread);
  void finishCta(Cta &cta, Thread &last);
  void checkRegisters(Cta &cta, Thread &last);

  StackPool stacks;
  Fiber scheduler;
  std::deque<Thread *> ready;
  std::vector<Thread *> pollers;
  uint32_t fruitlessRounds = 0;
  std::vector<std::unique_ptr<Cluster>> resident;
  std::minstd_rand random;

  /// Windows and shadows of finished clusters.
  struct SharedMemory {
    char *window = nullptr;
    std::vector<std::unique_ptr<SharedShadow>> shadows;
  };
  std::vector<SharedMemory> unusedShared;
  llvm::DenseMap<Cluster *, SharedMemory> sharedOf;
  std::vector<char *> allWindows;
  bool takeShared(Cluster &cluster);
};

/// Announces that the thread has ended to the barriers that count live
/// threads.
void leaveBarriers(Worker &worker, Cta &cta);

/// Performs `load` and signals its barrier.
void completeLoad(Worker &worker, MBarrier &barrier,
                  std::unique_ptr<PendingLoad> load);

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_WORKER_H
