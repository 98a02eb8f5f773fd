//===- NormaliseLeftovers.h - normalisation of leftovers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_NORMALISELEFTOVERS_H
#define PARABLOCK_LEFTOVERS_NORMALISELEFTOVERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace parablock {

/// Fails, with an error, if `op` asserts anything other than that an index is
/// within the tensor that it reads: such an index is bounded anyway.
mlir::LogicalResult checkAssertions(mlir::Operation *op);

/// Erases the assertions in `root` that only check such indices, with a remark;
/// fails, with an error, at any other assertion.
mlir::LogicalResult dropAssertions(mlir::Operation *root);

/// Adds the passes that turn functions of leftovers alone into linalg.generic,
/// ops of tensor and numbers, fused unless that repeats work. With `longSums`,
/// long sums of f32 are accumulated in f64.
void buildNormalisePipeline(mlir::OpPassManager &manager, bool longSums);

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_NORMALISELEFTOVERS_H
