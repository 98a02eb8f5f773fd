//===- Optimize.h - the pipeline from models to kernels ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_OPTIMIZE_H
#define PARABLOCK_PIPELINES_OPTIMIZE_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace parablock {

/// What `--block-optimize` can be told.
struct OptimizeOptions : public mlir::PassPipelineOptions<OptimizeOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("chip to compile for: cpu, sm_80 or sm_90a"),
      llvm::cl::init("cpu")};
  Option<double> assumeMaxMeanOverStd{
      *this, "assume-max-mean-over-std",
      llvm::cl::desc("largest |mean| / standard deviation of any row; "
                     "negative: unknown"),
      llvm::cl::init(-1.0)};
};

/// Adds the passes of `--block-optimize`: model IR of level 1 or 2 to kernels,
/// by exact rewrites alone.
void buildOptimizePipeline(mlir::OpPassManager &manager,
                           const OptimizeOptions &options);

/// The flags of the passes that keep the function, as real numbers go.
llvm::ArrayRef<llvm::StringRef> getExactPasses();

/// Makes the pipelines known under their flags.
void registerPipelines();

} // namespace parablock

#endif // PARABLOCK_PIPELINES_OPTIMIZE_H
