//===- World.h - processes of an MPI launcher -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MPI is not linked: its library is loaded at run time, if a launcher such as
// mpirun started this process as one of several.
//
// Sums that generated code starts are sent by a thread of their own, in order:
// MPI libraries send little between calls. Only one thread calls MPI at a time.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_MPI_WORLD_H
#define PARABLOCK_MPI_WORLD_H

#include "parablock/Engines/MPI/Library.h"
#include "parablock/Engines/MPI/Watchdog.h"
#include "parablock/Execution/RankGroup.h"
#include <deque>
#include <memory>

namespace parablock::mpi {

/// Returns whether a launcher started this process as one of several.
bool isLaunched();

/// Numbers of calls of generated code.
struct SumCounts {
  /// Sums that it waits for at once, and sums that it starts.
  uint64_t awaited = 0, started = 0;
  /// Exchanges of rows.
  uint64_t exchanged = 0;
};

/// The time of a sum that was started, in nanoseconds of the steady clock.
struct SumTime {
  int64_t begin = 0, end = 0;
};

class World : public runner::RankGroup {
public:
  /// Joins the other ranks; once per process. A missing library is a
  /// MissingError. If a collective wait takes longer than `limit`, the process
  /// ends with an error.
  static llvm::Expected<std::unique_ptr<World>>
  join(std::chrono::seconds limit);
  ~World() override;

  int64_t rank() const override { return ownRank; }
  int64_t size() const override { return numRanks; }
  llvm::Error meet(llvm::Error own,
                   llvm::ArrayRef<runner::RankFact> facts) override;
  llvm::Error leave() override;

  bool isMpich() const { return library.isMpich(); }
  /// Returns the function or object of that name for generated code; null if
  /// MPI has none.
  void *findSymbol(llvm::StringRef name) const;
  /// From now on generated code communicates with other ranks, if meet()
  /// reports that all of them are ready.
  llvm::Error beginRuns(llvm::Error own);
  /// Ends runs; returns the number of their sums.
  SumCounts endRuns();
  /// Returns the times of sums that were started since recordTimes().
  std::vector<SumTime> takeTimes();
  void recordTimes();
  /// Gathers each rank's numbers, of which all have equally many, in the order
  /// of ranks. While code runs, only where no started sum is on its way.
  llvm::Expected<std::vector<uint64_t>> gather(llvm::ArrayRef<uint64_t> own);
  /// Returns how many ranks share this machine.
  static unsigned countRanksHere();

  /// MPI_Allreduce for generated code: watched, counted, and ending the process
  /// on failure.
  void addUp(const void *summand, void *sum, int count, uintptr_t type,
             uintptr_t operation, uintptr_t world);
  /// MPI_Iallreduce and MPI_Wait for generated code, likewise. Returns the
  /// request.
  uint64_t start(const void *summand, void *sum, int count, uintptr_t type,
                 uintptr_t operation, uintptr_t world);
  void await(uint64_t request);

  /// A side of an exchange: units for each rank, and their first one.
  struct Parts {
    const int *counts, *firsts;
    uintptr_t type;
  };
  /// MPI_Alltoallv for generated code, likewise.
  void exchange(const void *sent, const Parts &to, void *received,
                const Parts &from, uintptr_t world);

private:
  World(Library library, std::chrono::seconds limit)
      : library(library), watchdog(limit) {}
  struct Sum {
    const void *summand;
    void *sum;
    int count;
    uintptr_t type, operation, world;
  };
  /// Adds up, and ends the process on failure.
  void addUp(const Sum &sum);
  /// Sends started sums, until the end.
  void sendSums();
  llvm::Error enter();
  void setName(const llvm::Twine &name);
  llvm::Error check(int code, llvm::StringRef function) const;
  void endOnError(llvm::Error error) const;
  /// Ends the process, on all ranks, unless each expects as much as the others
  /// send.
  void checkCounts(const Parts &to, const Parts &from);

  Library library;
  Watchdog watchdog;
  int ownRank = 0, numRanks = 1;
  SumCounts counts;
  /// True if another thread may call MPI.
  bool canSendBeside = false;
  std::thread sender;
  std::mutex mutex;
  std::condition_variable wakeUp;
  /// Started sums that were not sent, and the numbers of all that were started
  /// and of those that are complete.
  std::deque<Sum> waiting;
  uint64_t numStarted = 0, numComplete = 0;
  std::vector<SumTime> times;
  bool isEnding = false, recordsTimes = false;
  /// Other ranks must not be contacted, because an error was sent or code is
  /// running.
  bool isOver = false, isRunning = false, hasLeft = false;
};

} // namespace parablock::mpi

#endif // PARABLOCK_MPI_WORLD_H
