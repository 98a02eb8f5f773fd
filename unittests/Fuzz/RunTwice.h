//===- RunTwice.h - the reference before and after passes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_RUNTWICE_H
#define PARABLOCK_UNITTESTS_FUZZ_RUNTWICE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Execution/ArgumentSupply.h"

namespace parablock::fuzz {

/// Neither it nor what it calls takes long to run.
bool isSmall(mlir::func::FuncOp function);

/// Runs functions on the same arguments by name.
class Runs {
public:
  explicit Runs(uint64_t seed);

  struct Results {
    std::vector<HostTensor> outputs;
    /// The largest magnitude of anything on the way; infinite with a NaN.
    double largest = 0;
  };
  /// None where the arguments cannot be made or the interpreter refuses the
  /// function. `exact` arithmetic does not round.
  std::optional<Results> run(mlir::func::FuncOp function, bool exact);

private:
  runner::ArgumentSupply supply;
};

/// Finds what differs between two exact runs, or nothing. Runs with numbers in
/// which a rounding of the last bit may grow without bound are not compared.
std::string compareRuns(const Runs::Results &before,
                        const Runs::Results &after);

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_RUNTWICE_H
