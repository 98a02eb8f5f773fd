//===- ClusterSetup.cpp - starts CTAs and engines of a cluster ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

Dim3 LaunchContext::clusterGrid() const {
  return {config.grid.x / config.cluster.x, config.grid.y / config.cluster.y,
          config.grid.z / config.cluster.z};
}

static Dim3 delinearize(uint32_t index, Dim3 sizes) {
  return {index % sizes.x, index / sizes.x % sizes.y,
          index / sizes.x / sizes.y};
}

uint32_t Cta::warpThreads(uint32_t warp) const {
  return std::min<uint32_t>(warpSize, threads.size() - warp * warpSize);
}

static uint32_t enginesPerCta(const Cta &cta) {
  return cta.warpgroups.size() + 1 + 2 * cta.warps.size();
}

static uint32_t engineIndex(const Cta &cta, Engine engine, uint32_t which) {
  switch (engine) {
  case Engine::Wgmma:
    return which;
  case Engine::BulkLoad:
    return cta.warpgroups.size();
  case Engine::BulkStoreRead:
    return cta.warpgroups.size() + 1 + which;
  case Engine::BulkStoreWrite:
    return cta.warpgroups.size() + 1 + cta.warps.size() + which;
  }
  return 0;
}

uint16_t Cluster::engineAgent(const Cta &cta, Engine engine,
                              uint32_t which) const {
  return ctas.size() * ctas[0].threads.size() + cta.rank * enginesPerCta(cta) +
         engineIndex(cta, engine, which);
}

uint32_t &Cluster::engineEpoch(Cta &cta, Engine engine, uint32_t which) const {
  return cta.engineEpochs[engineIndex(cta, engine, which)];
}

std::string Cluster::describeAgent(uint16_t agent) const {
  uint32_t perCta = ctas[0].threads.size();
  uint32_t numThreads = ctas.size() * perCta;
  uint32_t rank = 0;
  std::string result;
  if (agent < numThreads) {
    rank = agent / perCta;
    result = ("thread " + Twine(agent % perCta)).str();
  } else {
    const Cta &first = ctas[0];
    rank = (agent - numThreads) / enginesPerCta(first);
    uint32_t engine = (agent - numThreads) % enginesPerCta(first);
    if (engine < first.warpgroups.size())
      result = ("wgmma of warpgroup " + Twine(engine)).str();
    else if (engine == first.warpgroups.size())
      result = "a bulk copy to shared memory";
    else
      result = "a bulk copy from shared memory";
  }
  if (ctas.size() > 1)
    result += (" (CTA " + Twine(rank) + " of the cluster)").str();
  return result;
}

/// Returns address space for the shared memory of a cluster: a power of two at
/// a multiple of itself, below 4 GiB if possible, so that shared addresses fit
/// in 32 bits.
static char *mapWindow(uint64_t bytes) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#ifdef MAP_FIXED_NOREPLACE
  for (uint64_t hint = llvm::alignTo(uint64_t(1) << 28, bytes);
       hint + bytes <= uint64_t(1) << 32; hint += bytes) {
    void *wanted = reinterpret_cast<void *>(hint);
    void *got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                     flags | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted)
      return static_cast<char *>(got);
    if (got != MAP_FAILED)
      munmap(got, bytes);
  }
#endif
  void *got = mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (got == MAP_FAILED)
    return nullptr;
  uint64_t start = reinterpret_cast<uint64_t>(got);
  uint64_t aligned = llvm::alignTo(start, bytes);
  if (aligned != start)
    munmap(got, aligned - start);
  munmap(reinterpret_cast<void *>(aligned + bytes), start + bytes - aligned);
  return reinterpret_cast<char *>(aligned);
}

static uint64_t windowBytes(const LaunchContext &launch) {
  return llvm::PowerOf2Ceil(launch.config.cluster.volume()) * sharedWindowBytes;
}

Worker::~Worker() {
  for (char *window : allWindows)
    munmap(window, windowBytes(launch));
}

