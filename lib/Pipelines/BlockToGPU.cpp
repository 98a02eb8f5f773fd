//===- BlockToGPU.cpp - the pipeline from kernels to device code ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Pipelines/BlockToGPU.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/IR/BlockOps.h"
#include "parablock/Pipelines/Optimize.h"
#include "parablock/Target/Passes.h"
#include "parablock/Tile/TileOps.h"
#include "parablock/Transforms/Passes.h"

using namespace parablock;

namespace {
struct BlockToGPUOptions : public mlir::PassPipelineOptions<BlockToGPUOptions> {
  Option<std::string> chip{*this, "chip",
                           llvm::cl::desc("chip to compile for: sm_80 or "
                                          "sm_90a"),
                           llvm::cl::init("sm_90a")};
  Option<bool> isProgrammatic{
      *this, "programmatic-launch",
      llvm::cl::desc("on sm_90a, kernels may be launched before the one "
                     "before has ended"),
      llvm::cl::init(true)};
};
} // namespace

void parablock::buildBlockToGPUPipeline(mlir::OpPassManager &manager,
                                        llvm::StringRef chip,
                                        bool isProgrammatic) {
  manager.addPass(createConvertBlockKernelsToTile({chip.str()}));
  manager.addPass(mlir::createCanonicalizerPass());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(createConvertTileToNVVM({chip.str(), isProgrammatic}));
  buildDeviceLowering(manager);
}

mlir::LogicalResult parablock::prepareForDevice(mlir::ModuleOp module,
                                                llvm::StringRef chip,
                                                llvm::StringRef recipePath) {
  mlir::PassManager manager(module.getContext());
  bool hasKernels = module
                        .walk([](mlir::Operation *op) {
                          return llvm::isa<block::KernelOp, tile::LaunchOp>(op)
                                     ? mlir::WalkResult::interrupt()
                                     : mlir::WalkResult::advance();
                        })
                        .wasInterrupted();
  if (!hasKernels) {
    OptimizeOptions options;
    options.chip = chip.str();
    buildOptimizePipeline(manager, options);
  }
  manager.addPass(block::createBlockPrepack({recipePath.str()}));
  manager.addPass(block::createBlockFormLeftovers());
  return manager.run(module);
}

mlir::LogicalResult parablock::lowerToDevice(mlir::ModuleOp module,
                                             llvm::StringRef chip) {
  if (failed(prepareForDevice(module, chip)))
    return mlir::failure();
  mlir::PassManager manager(module.getContext());
  buildBlockToGPUPipeline(manager, chip);
  return manager.run(module);
}

void parablock::registerBlockToGPUPipeline() {
  mlir::PassPipelineRegistration<BlockToGPUOptions>(
      "block-to-gpu",
      "kernels to device code: a gpu.module of LLVM and NVVM ops",
      [](mlir::OpPassManager &manager, const BlockToGPUOptions &options) {
        buildBlockToGPUPipeline(manager, options.chip, options.isProgrammatic);
      });
}
