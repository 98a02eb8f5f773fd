//===- GradientLaunches.h - launches of sums over rows ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Steps of a backward pass that sum over rows are not kernels of rows: each is
// one or several separate launches. The order of every sum is independent of
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GRADIENTLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GRADIENTLAUNCHES_H

#include "LossLaunches.h"
#include "SdpaGradLaunches.h"

namespace parablock::cpugen {

/// Returns whether `op` is such a step.
bool isGradientStep(mlir::Operation *op);

class GradientLaunches : LaunchWriter {
public:
  GradientLaunches(PlanWriter &plan, KernelLibrary &library,
                   TensorSource &source)
      : LaunchWriter(plan, library, source), losses(plan, library, source),
        attention(plan, library, source) {}

  mlir::LogicalResult add(mlir::Operation *op);

private:
  mlir::LogicalResult addWeightGrad(block::WeightGradOp op);
  mlir::LogicalResult addColumnSums(block::ColumnSumsOp op);
  mlir::LogicalResult addEmbeddingGrad(block::EmbeddingGradOp op);
  mlir::LogicalResult addPatchGrad(block::PatchEmbeddingGradOp op);
  /// Adds a launch of `kernel` with output `result`; its dynamic sizes are
  /// those of `shape`.
  mlir::LogicalResult addLaunch(Launch launch, const KernelCode &kernel,
                                mlir::Value result, const Shape &shape = {});

  LossLaunches losses;
  SdpaGradLaunches attention;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_GRADIENTLAUNCHES_H
