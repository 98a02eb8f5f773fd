//===- Leftovers.h - what of a model is no block ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_LEFTOVERS_H
#define PARABLOCK_ANALYSIS_LEFTOVERS_H

#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock {

/// Ops on data that are no blocks, and what they cost.
struct LeftoverCounts {
  /// Kernels that hold them, and what these read and write but weights.
  int64_t launches = 0;
  double bytes = 0;
  /// How many of them are in no kernel.
  int64_t outside = 0;
  /// How many there are of each name, inside kernels and outside.
  llvm::MapVector<llvm::StringRef, int64_t> ops;

  bool empty() const { return launches == 0 && outside == 0; }
};

/// Counts the leftovers of `function`. Work on weights and constants alone is
/// done before any run, sizes are computed on the host: neither is one.
LeftoverCounts
countLeftovers(mlir::FunctionOpInterface function,
               llvm::function_ref<double(mlir::Value)> countBytes);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_LEFTOVERS_H
