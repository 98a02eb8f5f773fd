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
  mlir::OpPassManager &device = manager.nest<mlir::gpu::GPUModuleOp>();
  // Functions by themselves, on all threads.
  auto simplify = [&] {
    mlir::OpPassManager &each = device.nestAny();
    each.addPass(mlir::createCanonicalizerPass());
    each.addPass(mlir::createCSEPass());
  };
  simplify();
  device.addPass(mlir::createSCFToControlFlowPass());
  // Decomposes vectors of several dimensions; the next pass converts the rest.
  device.addPass(mlir::createConvertVectorToLLVMPass());
  device.addPass(createLowerDeviceToLLVM());
  simplify();
}
