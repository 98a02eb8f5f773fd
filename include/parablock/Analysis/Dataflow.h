//===- Dataflow.h - what a step of a layer belongs to -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// At level 2 nothing says "attention" or "MLP" any more; what a projection is
// for shows in what reads its result and what made its input. These walks see
// through `block.kernel` and follow a value only through steps that keep what
// it is for, so they are short.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_DATAFLOW_H
#define PARABLOCK_ANALYSIS_DATAFLOW_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace parablock {

/// Gives what `op` reads: operands, and what its regions read of what is
/// outside.
llvm::SetVector<mlir::Value> findReads(mlir::Operation *op);

/// Calls `visit` for `value` and, where that returns advance, for what the op
/// that makes it reads; for every value once, however many ways lead to it.
/// Returns interrupt as soon as `visit` does.
mlir::WalkResult
walkSources(mlir::Value value,
            llvm::function_ref<mlir::WalkResult(mlir::Value)> visit);

/// Calls `visit` for the uses of `value` and, where that returns advance, for
/// those of the user's results; for every use once. Returns interrupt as soon
/// as `visit` does.
mlir::WalkResult
walkUses(mlir::Value value,
         llvm::function_ref<mlir::WalkResult(mlir::OpOperand &)> visit);

/// Where `value` is made, seen through kernels; null for what a function is
/// given.
mlir::OpResult getDefinition(mlir::Value value);
mlir::Operation *getProducer(mlir::Value value);

/// `value`, or what the kernel that it is an argument of was given for it.
mlir::Value leaveKernel(mlir::Value value);

/// Calls `visit` for every use of `value` by an op that is not a kernel or its
/// yield, seen through kernels.
void forEachUse(mlir::Value value,
                llvm::function_ref<void(mlir::OpOperand &)> visit);

/// True for steps that hand on what they read, element for element or row for
/// row: norms, rotations, clamps, biases, casts, splits.
bool isPassThrough(mlir::Operation *op);

/// The attention or activation of a layer that `value` runs into, or null.
mlir::Operation *findConsumer(mlir::Value value);

/// The attention, activation or MLP that `value` comes from, seen through
/// pass-through steps, scales and projections, or null.
mlir::Operation *findSource(mlir::Value value);

/// Tells whether `op` is part of an attention or an MLP by what it is.
ModelPart getPart(mlir::Operation *op);

/// Columns of a projection that are for the same part of the model.
struct Segment {
  int64_t width;
  ModelPart part;
};

/// Gives what the columns of `result`, the projection of `input`, are for: one
/// segment, or one per result of the split after it.
llvm::SmallVector<Segment, 2> getSegments(mlir::Value result,
                                          mlir::Value input);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_DATAFLOW_H
