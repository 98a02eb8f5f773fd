//===- Structure.cpp - converts types of other dialects' ops --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TileToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"

using namespace mlir;
using namespace parablock::tile;

/// An index has 32 bits here, but its attribute has the type index.
static SmallVector<NamedAttribute> convertAttributes(Operation *op) {
  Builder builder(op->getContext());
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : op->getAttrs()) {
    auto value = dyn_cast<IntegerAttr>(attribute.getValue());
    if (value && value.getType().isIndex())
      attribute.setValue(builder.getI32IntegerAttr(value.getInt()));
    attributes.push_back(attribute);
  }
  return attributes;
}

namespace {
struct ConvertTypes : public ConversionPattern {
  ConvertTypes(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()))
      return failure();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         convertAttributes(op));
    rewriter.replaceOp(op, rewriter.create(state)->getResults());
    return success();
  }
};

/// Between index and another integer type.
template <typename CastOp, typename ExtendOp>
struct ConvertCast : public OpConversionPattern<CastOp> {
  using OpConversionPattern<CastOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CastOp op, typename CastOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    Value from = adaptor.getIn();
    unsigned width = type.getIntOrFloatBitWidth();
    unsigned fromWidth = from.getType().getIntOrFloatBitWidth();
    if (width == fromWidth)
      rewriter.replaceOp(op, from);
    else if (width < fromWidth)
      rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, from);
    else
      rewriter.replaceOpWithNewOp<ExtendOp>(op, type, from);
    return success();
  }
};
} // namespace

void parablock::tile::populateStructuralPatterns(TypeConverter &converter,
                                                 RewritePatternSet &patterns,
                                                 ConversionTarget &target) {
  MLIRContext *context = patterns.getContext();
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  // Upstream looks at results only; bounds and counters may be of type index.
  target.addDynamicallyLegalOp<scf::ForOp>([&converter](scf::ForOp op) {
    return converter.isLegal(op) && converter.isLegal(&op.getRegion());
  });
  target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp,
                      arith::FloorDivSIOp>();
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  patterns.add<ConvertTypes>(converter, context);
  patterns.add<ConvertCast<arith::IndexCastOp, arith::ExtSIOp>,
               ConvertCast<arith::IndexCastUIOp, arith::ExtUIOp>>(
      converter, context, /*benefit=*/2);
}
