//===- Worker.cpp - Scheduling the threads of clusters --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Threads run until they wait for an event, which makes them runnable again.
// Asynchronous copies are performed only when no thread can run, one at a time:
// as late as on hardware at worst.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace parablock;
using namespace parablock::emulator;

/// Rounds of polling by all runnable threads after which nothing will happen.
static constexpr uint32_t maxFruitlessRounds = 1000;

__thread Thread *parablock::emulator::runningThread = nullptr;

Worker::Worker(LaunchContext &launch)
    : launch(launch), counters(launch.numCounters),
      stacks(launch.options.stackBytes),
      random(static_cast<unsigned>(launch.options.scheduleSeed)) {}

void Worker::run() {
  while (!launch.abandoned) {
    if (!ready.empty()) {
      runThread(takeReady());
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
  // Accesses of an abandoned launch also precede the next one.
  for (const std::unique_ptr<Cluster> &cluster : resident)
    noteEpochs(*cluster);
}

Thread &Worker::takeReady() {
  if (launch.options.scheduleSeed != 0)
    std::swap(ready.front(), ready[random() % ready.size()]);
  Thread *next = ready.front();
  ready.pop_front();
  return *next;
}

void Worker::runThread(Thread &thread) {
  runningThread = &thread;
  thread.wait = {};
  thread.fiber.resumeFrom(scheduler);
  // Threads resume each other, so it may be another one that has come back.
  Thread &last = *runningThread;
  if (!last.done)
    return;
  stacks.give(last.stack);
  last.stack = nullptr;
  Cluster &cluster = *last.cta->cluster;
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
  thread.begun = true;
  worker.launch.entry(worker.launch.parameters);
  worker.finishThread(thread);
  worker.scheduler.resumeFromFinished(thread.fiber);
}

/// Continues directly with the next thread if possible: without the scheduler,
/// the processor predicts the target of the switch, which is that of the
/// previous thread.
void Worker::leave(Thread &thread) {
  if (ready.empty() || launch.abandoned)
    return scheduler.resumeFrom(thread.fiber);
  Thread &next = takeReady();
  if (!next.begun) {
    ready.push_front(&next);
    return scheduler.resumeFrom(thread.fiber);
  }
  runningThread = &next;
  next.wait = {};
  next.fiber.resumeFrom(thread.fiber);
}

void Worker::block(Thread &thread, Wait wait) {
  thread.wait = wait;
  thread.polls = 0;
  leave(thread);
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
  leave(thread);
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
  cta.seenAtEnd = joiner.join(cta.seenAtEnd, thread.knowledge.seen);
  cta.overAtEnd = joiner.join(cta.overAtEnd, thread.knowledge.over);
  --cta.numLive;
  --cta.cluster->numLive;
  noteProgress();
  if (cta.numLive == 0)
    finishCta(cta, thread);
  leaveBarriers(*this, cta);
}

/// Warpgroups without a setmaxnreg keep the share that they began with.
void Worker::checkRegisters(Cta &cta, Thread &last) {
  constexpr uint64_t numRegisters = 65536;
  if (llvm::all_of(cta.registers, [](uint32_t count) { return count == 0; }))
    return;
  uint64_t share =
      std::min<uint64_t>(numRegisters / cta.threads.size() / 8 * 8, 248);
  uint64_t total = 0;
  for (uint32_t registers : cta.registers)
    total += (registers != 0 ? registers : share) * warpgroupSize;
  if (total > numRegisters)
    report(ReportKind::BadOperand, last, launch.sites[0],
           "setmaxnreg gives the warpgroups " + llvm::Twine(total) +
               " registers, a CTA has " + llvm::Twine(numRegisters));
}

void Worker::finishCta(Cta &cta, Thread &last) {
  for (auto &[offset, barrier] : cta.objects)
    if (!barrier->loads.empty()) {
      const PendingLoad &load = *barrier->loads.front();
      report(ReportKind::UnfinishedCopy,
             load.issuer->cta == &cta ? *load.issuer : last, *load.site,
             "no thread waits for the copy on the barrier at shared memory + " +
                 llvm::Twine(offset) + " before the CTA ends");
    }
  auto isKnown = [](const ClockRef &clock, uint16_t agent, uint32_t epoch) {
    return clock && clock->knows(agent, epoch);
  };
  // An arrival for its own CTA alone follows reads, as those of joins, but
  // writes may arrive later.
  for (const auto *accesses : {&cta.remoteWrites, &cta.remoteReads})
    for (auto &[agent, access] : *accesses)
      if (!isKnown(cta.seenAtEnd, agent, access.epoch) &&
          (accesses == &cta.remoteWrites ||
           !isKnown(cta.overAtEnd, agent, access.epoch)))
        report(ReportKind::Race, *access.thread, *access.site,
               "CTA " + llvm::Twine(cta.rank) +
                   " of the cluster may end before this use of its shared "
                   "memory");
  checkRegisters(cta, last);
}
