//===- Worker.cpp - Scheduling the threads of clusters --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads run until they wait for something; what they wait for puts them back
// in line. Asynchronous copies are performed only when no thread can run, one
// at a time: as late as the hardware might.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

using namespace parablock;
using namespace parablock::emulator;

/// Rounds of polling by all runnable threads after which nothing will happen.
static constexpr uint32_t maxFruitlessRounds = 1000;

static thread_local Thread *runningThread = nullptr;

Worker::Worker(LaunchContext &launch)
    : launch(launch), counters(launch.numCounters),
      stacks(launch.options.stackBytes),
      random(static_cast<unsigned>(launch.options.scheduleSeed)) {}

Thread &Worker::current() { return *runningThread; }

void Worker::run() {
  while (!launch.abandoned) {
    if (!ready.empty()) {
      size_t position =
          launch.options.scheduleSeed == 0 ? 0 : random() % ready.size();
      Thread *next = ready[position];
      ready.erase(ready.begin() + position);
      runThread(*next);
      continue;
    }
    if (advanceCopies())
      continue;
    if (resident.empty() || launch.usesAtomics)
      if (pollers.empty() || fruitlessRounds > 2)
        if (startCluster())
          continue;
    if (resident.empty())
      break;
    if (!resumePollers())
      reportDeadlock();
  }
}

void Worker::runThread(Thread &thread) {
  runningThread = &thread;
  thread.wait = {};
  thread.fiber.resumeFrom(scheduler);
  if (!thread.done)
    return;
  stacks.give(thread.stack);
  thread.stack = nullptr;
  Cluster &cluster = *thread.cta->cluster;
  for (size_t i = 0; cluster.numLive == 0 && i < resident.size(); ++i)
    if (resident[i].get() == &cluster) {
      finishCluster(i);
      break;
    }
}

void Worker::threadMain() {
  Thread &thread = current();
  Worker &worker = *thread.cta->cluster->worker;
  thread.fiber.begin(worker.scheduler);
  worker.launch.entry(worker.launch.parameters);
  worker.finishThread(thread);
  worker.scheduler.resumeFromFinished(thread.fiber);
}

void Worker::block(Thread &thread, Wait wait) {
  thread.wait = wait;
  thread.polls = 0;
  scheduler.resumeFrom(thread.fiber);
}

void Worker::wake(Thread &thread) {
  noteProgress();
  ready.push_back(&thread);
}

void Worker::wakeAll(std::vector<Thread *> &threads) {
  for (Thread *thread : threads)
    wake(*thread);
  threads.clear();
}

void Worker::poll(Thread &thread, Wait wait) {
  thread.wait = wait;
  pollers.push_back(&thread);
  scheduler.resumeFrom(thread.fiber);
}

bool Worker::resumePollers() {
  if (pollers.empty() || ++fruitlessRounds > maxFruitlessRounds)
    return false;
  ready.insert(ready.end(), pollers.begin(), pollers.end());
  pollers.clear();
  return true;
}

bool Worker::advanceCopies() {
  MBarrier *oldest = nullptr;
  for (const std::unique_ptr<Cluster> &cluster : resident)
    for (Cta &cta : cluster->ctas)
      for (auto &[offset, barrier] : cta.objects)
        if (!barrier->loads.empty() &&
            (!barrier->waiting.empty() || barrier->polled) &&
            (!oldest ||
             barrier->loads.front()->serial < oldest->loads.front()->serial))
          oldest = barrier.get();
  if (!oldest)
    return false;
  std::unique_ptr<PendingLoad> load = std::move(oldest->loads.front());
  oldest->loads.pop_front();
  completeLoad(*this, *oldest, std::move(load));
  noteProgress();
  if (oldest->polled)
    resumePollers();
  return true;
}

void Worker::report(ReportKind kind, Thread &thread, const Site &site,
                    const llvm::Twine &message, uint16_t other) {
  uint32_t cluster = thread.cta->cluster->index;
  if (!reports.countAgain(kind, cluster, site, other))
    reports.add(kind, cluster, thread.cta->id, thread.index, site, other,
                message.str());
}

void Worker::finishThread(Thread &thread) {
  Cta &cta = *thread.cta;
  auto unfinished = [&](const Site &site, const llvm::Twine &what) {
    report(ReportKind::UnfinishedCopy, thread, site,
           what + " when the thread ends");
  };
  for (const auto &group : thread.copies.groups)
    if (!group.empty())
      unfinished(*group[0].site, "cp.async has not been waited for");
  if (!thread.copies.open.empty())
    unfinished(*thread.copies.open[0].site, "cp.async is in no group");
  for (const BulkStoreGroup &group : thread.stores.groups)
    if (!group.performed && !group.stores.empty())
      unfinished(*group.stores[0].site, "bulk store has not been waited for");
  if (!thread.stores.open.stores.empty())
    unfinished(*thread.stores.open.stores[0].site, "bulk store is in no group");
  if (thread.wgmmaIssued > thread.wgmmaCompleted)
    unfinished(*thread.lastWgmma, "wgmma has not been waited for");
  thread.done = true;
  --cta.numLive;
  --cta.cluster->numLive;
  noteProgress();
  if (cta.numLive == 0)
    finishCta(cta, thread);
  leaveBarriers(*this, cta);
}

void Worker::finishCta(Cta &cta, Thread &last) {
  for (auto &[offset, barrier] : cta.objects)
    if (!barrier->loads.empty()) {
      const PendingLoad &load = *barrier->loads.front();
      report(ReportKind::UnfinishedCopy,
             load.issuer->cta == &cta ? *load.issuer : last, *load.site,
             "nobody waits for the copy on the barrier at shared memory + " +
                 llvm::Twine(offset) + " before the CTA ends");
    }
  uint64_t total = 0;
  for (uint32_t registers : cta.registers)
    total += uint64_t(registers) * warpgroupSize;
  if (total > 65536)
    report(ReportKind::BadOperand, last, launch.sites[0],
           "setmaxnreg gives the warpgroups " + llvm::Twine(total) +
               " registers, a CTA has 65536");
}
