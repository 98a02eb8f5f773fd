//===- Optimize.h - pipeline from models to kernels -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_PIPELINES_OPTIMIZE_H
#define PARABLOCK_PIPELINES_OPTIMIZE_H

#include "mlir/Pass/PassOptions.h"
#include "parablock/Analysis/Choice.h"
#include "parablock/Support/Number.h"
#include "llvm/Support/Error.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace parablock {

/// The options of `--block-optimize`.
struct OptimizeOptions : public mlir::PassPipelineOptions<OptimizeOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("chip to compile for: cpu or a GPU such as sm_90a"),
      llvm::cl::init("cpu")};
  Option<std::string> parallel{
      *this, "parallel",
      llvm::cl::desc("serial pairs to make parallel, an approximation: none, "
                     "all, @choice.json, or names and ranges such as 0,2-5 or "
                     "2+-5+"),
      llvm::cl::init("none")};
  Option<Pairing> pairing{
      *this, "pairing",
      llvm::cl::desc("what all means of pairs: block, shifted, best, ladder or "
                     "shortcut"),
      llvm::cl::init(Pairing::Block)};
  Option<std::string> from{
      *this, "from",
      llvm::cl::desc("first layer of which pairs become parallel: an index, or "
                     "half for the upper half"),
      llvm::cl::init("")};
  Option<SecondNorm> norm{
      *this, "norm",
      llvm::cl::desc("norm of the MLP in layers made parallel: separate, "
                     "shared or shared-lossy"),
      llvm::cl::init(SecondNorm::Separate)};
  Option<RouterInput> router{
      *this, "router",
      llvm::cl::desc("stream that routers of experts read in layers made "
                     "parallel: parallel or serial"),
      llvm::cl::init(RouterInput::Parallel)};
  Option<Number> scale{
      *this, "scale",
      llvm::cl::desc("factor of both branches in layers made parallel"),
      llvm::cl::init(1.0)};
  Option<Number> attnScale{
      *this, "attn-scale",
      llvm::cl::desc("further factor of the attention branch"),
      llvm::cl::init(1.0)};
  Option<Number> mlpScale{*this, "mlp-scale",
                          llvm::cl::desc("further factor of the MLP branch"),
                          llvm::cl::init(1.0)};
  Option<std::string> statistics{
      *this, "statistics",
      llvm::cl::desc("file of block-drift --statistics: how far the rows that "
                     "norms read are from centred"),
      llvm::cl::init("")};
  Option<Number> assumeMaxMeanOverStd{
      *this, "assume-max-mean-over-std",
      llvm::cl::desc("largest |mean| / standard deviation of any row; "
                     "negative: unknown"),
      llvm::cl::init(-1.0)};

  /// Returns whether any option but the chip has a value.
  bool areGiven() const;
};

/// Reads the options of `--block-optimize` from a command line, without a chip.
llvm::Error parseOptimizeOptions(llvm::StringRef text,
                                 OptimizeOptions &options);

/// Adds the passes of `--block-optimize`: model IR of level 1 or 2 to kernels,
/// by exact rewrites; `parallel` adds the approximate one before them. They
/// compile for `chip`, or if that is empty, for the chip of the options.
void buildOptimizePipeline(mlir::OpPassManager &manager,
                           const OptimizeOptions &options,
                           llvm::StringRef chip = "");

/// Returns the flags of the passes that preserve the function in real
/// arithmetic.
llvm::ArrayRef<llvm::StringRef> getExactPasses();

/// Registers the pipelines.
void registerPipelines();

} // namespace parablock

#endif // PARABLOCK_PIPELINES_OPTIMIZE_H
