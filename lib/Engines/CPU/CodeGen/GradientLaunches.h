//===- GradientLaunches.h - launches of sums over rows ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Steps of a backward pass that sum over rows are no kernels of rows: each is a
// launch, or several, of its own. Whatever is summed up is summed up in an
// order that threads have no part in.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_GRADIENTLAUNCHES_H
#define PARABLOCK_LIB_CPU_GRADIENTLAUNCHES_H

#include "LossLaunches.h"
#include "SdpaGradLaunches.h"

namespace parablock::cpugen {

/// Tells whether `op` is such a step.
bool isGradientStep(mlir::Operation *op);

class GradientLaunches {
public:
  GradientLaunches(PlanWriter &plan, KernelLibrary &library,
                   TensorSource &source)
      : plan(plan), library(library), source(source),
        losses(plan, library, source), attention(plan, library, source) {}

  mlir::LogicalResult add(mlir::Operation *op);

private:
  mlir::LogicalResult addWeightGrad(block::WeightGradOp op);
  mlir::LogicalResult addColumnSums(block::ColumnSumsOp op);
  mlir::LogicalResult addEmbeddingGrad(block::EmbeddingGradOp op);
  mlir::LogicalResult addPatchGrad(block::PatchEmbeddingGradOp op);
  /// Adds a launch of `kernel` that makes `result`; its open sizes are those of
  /// `shape`.
  mlir::LogicalResult addLaunch(Launch launch, const KernelCode &kernel,
                                mlir::Value result, const Shape &shape = {});

  PlanWriter &plan;
  KernelLibrary &library;
  TensorSource &source;
  LossLaunches losses;
  SdpaGradLaunches attention;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_GRADIENTLAUNCHES_H
