//===- World.h - the processes that an MPI launcher started -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MPI is not linked: its library is looked for at run time, where a launcher
// such as mpirun started this process as one of several.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_MPI_WORLD_H
#define PARABLOCK_MPI_WORLD_H

#include "parablock/Engines/MPI/Library.h"
#include "parablock/Engines/MPI/Watchdog.h"
#include "parablock/Judges/Runner/RankGroup.h"
#include <memory>

namespace parablock::mpi {

/// Tells whether a launcher started this process as one of several.
bool isLaunched();

class World : public runner::RankGroup {
public:
  /// Joins the other ranks; once per process. A missing library is a
  /// MissingError. Nothing that ranks wait for each other in takes longer than
  /// `limit`, or the process ends with an error.
  static llvm::Expected<std::unique_ptr<World>>
  join(std::chrono::seconds limit);
  ~World() override;

  int64_t rank() const override { return ownRank; }
  int64_t size() const override { return numRanks; }
  llvm::Error meet(llvm::Error own,
                   llvm::ArrayRef<runner::RankFact> facts) override;
  llvm::Error leave() override;

  bool isMpich() const { return library.isMpich(); }
  /// Finds what generated code calls or refers to by that name; null if MPI has
  /// no such thing.
  void *findSymbol(llvm::StringRef name) const;
  /// Generated code meets the other ranks from here on, if all of them are
  /// ready: what meet() returns.
  llvm::Error beginRuns(llvm::Error own);
  /// ... and no longer; how often it called MPI_Allreduce.
  uint64_t endRuns();
  /// How many ranks share this machine.
  static unsigned countRanksHere();

  /// MPI_Allreduce as generated code calls it: watched, counted, and the end of
  /// the process where it fails.
  void addUp(const void *summand, void *sum, int count, uintptr_t type,
             uintptr_t operation, uintptr_t world);

private:
  World(Library library, std::chrono::seconds limit)
      : library(library), watchdog(limit) {}
  llvm::Error enter();
  void setName(const llvm::Twine &name);
  llvm::Error check(int code, llvm::StringRef function) const;
  /// Each rank's numbers, one rank after the other.
  llvm::Expected<std::vector<uint64_t>> gather(llvm::ArrayRef<uint64_t> own);

  Library library;
  Watchdog watchdog;
  int ownRank = 0, numRanks = 1;
  uint64_t numSums = 0;
  /// Other ranks are not to be met: an error was told, or code is running.
  bool isOver = false, isRunning = false, hasLeft = false;
};

} // namespace parablock::mpi

#endif // PARABLOCK_MPI_WORLD_H
