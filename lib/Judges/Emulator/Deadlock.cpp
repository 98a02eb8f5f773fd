//===- Deadlock.cpp - reports threads that never continue -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include <tuple>

using namespace parablock;
using namespace parablock::emulator;
using llvm::Twine;

/// "3", "0-31, 64-95".
static std::string listThreads(const std::vector<Thread *> &threads) {
  std::string text;
  for (size_t i = 0; i < threads.size();) {
    size_t last = i;
    while (last + 1 < threads.size() &&
           threads[last + 1]->index == threads[last]->index + 1)
      ++last;
    text += ((i == 0 ? "" : ", ") + Twine(threads[i]->index)).str();
    if (last != i)
      text += ("-" + Twine(threads[last]->index)).str();
    i = last + 1;
  }
  return text;
}

static std::string describeWait(const Thread &thread) {
  const Wait &wait = thread.wait;
  Cta &cta = *thread.cta;
  switch (wait.kind) {
  case Wait::Named: {
    const NamedBarrier &barrier = cta.barriers[wait.object % 16];
    return ("barrier " + Twine(wait.object) + ", where " +
            Twine(barrier.numArrived) + " of " + Twine(barrier.expected) +
            " have arrived")
        .str();
  }
  case Wait::Object: {
    auto found = cta.objects.find(wait.object);
    std::string text =
        ("parity " + Twine(wait.parity) +
         " of the mbarrier at shared memory + " + Twine(wait.object))
            .str();
    if (found != cta.objects.end())
      text += (", whose phase " + Twine(found->second->phase) + " lacks " +
               Twine(found->second->pending) + " of " +
               Twine(found->second->expected) + " arrivals and " +
               Twine(found->second->pendingBytes) + " bytes")
                  .str();
    return text;
  }
  case Wait::Gather:
    return "the other threads of the " +
           std::string(wait.object == 0 ? "warpgroup" : "warp");
  case Wait::ClusterWide:
    return ("the cluster's barrier, where " +
            Twine(cta.cluster->barrier.numArrived) + " of " +
            Twine(cta.cluster->numLive) + " have arrived")
        .str();
  case Wait::Spin:
    return "something that no thread does any more, polling";
  case Wait::Nothing:
    return "nothing";
  }
  return "";
}

void Worker::reportDeadlock() {
  using Key = std::tuple<uint32_t, uint32_t, uint16_t, uint32_t, uint32_t>;
  std::map<Key, std::vector<Thread *>> groups;
  for (const std::unique_ptr<Cluster> &cluster : resident)
    for (Cta &cta : cluster->ctas)
      for (Thread &thread : cta.threads)
        if (!thread.done && thread.wait.site)
          groups[{cluster->index, cta.rank, thread.wait.site->index,
                  thread.wait.object, thread.wait.parity}]
              .push_back(&thread);
  uint16_t ordinal = 0;
  for (auto &[key, threads] : groups)
    report(ReportKind::Deadlock, *threads[0], *threads[0]->wait.site,
           (threads.size() == 1 ? "thread " : "threads ") +
               listThreads(threads) +
               (threads.size() == 1 ? " waits for " : " wait for ") +
               describeWait(*threads[0]),
           ordinal++);
  launch.abandoned = true;
}
