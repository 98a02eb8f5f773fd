//===- ConvertTileToNVVM.cpp - dialect conversion of tile kernels ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CopyOut.h"
#include "KernelPass.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_CONVERTTILETONVVM
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

static void removeCasts(LLVM::LLVMFuncOp function) {
  SmallVector<UnrealizedConversionCastOp> casts;
  function.walk(
      [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
}

static LogicalResult convertBody(LLVM::LLVMFuncOp function,
                                 const LoweringContext &context) {
  MLIRContext *mlirContext = function.getContext();
  TileTypeConverter converter(context);
  RewritePatternSet patterns(mlirContext);
  ConversionTarget target(*mlirContext);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addLegalOp<UnrealizedConversionCastOp>();
  target.addIllegalDialect<TileDialect>();
  target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect>(
      [&](Operation *op) {
        return converter.isLegal(op) && !isExpandedMath(op);
      });
  populateStructuralPatterns(converter, patterns, target);
  TilePatterns ofTiles(converter, patterns, context);
  for (auto add : {addTilePatterns, addJoinPatterns, addFoldPatterns,
                   addFillPatterns, addRowPatterns, addAccessPatterns,
                   addPipelinePatterns, addMultiplyPatterns,
                   addRegisterPatterns, addCopyOutPatterns, addStagePatterns})
    add(ofTiles);
  populateMathPatterns(patterns);
  if (failed(applyPartialConversion(function, target, std::move(patterns))))
    return failure();
  removeCasts(function);
  return checkAssembly(function);
}

static LogicalResult convertKernel(KernelOp kernel) {
  if (failed(checkSteps(kernel)) || failed(checkTiles(kernel)))
    return failure();
  LoweringContext context;
  context.schedule = kernel.getSchedule();
  createRings(kernel, context);
  createCopyOutEnd(kernel);
  LLVM::LLVMFuncOp function = createDeviceFunction(kernel, context);
  return convertBody(function, context);
}

namespace {
struct ConvertTileToNVVM
    : public parablock::impl::ConvertTileToNVVMBase<ConvertTileToNVVM> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels) {
      if (!isa<gpu::GPUModuleOp>(kernel->getParentOp())) {
        kernel.emitOpError("expected gpu.module around it");
        return signalPassFailure();
      }
      if (failed(convertKernel(kernel)))
        return signalPassFailure();
    }
  }
};
} // namespace
