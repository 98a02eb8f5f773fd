//===- Math.cpp - math ops to programs ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "MathFunctions.h"
#include "TileToNVVM.h"

using namespace mlir;
using namespace parablock::tile;

bool parablock::tile::isExpandedMath(Operation *op) {
  return isa<math::CosOp, math::ErfOp, math::Exp2Op, math::ExpOp, math::LogOp,
             math::Log2Op, math::RsqrtOp, math::SinOp, math::TanhOp>(op);
}

namespace {
/// Where a few units in the last place do not matter, the chip's instruction.
struct ApproximateExp2 : public OpConversionPattern<math::Exp2Op> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(math::Exp2Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32() ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "expected f32 and afn");
    FloatBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, createFastExp2(builder, adaptor.getOperand()));
    return success();
  }
};

template <typename OpT, Value (*create)(FloatBuilder &, Value)>
struct ExpandMath : public OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "expected f32");
    FloatBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, create(builder, adaptor.getOperand()));
    return success();
  }
};
} // namespace

void parablock::tile::populateMathPatterns(RewritePatternSet &patterns) {
  // More than the pattern for any op, which would only copy them.
  patterns.add<
      ExpandMath<math::CosOp, createCos>, ExpandMath<math::ErfOp, createErf>,
      ExpandMath<math::Exp2Op, createExp2>, ExpandMath<math::ExpOp, createExp>,
      ExpandMath<math::LogOp, createLog>, ExpandMath<math::Log2Op, createLog2>,
      ExpandMath<math::RsqrtOp, createRsqrt>,
      ExpandMath<math::SinOp, createSin>, ExpandMath<math::TanhOp, createTanh>>(
      patterns.getContext(), /*benefit=*/2);
  patterns.add<ApproximateExp2>(patterns.getContext(), /*benefit=*/3);
}
