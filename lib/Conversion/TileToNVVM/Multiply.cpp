//===- Multiply.cpp - tile.zero and tile.mma ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

#include "PipelinePatterns.h"

using namespace mlir;
using namespace parablock::tile;

Value parablock::tile::createPanelAddress(DeviceBuilder &builder, Value panel,
                                          Value row, Value chunk) {
  Value turned = builder.exclusiveOr(chunk, builder.remainder(row, 8));
  return builder.offset(panel, builder.add(builder.multiply(row, 128),
                                           builder.multiply(turned, 16)));
}

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
  return createPanelAddress(builder, address, row, chunk);
}

SmallVector<Value>
parablock::tile::createFragment(DeviceBuilder &builder,
                                const RegisterOperand &operand, int64_t tile,
                                int64_t step, FloatType type) {
  SmallVector<Value> parts;
  for (int64_t column : {2 * step, 2 * step + 1})
    for (int64_t row : {2 * tile, 2 * tile + 1}) {
      Value pair = LLVM::PoisonOp::create(
          builder, VectorType::get(2, builder.getF32Type()));
      for (int64_t i : {0, 1})
        pair = LLVM::InsertElementOp::create(
            builder, pair,
            operand.elements[operand.layout.getElement(row, column, i)],
            builder.constant(i));
      parts.push_back(
          LLVM::FPTruncOp::create(builder, VectorType::get(2, type), pair));
    }
  return parts;
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
    Operand right = {op.getRight().getType(), adaptor.getRight(),
                     op.getRightDepthFirst()};
    Product product{
        createLeft(builder, op, adaptor.getLeft()),
        right,
        adaptor.getAccumulator(),
        static_cast<int64_t>(op.getDepth().value_or(right.getDepth())),
        op.getAccumulator().getType().getColumns(),
        adaptor.getAccumulator().getDefiningOp<LLVM::ZeroOp>() != nullptr};
    rewriter.replaceOp(op, create(builder, product, layout));
    return success();
  }

private:
  std::variant<Operand, RegisterOperand>
  createLeft(DeviceBuilder &builder, MmaOp op, Value left) const {
    if (auto buffer = dyn_cast<BufferType>(op.getLeft().getType()))
      return Operand{buffer, left, op.getLeftDepthFirst()};
    auto type = cast<AccumulatorType>(op.getLeft().getType());
    return RegisterOperand{*AccumulatorLayout::get(type, lowering.schedule),
                           builder.unpack(left)};
  }

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
