//===- ConvertTileToNVVM.cpp - kernels to device functions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

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

/// The symbol that createSharedAddress refers to.
static void declareSharedMemory(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(kSharedSymbol))
    return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(builder, module.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedSymbol, Attribute(),
                         /*alignment=*/1024, /*addrSpace=*/3);
}

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
  populateTilePatterns(converter, patterns, context);
  populateJoinPatterns(converter, patterns, context);
  populateRowPatterns(converter, patterns, context);
  populateAccessPatterns(converter, patterns, context);
  populatePipelinePatterns(converter, patterns, context);
  populateMathPatterns(patterns);
  if (failed(applyPartialConversion(function, target, std::move(patterns))))
    return failure();
  removeCasts(function);
  return checkAssembly(function);
}

/// Nothing in memory is looked at before the launch before has ended. Then the
/// next one may begin: it waits for this one in turn.
static void waitForLaunchBefore(KernelOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (NVVM::GridDepActionKind kind :
       {NVVM::GridDepActionKind::wait,
        NVVM::GridDepActionKind::launch_dependents})
    NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), kind);
}

static LogicalResult convertKernel(KernelOp kernel, const ChipFacts &chip,
                                   bool isProgrammatic) {
  markDeferredBuffers(kernel);
  if (failed(checkTiles(kernel, chip)) || failed(shareCopies(kernel)) ||
      failed(specializeWarps(kernel)))
    return failure();
  if (isProgrammatic)
    waitForLaunchBefore(kernel);
  // What it sets up comes first.
  if (failed(allocateShared(kernel, chip)))
    return failure();
  widenColumns(kernel);
  if (failed(markAccesses(kernel)))
    return failure();
  auto sharedBytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytes);
  if (sharedBytes && sharedBytes.getInt() > 0)
    declareSharedMemory(kernel->getParentOfType<gpu::GPUModuleOp>());
  placeTables(kernel);
  LoweringContext context;
  context.schedule = kernel.getSchedule();
  context.chip = &chip;
  context.isProgrammatic = isProgrammatic;
  FailureOr<LLVM::LLVMFuncOp> function = createDeviceFunction(kernel, context);
  return failed(function) ? failure() : convertBody(*function, context);
}

namespace {
struct ConvertTileToNVVM
    : public parablock::impl::ConvertTileToNVVMBase<ConvertTileToNVVM> {
  using ConvertTileToNVVMBase::ConvertTileToNVVMBase;

  void runOnOperation() override {
    const ChipFacts *facts = findChipFacts(chip);
    if (!facts) {
      // Not at the op: that would print the whole module.
      emitError(getOperation().getLoc())
          << "unknown chip '" << chip << "': expected sm_80 or sm_90a";
      return signalPassFailure();
    }
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels) {
      if (!isa<gpu::GPUModuleOp>(kernel->getParentOp())) {
        kernel.emitOpError("expected gpu.module around it");
        return signalPassFailure();
      }
      if (failed(
              convertKernel(kernel, *facts, isProgrammatic && facts->isHopper)))
        return signalPassFailure();
    }
  }
};
} // namespace
