//===- Dataflow.h - roles of values in a layer ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Level 2 has no ops for "attention" or "MLP": the role of a projection follows
// from the readers of its result and the producer of its input. These walks
// look through `block.kernel` and follow a value only through steps that
// preserve its role, so they are short.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_DATAFLOW_H
#define PARABLOCK_ANALYSIS_DATAFLOW_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace parablock {

/// Returns the operands of `op` and the outer values that its regions
/// read.
llvm::SetVector<mlir::Value> findReads(mlir::Operation *op);

/// Calls `visit` once for `value` and for each of its sources. Where `visit`
/// returns advance, the walk continues with the operands of the op that defines
/// the value. Returns interrupt as soon as `visit` does.
mlir::WalkResult
walkSources(mlir::Value value,
            llvm::function_ref<mlir::WalkResult(mlir::Value)> visit);

/// Calls `visit` once for each use of `value`. Where `visit` returns advance,
/// the walk continues with the uses of the user's results. Returns interrupt as
/// soon as `visit` does.
mlir::WalkResult
walkUses(mlir::Value value,
         llvm::function_ref<mlir::WalkResult(mlir::OpOperand &)> visit);

/// Returns the result that defines `value`, looking through kernels; null for
/// arguments of a function.
mlir::OpResult getDefinition(mlir::Value value);
mlir::Operation *getProducer(mlir::Value value);

/// Returns `value`, or the kernel's operand if `value` is an argument of a
/// kernel.
mlir::Value leaveKernel(mlir::Value value);

/// Calls `visit` for every use of `value` by an op other than a kernel or its
/// yield, looking through kernels.
void forEachUse(mlir::Value value,
                llvm::function_ref<void(mlir::OpOperand &)> visit);

/// Returns true for steps that map their input element by element or row by
/// row: norms, rotations, clamps, biases, casts, splits.
bool isPassThrough(mlir::Operation *op);

/// Returns the attention or activation of a layer that `value` reaches, or
/// null.
mlir::Operation *findConsumer(mlir::Value value);

/// Returns the attention, activation or MLP that `value` comes from, looking
/// through pass-through steps, scales and projections, or null.
mlir::Operation *findSource(mlir::Value value);

/// Returns the part that the kind of `op` alone belongs to: attention, MLP or
/// another.
ModelPart getPart(mlir::Operation *op);

/// Columns of a projection with the same role in the model.
struct Segment {
  int64_t width;
  ModelPart part;
};

/// Returns the roles of the columns of `result`, the projection of `input`: one
/// segment, or one per result of the split after it.
llvm::SmallVector<Segment, 2> getSegments(mlir::Value result,
                                          mlir::Value input);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_DATAFLOW_H
