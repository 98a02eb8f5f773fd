//===- Multiply.cpp - tile.zero and tile.mma ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "PipelinePatterns.h"

using namespace mlir;
using namespace parablock::tile;

Value parablock::tile::createChunkAddress(DeviceBuilder &builder,
                                          const Operand &buffer, Value row,
                                          Value chunk) {
  Value address = buffer.address;
  if (buffer.type.getPanels() > 1) {
    Value panel = builder.divide(chunk, 8);
    address = builder.offset(
        address, builder.multiply(panel, buffer.type.getPanelBytes()));
    chunk = builder.remainder(chunk, 8);
  }
  Value turned = builder.exclusiveOr(chunk, builder.remainder(row, 8));
  return builder.offset(address, builder.add(builder.multiply(row, 128),
                                             builder.multiply(turned, 16)));
}

namespace {
struct LowerZero : public TilePattern<ZeroOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(ZeroOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(
        op, getTypeConverter()->convertType(op.getType()));
    return success();
  }
};

struct LowerMma : public TilePattern<MmaOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(MmaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccumulatorLayout layout = *AccumulatorLayout::get(
        op.getAccumulator().getType(), lowering.schedule);
    DeviceBuilder builder(op.getLoc(), rewriter);
    Product product{
        {op.getLeft().getType(), adaptor.getLeft(), op.getLeftDepthFirst()},
        {op.getRight().getType(), adaptor.getRight(), op.getRightDepthFirst()},
        adaptor.getAccumulator()};
    rewriter.replaceOp(op, create(builder, product, layout));
    return success();
  }

private:
  static Value create(DeviceBuilder &builder, const Product &product,
                      const AccumulatorLayout &layout) {
    switch (layout.unit) {
    case MultiplyUnit::Mma:
      return createMmaProduct(builder, product, layout);
    case MultiplyUnit::Wgmma:
      return createWgmmaProduct(builder, product);
    default:
      return createFmaProduct(builder, product, layout);
    }
  }
};
} // namespace

void parablock::tile::populateMultiplyPatterns(TypeConverter &converter,
                                               RewritePatternSet &patterns,
                                               const LoweringContext &context) {
  patterns.add<LowerMma, LowerZero>(converter, patterns.getContext(), context);
}
