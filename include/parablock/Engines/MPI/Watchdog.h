//===- Watchdog.h - timeouts of MPI calls -----------------------*- C++ -*-===//
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

/// A thread that watches blocking calls of this process. MPI has no timeout: a
/// rank whose peer is gone would wait forever.
class Watchdog {
public:
  explicit Watchdog(std::chrono::seconds limit);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// Sets the name of the process in messages, "rank 1 of 2".
  void setName(std::string text);

  /// Starts watching a blocking operation `what`, until end().
  void begin(const char *what);
  void end() { waiting = nullptr; }

private:
  void watch();

  std::chrono::seconds limit;
  std::string name;
  std::atomic<const char *> waiting{nullptr};
  /// Incremented by every begin().
  std::atomic<uint64_t> number{0};
  std::mutex mutex;
  std::condition_variable wakeUp;
  bool isStopping = false;
  std::thread thread;
};

} // namespace parablock::mpi

#endif // PARABLOCK_MPI_WATCHDOG_H
