//===- Watchdog.cpp - watches blocking calls in a thread ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Engines/MPI/Watchdog.h"

#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace parablock::mpi;
using Clock = std::chrono::steady_clock;

Watchdog::Watchdog(std::chrono::seconds limit)
    : limit(limit), thread([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopping = true;
  }
  wakeUp.notify_one();
  thread.join();
}

void Watchdog::setName(std::string text) {
  std::lock_guard<std::mutex> lock(mutex);
  name = std::move(text);
}

void Watchdog::begin(const char *what) {
  ++number;
  waiting = what;
}

/// Polls ten times a second, so that begin() is free.
void Watchdog::watch() {
  uint64_t seen = 0;
  Clock::time_point since = Clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  while (!wakeUp.wait_for(lock, std::chrono::milliseconds(100),
                          [&] { return isStopping; })) {
    const char *what = waiting;
    if (uint64_t current = number; !what || current != seen) {
      seen = current;
      since = Clock::now();
      continue;
    }
    if (Clock::now() - since < limit)
      continue;
    llvm::errs() << "error: " << name << ": waited " << limit.count()
                 << " s for the other ranks in " << what
                 << "; --rank-timeout sets the limit\n";
    // The launcher ends the other ranks when one of them ends like this.
    _exit(1);
  }
}
