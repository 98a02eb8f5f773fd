//===- Leftovers.h - counts of ops outside blocks ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_LEFTOVERS_H
#define PARABLOCK_ANALYSIS_LEFTOVERS_H

#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock {

/// Cost of ops on data that are not part of blocks.
struct LeftoverCounts {
  /// Number of kernels with such ops, and the bytes that they read and write,
  /// without weights.
  int64_t launches = 0;
  double bytes = 0;
  /// Number of leftovers outside kernels.
  int64_t outside = 0;
  /// Number of leftovers by name, inside and outside kernels.
  llvm::MapVector<llvm::StringRef, int64_t> ops;

  bool empty() const { return launches == 0 && outside == 0; }
};

/// Counts the leftovers of `function`. Work on weights and constants alone,
/// done before any run, and sizes, computed on the host, are not leftovers.
LeftoverCounts
countLeftovers(mlir::FunctionOpInterface function,
               llvm::function_ref<double(mlir::Value)> countBytes);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_LEFTOVERS_H
