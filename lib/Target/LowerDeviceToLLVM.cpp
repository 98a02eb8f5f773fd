//===- LowerDeviceToLLVM.cpp - pass lower-device-to-llvm ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"
#include "parablock/Target/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_LOWERDEVICETOLLVM
#include "parablock/Target/Passes.h.inc"
} // namespace parablock

using namespace mlir;

/// Returns true for math ops that are one or a few instructions on every chip.
/// All others would call a device library.
static bool isInstruction(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::Exp2Op, math::FloorOp, math::FmaOp,
             math::IsFiniteOp, math::IsInfOp, math::IsNaNOp, math::IsNormalOp,
             math::RoundEvenOp, math::RsqrtOp, math::SqrtOp, math::TruncOp>(op);
}

/// Fails, with an error at the op, where math would need a library.
static LogicalResult checkMath(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
        isInstruction(op))
      return WalkResult::advance();
    op->emitOpError("needs a device library, and none is linked; expected its "
                    "expansion into instructions");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Fails, with an error at the op, where the backend could not read it.
static LogicalResult checkConverted(Operation *root) {
  // Outer ops first: a region is its op's, not its terminator's.
  WalkResult result = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == root ||
        isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("is left in device code, expected LLVM and NVVM ops only");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static void removeCasts(Operation *root) {
  SmallVector<UnrealizedConversionCastOp> casts;
  root->walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
}

/// Moves a loop's annotation to its branch: it is an attribute of any op, and
/// the translation to LLVM IR reads only the branch.
static void keepLoopAnnotations(Operation *root) {
  root->walk([](LLVM::BrOp branch) {
    Attribute given = branch->removeDiscardableAttr("llvm.loop_annotation");
    if (auto annotation = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(given))
      branch.setLoopAnnotationAttr(annotation);
  });
}

namespace {
struct LowerDeviceToLLVM
    : public parablock::impl::LowerDeviceToLLVMBase<LowerDeviceToLLVM> {
  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(checkMath(root)))
      return signalPassFailure();

    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateNVVMToLLVMConversionPatterns(patterns);

    // Partial, since remaining ops are reported here.
    LLVMConversionTarget target(getContext());
    if (failed(applyPartialConversion(root, target, std::move(patterns))))
      return signalPassFailure();
    removeCasts(root);
    keepLoopAnnotations(root);
    if (failed(checkConverted(root)))
      signalPassFailure();
  }
};
} // namespace
