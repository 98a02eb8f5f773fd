//===- Optimize.cpp - pipeline block-optimize -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Pipelines/Optimize.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "parablock/Support/Chips.h"
#include "parablock/Transforms/Passes.h"

using namespace parablock;

bool OptimizeOptions::areGiven() const {
  return parallel.hasValue() || pairing.hasValue() || from.hasValue() ||
         norm.hasValue() || router.hasValue() || scale.hasValue() ||
         attnScale.hasValue() || mlpScale.hasValue() || statistics.hasValue() ||
         assumeMaxMeanOverStd.hasValue();
}

llvm::Error parablock::parseOptimizeOptions(llvm::StringRef text,
                                            OptimizeOptions &options) {
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(options.parseFromString(text, os)))
    return llvm::createStringError("block-optimize: " +
                                   llvm::StringRef(message).trim());
  if (options.chip.hasValue())
    return llvm::createStringError(
        "block-optimize: expected no chip, which is given elsewhere, got '" +
        options.chip + "'");
  return llvm::Error::success();
}

void parablock::buildOptimizePipeline(mlir::OpPassManager &manager,
                                      const OptimizeOptions &options,
                                      llvm::StringRef chip) {
  std::string target = chip.empty() ? options.chip.getValue() : chip.str();
  llvm::Expected<const Chip &> found = findChip(target);
  bool isForDevice = found && found->isDevice();
  if (!found)
    llvm::consumeError(found.takeError()); // which block-form-kernels reports
  if (options.parallel != "none")
    manager.addPass(block::createBlockParallelize(
        {options.parallel, options.pairing, options.from, options.norm,
         options.router, options.scale, options.attnScale, options.mlpScale}));
  manager.addPass(block::createBlockExpand());
  // Statistics are shared before norms fold: a folded norm reads them too.
  manager.addPass(block::createBlockShareNormStats());
  // In a step only projections read a norm once its gradients are folded. A CPU
  // would fold weights in each step for it, which costs more.
  if (isForDevice)
    manager.addPass(block::createBlockFoldNormGrad(
        {options.assumeMaxMeanOverStd, options.statistics}));
  // Norms fold before projections merge, so that two norms of one value do not
  // keep their projections separate.
  manager.addPass(block::createBlockFoldNorm(
      {options.assumeMaxMeanOverStd, options.statistics}));
  // Different scales would keep the output projections separate.
  manager.addPass(block::createBlockFoldScales());
  manager.addPass(block::createBlockFuseInputProjections());
  manager.addPass(block::createBlockFuseOutputProjections());
  manager.addPass(block::createBlockFuseWeightGrads());
  if (isForDevice) {
    manager.addPass(block::createBlockTabulateRotations());
    manager.addPass(block::createBlockExpandExperts({/*keep=*/true}));
  }
  manager.addPass(block::createBlockFormKernels({target}));
}

llvm::ArrayRef<llvm::StringRef> parablock::getExactPasses() {
  static const llvm::StringRef flags[] = {
      "block-shift",
      "block-expand",
      "block-share-norm-stats",
      "block-fold-norm-grad",
      "block-fold-norm",
      "block-fold-scales",
      "block-fuse-input-projections",
      "block-fuse-output-projections",
      "block-fuse-weight-grads",
      "block-expand-experts",
      "block-form-kernels",
      "block-prepack",
      "block-form-leftovers",
  };
  return flags;
}

void parablock::registerPipelines() {
  mlir::PassPipelineRegistration<OptimizeOptions>(
      "block-optimize",
      "model IR to kernels by exact rewrites (block-expand to "
      "block-form-kernels)",
      [](mlir::OpPassManager &manager, const OptimizeOptions &options) {
        buildOptimizePipeline(manager, options);
      });
}
