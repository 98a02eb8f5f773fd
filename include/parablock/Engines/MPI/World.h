//===- World.h - processes of an MPI launcher -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// MPI is not linked: its library is loaded at run time, if a launcher such as
// mpirun started this process as one of several.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_MPI_WORLD_H
#define PARABLOCK_MPI_WORLD_H

#include "parablock/Engines/MPI/Library.h"
#include "parablock/Engines/MPI/Watchdog.h"
#include "parablock/Execution/RankGroup.h"
#include <memory>

namespace parablock::mpi {

/// Returns whether a launcher started this process as one of several.
bool isLaunched();

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
  /// Ends runs; returns the number of calls of MPI_Allreduce.
  uint64_t endRuns();
  /// Returns how many ranks share this machine.
  static unsigned countRanksHere();

  /// MPI_Allreduce for generated code: watched, counted, and ending the process
  /// on failure.
  void addUp(const void *summand, void *sum, int count, uintptr_t type,
             uintptr_t operation, uintptr_t world);

private:
  World(Library library, std::chrono::seconds limit)
      : library(library), watchdog(limit) {}
  llvm::Error enter();
  void setName(const llvm::Twine &name);
  llvm::Error check(int code, llvm::StringRef function) const;
  /// Gathers each rank's numbers, in the order of ranks.
  llvm::Expected<std::vector<uint64_t>> gather(llvm::ArrayRef<uint64_t> own);

  Library library;
  Watchdog watchdog;
  int ownRank = 0, numRanks = 1;
  uint64_t numSums = 0;
  /// Other ranks must not be contacted, because an error was sent or code is
  /// running.
  bool isOver = false, isRunning = false, hasLeft = false;
};

} // namespace parablock::mpi

#endif // PARABLOCK_MPI_WORLD_H
