//===- Math.cpp - replaces math ops by programs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "MathFunctions.h"
#include "TileToNVVM.h"
#include "WideFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock::tile;

/// Returns whether errors of a few units in the last place are acceptable.
template <typename OpT> static bool isApproximate(OpT op) {
  return op.getType().isF32() &&
         bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
}

/// A quotient that may be a product with a reciprocal.
static bool isReciprocal(arith::DivFOp op) {
  return isApproximate(op) &&
         bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::arcp);
}

bool parablock::tile::isExpandedMath(Operation *op) {
  if (auto quotient = dyn_cast<arith::DivFOp>(op))
    return isReciprocal(quotient);
  if (auto root = dyn_cast<math::SqrtOp>(op))
    return isApproximate(root);
  return isa<math::Atan2Op, math::AtanOp, math::CbrtOp, math::CosOp,
             math::CoshOp, math::ErfOp, math::ErfcOp, math::Exp2Op, math::ExpOp,
             math::ExpM1Op, math::FPowIOp, math::LogOp, math::Log10Op,
             math::Log1pOp, math::Log2Op, math::PowFOp, math::RsqrtOp,
             math::SinOp, math::SinhOp, math::TanOp, math::TanhOp>(op);
}

namespace {
/// The chip's instruction.
struct ApproximateExp2 : public OpConversionPattern<math::Exp2Op> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(math::Exp2Op op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isApproximate(op))
      return rewriter.notifyMatchFailure(op, "expected f32 and afn");
    FloatBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, createFastExp2(builder, adaptor.getOperand()));
    return success();
  }
};

/// Lowers a square root, which would otherwise be a call.
struct ApproximateSqrt : public OpConversionPattern<math::SqrtOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(math::SqrtOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isApproximate(op))
      return rewriter.notifyMatchFailure(op, "expected f32 and afn");
    FloatBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, builder.approximate("llvm.nvvm.sqrt.approx.f",
                                               adaptor.getOperand()));
    return success();
  }
};

/// So is a quotient, unless it may be a product.
struct MultiplyReciprocal : public OpConversionPattern<arith::DivFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::DivFOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isReciprocal(op))
      return rewriter.notifyMatchFailure(op, "expected f32, afn and arcp");
    FloatBuilder builder(op.getLoc(), rewriter);
    Value inverse = createReciprocal(builder, adaptor.getRhs());
    if (!matchPattern(op.getLhs(), m_OneFloat()))
      inverse = builder.multiply(adaptor.getLhs(), inverse);
    rewriter.replaceOp(op, inverse);
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

/// In f64, and rounded once. Operands may be integers.
template <typename OpT, auto create>
struct WidenMath : public OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "expected f32");
    WideBuilder builder(op.getLoc(), rewriter);
    ValueRange operands = adaptor.getOperands();
    Value result;
    if constexpr (OpT::template hasTrait<OpTrait::OneOperand>())
      result = create(builder, widen(builder, operands[0]));
    else
      result = create(builder, widen(builder, operands[0]),
                      widen(builder, operands[1]));
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }

private:
  static Value widen(WideBuilder &builder, Value value) {
    Type f64 = builder.getF64Type();
    if (value.getType().isF32())
      return arith::ExtFOp::create(builder, f64, value);
    return arith::SIToFPOp::create(builder, f64, value);
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
  patterns.add<WidenMath<math::Atan2Op, createWideATan2>,
               WidenMath<math::AtanOp, createWideATan>,
               WidenMath<math::CbrtOp, createWideCbrt>,
               WidenMath<math::CoshOp, createWideCosh>,
               WidenMath<math::ErfcOp, createWideErfc>,
               WidenMath<math::ExpM1Op, createWideExpM1>,
               WidenMath<math::FPowIOp, createWidePow>,
               WidenMath<math::Log10Op, createWideLog10>,
               WidenMath<math::Log1pOp, createWideLog1p>,
               WidenMath<math::PowFOp, createWidePow>,
               WidenMath<math::SinhOp, createWideSinh>,
               WidenMath<math::TanOp, createWideTan>>(patterns.getContext(),
                                                      /*benefit=*/2);
  patterns.add<ApproximateExp2, ApproximateSqrt, MultiplyReciprocal>(
      patterns.getContext(), /*benefit=*/3);
}
