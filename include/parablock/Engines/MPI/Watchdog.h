//===- Watchdog.h - ends a process that waits for too long ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_MPI_WATCHDOG_H
#define PARABLOCK_MPI_WATCHDOG_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace parablock::mpi {

/// A thread that looks at what this process is waiting for. MPI has no limit of
/// its own: a rank whose peer is gone would wait for ever.
class Watchdog {
public:
  explicit Watchdog(std::chrono::seconds limit);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// How the process is called in messages, "rank 1 of 2".
  void setName(std::string text);

  /// Something of that name begins that may wait for others; until end().
  void begin(const char *what);
  void end() { waiting = nullptr; }

private:
  void watch();

  std::chrono::seconds limit;
  std::string name;
  std::atomic<const char *> waiting{nullptr};
  /// Changes with every begin().
  std::atomic<uint64_t> number{0};
  std::mutex mutex;
  std::condition_variable wakeUp;
  bool isStopping = false;
  std::thread thread;
};

} // namespace parablock::mpi

#endif // PARABLOCK_MPI_WATCHDOG_H
