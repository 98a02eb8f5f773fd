//===- Optimize.cpp - the pipeline from models to kernels -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Pipelines/Optimize.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "parablock/Transforms/Passes.h"

using namespace parablock;

void parablock::buildOptimizePipeline(mlir::OpPassManager &manager,
                                      const OptimizeOptions &options) {
  mlir::OpPassManager &functions = manager.nest<mlir::func::FuncOp>();
  functions.addPass(block::createBlockExpand());
  // Statistics are shared before norms fold: a folded norm reads them too.
  functions.addPass(block::createBlockShareNormStats());
  // Norms fold before projections merge, so that two norms of one value do not
  // keep the projections that read them apart.
  functions.addPass(block::createBlockFoldNorm({options.assumeMaxMeanOverStd}));
  // Scales that differ would keep the output projections apart.
  functions.addPass(block::createBlockFoldScales());
  functions.addPass(block::createBlockFuseInputProjections());
  functions.addPass(block::createBlockFuseOutputProjections());
  functions.addPass(block::createBlockFormKernels({options.chip}));
}

void parablock::registerPipelines() {
  mlir::PassPipelineRegistration<OptimizeOptions>(
      "block-optimize",
      "model IR to kernels by exact rewrites (block-expand to "
      "block-form-kernels)",
      buildOptimizePipeline);
}
