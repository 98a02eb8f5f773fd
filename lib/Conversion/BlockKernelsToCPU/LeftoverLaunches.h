//===- LeftoverLaunches.h - launches of leftover ops ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Such ops wait until a result of one of them is required; then all waiting ops
// become one launch. Ops that depend on parameters alone wait separately, and
// run once per set of weights.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LEFTOVERLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LEFTOVERLAUNCHES_H

#include "LeftoverKernel.h"
#include "TensorSource.h"

namespace parablock::cpugen {

class LeftoverLaunches {
public:
  LeftoverLaunches(PlanWriter &plan, mlir::ModuleOp kernels,
                   const CpuTarget &target, TensorSource &source)
      : plan(plan), kernels(kernels), target(target), source(source) {}

  /// Adds `op` to the waiting ops.
  mlir::LogicalResult add(mlir::Operation *op);
  /// Creates the tensor of `value` if such ops compute it.
  mlir::LogicalResult provide(mlir::Operation *user, Value value);
  /// Returns a tensor of `value` that no other value shares.
  mlir::FailureOr<plan::TensorOp> makeCopy(mlir::Operation *user, Value value);

  /// Returns whether `op` reads a result of such ops on data.
  bool follows(mlir::Operation *op) const;
  /// Returns whether a waiting op computes `value` from parameters alone.
  bool isWaitingConstant(Value value) const;

private:
  /// Without `isOfRun`, values that depend on parameters alone are computed
  /// once.
  mlir::LogicalResult launch(mlir::Operation *user, const Leftovers &leftovers,
                             bool isOfRun = false);
  mlir::LogicalResult flushBehindWeightWork(mlir::Operation *op,
                                            mlir::ValueRange inputs);
  mlir::LogicalResult flush(mlir::Operation *user,
                            llvm::SetVector<mlir::Operation *> &ops);
  /// The sizes of `value`, which no launch makes yet.
  mlir::FailureOr<Shape> findShape(mlir::Operation *user, Value value);
  /// The module of their functions, which lower in another way than others.
  mlir::ModuleOp getModule();

  PlanWriter &plan;
  mlir::ModuleOp kernels;
  const CpuTarget &target;
  TensorSource &source;
  /// In program order: ops on parameters alone, and others.
  llvm::SetVector<mlir::Operation *> waitingConstants, waiting;
  llvm::DenseSet<mlir::Operation *> ofData;
  mlir::ModuleOp module;
  unsigned count = 0;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_LEFTOVERLAUNCHES_H
