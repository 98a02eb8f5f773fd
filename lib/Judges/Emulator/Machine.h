//===- Machine.h - The state of the emulated GPU ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_EMULATOR_MACHINE_H
#define PARABLOCK_EMULATOR_MACHINE_H

#include "AsyncCopies.h"
#include "Barriers.h"
#include "Clocks.h"
#include "Fiber.h"
#include "Shadow.h"
#include "Site.h"
#include "parablock/Judges/Emulator/Emulator.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <vector>

namespace parablock::emulator {

struct Cluster;
class Worker;

static constexpr uint32_t warpSize = 32;
static constexpr uint32_t warpgroupSize = 128;
/// Distance of the shared windows of a cluster's CTAs: the 18 address bits of a
/// wgmma descriptor are the offset in the window.
static constexpr uint32_t sharedWindowBytes = 1 << 18;
static constexpr uint32_t maxClusterSize = 16;

/// The event that a thread waits for, for the deadlock report.
struct Wait {
  enum Kind : uint8_t { Nothing, Gather, Named, Object, ClusterWide, Spin };
  Kind kind = Nothing;
  const Site *site = nullptr;
  /// The id of a named barrier; the offset of a barrier object.
  uint32_t object = 0;
  uint32_t parity = 0;
};

/// One GPU thread.
struct Thread {
  Fiber fiber;
  char *stack = nullptr;
  Cta *cta = nullptr;
  /// Linear in the CTA, and the coordinates.
  uint32_t index = 0;
  Dim3 id;
  bool begun = false, done = false;
  /// True once the launches before have ended for sure.
  bool hasWaited = true;
  Wait wait;
  /// Fruitless polls since the last thing done.
  uint32_t polls = 0;

  uint16_t agent = 0;
  uint32_t epoch = 0;
  Knowledge knowledge;
  /// For fences around relaxed atomics: the clock that the last releasing fence
  /// published, and the clocks read since the last acquiring one; and the same
  /// between the threads of the CTA.
  ClockRef releasedByFence, readByAtomics;
  ClockRef releasedInCta, readInCta;

  LocalCopies copies;
  BulkStores stores;
  /// Barrier objects initialised here and not fenced yet.
  llvm::SmallVector<MBarrier *, 0> unfencedBarriers;

  /// wgmma: serial numbers of this thread's warpgroup.
  bool wgmmaFenced = false;
  uint32_t wgmmaIssued = 0, wgmmaCompleted = 0;
  const Site *lastWgmma = nullptr;
  llvm::SmallVector<uint32_t, 4> wgmmaGroups;
  bool arrivedAtCluster = false;
  uint32_t clusterPhase = 0;

  uint32_t lane() const { return index % warpSize; }
  ClockPoint point() const { return {agent, epoch}; }
};

/// The asynchronous engines of a CTA, each an agent of the clocks.
enum class Engine : uint8_t {
  /// One per warpgroup, reads.
  Wgmma,
  /// Bulk copies to shared memory.
  BulkLoad,
  /// Bulk copies from shared memory, one per warp: the reads, the writes.
  BulkStoreRead,
  BulkStoreWrite
};

/// The last access to a CTA's shared memory by one agent of another CTA.
struct RemoteAccess {
  uint32_t epoch;
  const Site *site;
  Thread *thread;
};

/// Facts for the quick check of an access, close together.
struct QuickMemory {
  uint64_t sharedStart = 0;
  uint32_t sharedBytes = 0;
  ByteState *sharedStates = nullptr;
  Cell *sharedCells = nullptr;
  GlobalShadow *global = nullptr;
  Worker *worker = nullptr;
  uint32_t firstEpoch = 0, cluster = 0;
  /// Agents from here on are engines.
  uint32_t numThreads = 0;
  bool hasManyWorkers = false;
};

struct Cta {
  Cluster *cluster = nullptr;
  uint32_t rank = 0;
  Dim3 id;
  char *shared = nullptr;
  SharedShadow *shadow = nullptr;
  QuickMemory quick;
  std::vector<Thread> threads;
  uint32_t numLive = 0;
  std::vector<GatherPoint> warps, warpgroups;
  NamedBarrier barriers[16];
  llvm::DenseMap<uint32_t, std::unique_ptr<MBarrier>> objects;
  std::vector<uint32_t> engineEpochs;
  /// setmaxnreg's last value by warpgroup; 0 before the first.
  std::vector<uint32_t> registers;

  /// Writes by agent, and reads and arrivals. The CTA must not end before they
  /// have happened.
  llvm::DenseMap<uint16_t, RemoteAccess> remoteWrites, remoteReads;
  /// The knowledge of its threads when they ended.
  ClockRef seenAtEnd, overAtEnd;

  /// The number of threads of a warp.
  uint32_t warpThreads(uint32_t warp) const;
};

struct Cluster {
  Worker *worker = nullptr;
  uint32_t index = 0;
  Dim3 id;
  std::vector<Cta> ctas;
  char *window = nullptr;
  uint32_t numLive = 0;
  ClusterBarrier barrier;

  uint16_t engineAgent(const Cta &cta, Engine engine, uint32_t which) const;
  uint32_t &engineEpoch(Cta &cta, Engine engine, uint32_t which) const;
  bool isEngine(uint16_t agent) const {
    return agent >= ctas.size() * ctas[0].threads.size();
  }
  /// "thread 5", "thread 5 of CTA 1 of the cluster", "wgmma of warpgroup 1",
  /// "a bulk copy".
  std::string describeAgent(uint16_t agent) const;
};

/// The call of an operation of the table.
struct OpCall {
  Thread &thread;
  const Site &site;
  Slot *arguments;
  void *result;

  Cta &cta() const { return *thread.cta; }
  Cluster &cluster() const { return *thread.cta->cluster; }
  Worker &worker() const { return *thread.cta->cluster->worker; }
  int32_t parameter() const { return site.row->parameter; }
  template <typename T> void setResult(T value) const {
    __builtin_memcpy(result, &value, sizeof(T));
  }
  void *pointer(unsigned i) const {
    return reinterpret_cast<void *>(arguments[i].u64);
  }
};

} // namespace parablock::emulator

#endif // PARABLOCK_EMULATOR_MACHINE_H
