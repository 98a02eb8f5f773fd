//===- TileToNVVMPipeline.cpp - pipeline tile-to-nvvm ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "parablock/Conversion/Passes.h"
#include "parablock/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace parablock;

void parablock::buildTileToNVVM(OpPassManager &manager, StringRef chip,
                                bool isProgrammatic) {
  if (isProgrammatic)
    manager.addPass(createTileMarkConstants());
  OpPassManager &device = manager.nest<gpu::GPUModuleOp>();
  OpPassManager &kernels = device.nest<tile::KernelOp>();
  kernels.addPass(createTileDeferBuffers());
  kernels.addPass(createTileCheckTiles({chip.str()}));
  kernels.addPass(createTileShareCopies());
  kernels.addPass(createTileSpecializeWarps());
  kernels.addPass(createTileAllocateShared());
  if (isProgrammatic)
    kernels.addPass(createTileWaitForLaunch());
  kernels.addPass(createTileWidenColumns());
  kernels.addPass(createTileMarkAccesses());
  device.addPass(createTileDeclareGlobals());
  manager.addPass(createConvertTileToNVVM());
}

namespace {
struct TileToNVVMOptions : public PassPipelineOptions<TileToNVVMOptions> {
  Option<std::string> chip{
      *this, "chip", llvm::cl::desc("chip to compile for, such as sm_90a"),
      llvm::cl::init("sm_90a")};
  Option<bool> isProgrammatic{
      *this, "programmatic-launch",
      llvm::cl::desc("on sm_90a, kernels may be launched before the one "
                     "before has ended"),
      llvm::cl::init(false)};
};
} // namespace

void parablock::registerTileToNVVMPipeline() {
  PassPipelineRegistration<TileToNVVMOptions>(
      "tile-to-nvvm",
      "level 4 to device functions of the chip (tile-mark-constants to "
      "convert-tile-to-nvvm)",
      [](OpPassManager &manager, const TileToNVVMOptions &options) {
        buildTileToNVVM(manager, options.chip, options.isProgrammatic);
      });
}
