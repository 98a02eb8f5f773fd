//===- DeviceLowering.cpp - lists passes to LLVM and NVVM -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Target/Passes.h"

using namespace parablock;

void parablock::buildDeviceLowering(mlir::OpPassManager &manager) {
  // Functions by themselves, on all threads: none of the passes adds a symbol.
  mlir::OpPassManager &each = manager.nest<mlir::gpu::GPUModuleOp>().nestAny();
  // Folds constants, in one sweep: LLVM simplifies the rest and all regions.
  mlir::GreedyRewriteConfig config;
  config.setMaxIterations(1);
  config.setRegionSimplificationLevel(
      mlir::GreedySimplifyRegionLevel::Disabled);
  each.addPass(mlir::createCanonicalizerPass(config));
  each.addPass(mlir::createCSEPass());
  each.addPass(mlir::createSCFToControlFlowPass());
  // Decomposes vectors of several dimensions; the next pass converts the rest.
  each.addPass(mlir::createConvertVectorToLLVMPass());
  each.addPass(createLowerDeviceToLLVM());
}
