//===- Suites.h - suites of block-bench -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_BENCH_SUITES_H
#define PARABLOCK_TOOLS_BLOCK_BENCH_SUITES_H

#include "Peers.h"
#include <functional>

namespace bench {

struct BenchOptions {
  /// Only cases whose name contains this.
  std::string caseFilter;
  unsigned repeat = 5;
  /// The processor that our own code is for, as findCpuTarget takes it.
  std::string cpu = "native";
  /// Peers of layers, of steps of training, and of generation.
  PeerOptions peers, trainPeers, decodePeers;
  /// The library that counts allocations in a process that preloads it, or
  /// empty.
  std::string allocationCounter;
};

/// The findings of a suite: an entry per cell, one per limit that it has to
/// keep.
struct SuiteResult {
  llvm::json::Array cells, floors;
  bool keepsFloors = true;
  /// The class of the processor of our own code, and its rates by
  /// path.
  std::string processorClass;
  llvm::json::Object rates;
  /// Saves the results so far.
  std::function<llvm::Error(const SuiteResult &)> keep;

  /// Adds a cell and keeps it at once: a suite takes hours, and may be stopped.
  llvm::Error addCell(llvm::json::Object cell);
  /// `value` has to be at least `limit`, or at most where `isCeiling`.
  void addFloor(llvm::StringRef name, double value, double limit,
                bool isCeiling = false);
};

/// A layer of GPT-2 at its published size, serial and parallel, and its peers.
llvm::Error runCpuSuite(mlir::MLIRContext &context, const BenchOptions &options,
                        SuiteResult &result);
/// Steps of training, and its peers.
llvm::Error runTrainSuite(mlir::MLIRContext &context,
                          const BenchOptions &options, SuiteResult &result);
/// Generation, a token at a time, and its peers.
llvm::Error runDecodeSuite(mlir::MLIRContext &context,
                           const BenchOptions &options, SuiteResult &result);
/// From IR to machine code.
llvm::Error runCompileSuite(mlir::MLIRContext &context,
                            const BenchOptions &options, SuiteResult &result);
/// Device code on the emulator.
llvm::Error runEmulateSuite(mlir::MLIRContext &context,
                            const BenchOptions &options, SuiteResult &result);

/// Returns the engine `cpu` for that processor, and records it in `result`.
llvm::Expected<std::unique_ptr<parablock::runner::Engine>>
createHostEngine(const BenchOptions &options, SuiteResult &result);

/// The numbers of threads that are measured here.
std::vector<unsigned> getThreadCounts();

} // namespace bench

#endif // PARABLOCK_TOOLS_BLOCK_BENCH_SUITES_H