bool Worker::takeShared(Cluster &cluster) {
  SharedMemory memory;
  if (!unusedShared.empty()) {
    memory = std::move(unusedShared.back());
    unusedShared.pop_back();
  } else {
    memory.window = mapWindow(windowBytes(launch));
    if (!memory.window)
      return false;
    allWindows.push_back(memory.window);
    for (size_t i = 0; i < cluster.ctas.size(); ++i)
      memory.shadows.push_back(
          std::make_unique<SharedShadow>(launch.sharedBytes));
  }
  cluster.window = memory.window;
  for (Cta &cta : cluster.ctas) {
    cta.shared = memory.window + cta.rank * sharedWindowBytes;
    cta.shadow = memory.shadows[cta.rank].get();
    cta.shadow->reset();
    std::memset(cta.shared, 0xFF, launch.sharedBytes);
    ShadowSpan span = cta.shadow->getSpan(0);
    cta.quick.sharedStart = reinterpret_cast<uint64_t>(cta.shared);
    cta.quick.sharedBytes = launch.sharedBytes;
    cta.quick.sharedStates = span.states;
    cta.quick.sharedCells = span.cells;
    cta.quick.global = &launch.shadow;
    cta.quick.worker = this;
    cta.quick.firstEpoch = launch.shadow.firstEpoch;
    cta.quick.cluster = cluster.index;
    cta.quick.numThreads = cluster.ctas.size() * cta.threads.size();
    cta.quick.hasManyWorkers = launch.hasManyWorkers;
  }
  sharedOf[&cluster] = std::move(memory);
  return true;
}

bool Worker::startCluster() {
  const LaunchConfig &config = launch.config;
  uint32_t index = launch.nextCluster.fetch_add(1);
  Dim3 grid = launch.clusterGrid();
  if (index >= grid.volume())
    return false;
  auto cluster = std::make_unique<Cluster>();
  cluster->worker = this;
  cluster->index = index;
  cluster->id = delinearize(index, grid);
  cluster->ctas = std::vector<Cta>(config.cluster.volume());
  uint32_t numThreads = config.block.volume();
  cluster->numLive = numThreads * cluster->ctas.size();

  for (uint32_t rank = 0; rank < cluster->ctas.size(); ++rank) {
    Cta &cta = cluster->ctas[rank];
    cta.cluster = cluster.get();
    cta.rank = rank;
    Dim3 inCluster = delinearize(rank, config.cluster);
    cta.id = {cluster->id.x * config.cluster.x + inCluster.x,
              cluster->id.y * config.cluster.y + inCluster.y,
              cluster->id.z * config.cluster.z + inCluster.z};
    cta.numLive = numThreads;
    cta.warps =
        std::vector<GatherPoint>(llvm::divideCeil(numThreads, warpSize));
    cta.warpgroups =
        std::vector<GatherPoint>(llvm::divideCeil(numThreads, warpgroupSize));
    cta.registers.assign(cta.warpgroups.size(), 0);
    cta.engineEpochs.assign(enginesPerCta(cta), launch.shadow.firstEpoch);
    cta.threads = std::vector<Thread>(numThreads);
    for (uint32_t i = 0; i < numThreads; ++i) {
      Thread &thread = cta.threads[i];
      thread.cta = &cta;
      thread.index = i;
      thread.id = delinearize(i, config.block);
      thread.hasWaited = !config.mayBeginEarly;
      thread.agent = rank * numThreads + i;
      thread.epoch = launch.shadow.firstEpoch;
      thread.stack = stacks.take();
      if (!thread.stack) {
        launch.abandoned = true;
        report(ReportKind::BadOperand, thread, launch.sites[0],
               "no host memory for the stacks of the threads");
        return true;
      }
      thread.fiber = Fiber(thread.stack, stacks.bytes(), &Worker::threadMain);
    }
  }
  if (!takeShared(*cluster)) {
    launch.abandoned = true;
    report(ReportKind::BadOperand, cluster->ctas[0].threads[0], launch.sites[0],
           "no host memory for the shared memory of CTAs");
    return true;
  }
  for (Cta &cta : cluster->ctas)
    for (Thread &thread : cta.threads)
      ready.push_back(&thread);
  fruitlessRounds = 0;
  resident.push_back(std::move(cluster));
  return true;
}

/// The next launch counts on from the last epoch of this one.
void Worker::noteEpochs(const Cluster &cluster) {
  uint32_t last = 0;
  for (const Cta &cta : cluster.ctas) {
    for (uint32_t epoch : cta.engineEpochs)
      last = std::max(last, epoch);
    for (const Thread &thread : cta.threads)
      last = std::max(last, thread.epoch);
  }
  uint32_t before = launch.lastEpoch;
  while (before < last && !launch.lastEpoch.compare_exchange_weak(before, last))
    ;
}

void Worker::finishCluster(size_t position) {
  Cluster *cluster = resident[position].get();
  noteEpochs(*cluster);
  unusedShared.push_back(std::move(sharedOf[cluster]));
  sharedOf.erase(cluster);
  resident.erase(resident.begin() + position);
}
