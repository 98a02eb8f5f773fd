//===- NormaliseLeftovers.h - ops of many dialects as few -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_NORMALISELEFTOVERS_H
#define PARABLOCK_LEFTOVERS_NORMALISELEFTOVERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace parablock {

/// Fails, with an error, where `op` asserts something other than that an index
/// is one of the tensor that it reads: such an index is bounded anyway.
mlir::LogicalResult checkAssertions(mlir::Operation *op);

/// Erases the assertions in `root` that are only about such indices, and says
/// so; fails, with an error, at another.
mlir::LogicalResult dropAssertions(mlir::Operation *root);

/// Adds the passes that bring functions which hold nothing but leftovers to
/// linalg.generic, ops of tensor and numbers, fused where that repeats no work.
/// With `longSums`, sums of many f32 are made in f64.
void buildNormalisePipeline(mlir::OpPassManager &manager, bool longSums);

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_NORMALISELEFTOVERS_H
