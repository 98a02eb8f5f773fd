//===- Multiply.cpp - chooses the instructions of a product ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Multiply.h"

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

/// Returns whether this is tile.zero, looking through pipelines.
static bool isZero(Value accumulator) {
  while (auto cast = accumulator.getDefiningOp<UnrealizedConversionCastOp>())
    accumulator = cast.getInputs().front();
  return accumulator.getDefiningOp<LLVM::ZeroOp>() != nullptr;
}

/// All but the left operand.
static Product createProduct(MmaOp op, Value right, Value accumulator) {
  Operand buffer = {op.getRight().getType(), right, op.getRightDepthFirst()};
  return {{},
          buffer,
          accumulator,
          {},
          static_cast<int64_t>(op.getDepth().value_or(buffer.getDepth())),
          op.getAccumulator().getType().getColumns(),
          isZero(accumulator)};
}

static RegisterOperand createRegisterOperand(DeviceBuilder &builder, MmaOp op,
                                             Value left,
                                             ScheduleAttr schedule) {
  auto type = cast<AccumulatorType>(op.getLeft().getType());
  return {*AccumulatorLayout::get(type, schedule), builder.unpack(left)};
}

PackedOperand parablock::tile::packLeft(DeviceBuilder &builder, MmaOp op,
                                        Value left,
                                        const LoweringContext &context) {
  auto type = cast<FloatType>(op.getRight().getType().getElementType());
  return packOperand(builder,
                     createRegisterOperand(builder, op, left, context.schedule),
                     createProduct(op, {}, left).depth, type);
}

Value parablock::tile::createPackedProduct(DeviceBuilder &builder, MmaOp op,
                                           const PackedOperand &left,
                                           Value right, Value accumulator) {
  Product product = createProduct(op, right, accumulator);
  product.left = left;
  return createWgmmaProduct(builder, product);
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

struct LowerMma final : public ProductPattern<MmaOp> {
  using ProductPattern::ProductPattern;

private:
  Value create(DeviceBuilder &builder, MmaOp op, OpAdaptor adaptor,
               const AccumulatorLayout &layout) const final {
    Product product =
        createProduct(op, adaptor.getRight(), adaptor.getAccumulator());
    product.left = createLeft(builder, op, adaptor.getLeft());
    if (adaptor.getLess())
      product.less = builder.unpack(adaptor.getLess());
    switch (layout.unit) {
    case MultiplyUnit::Mma:
      return createMmaProduct(builder, product, layout);
    case MultiplyUnit::Wgmma:
      return createWgmmaProduct(builder, product);
    default:
      return createFmaProduct(builder, product, layout);
    }
  }

  decltype(Product::left) createLeft(DeviceBuilder &builder, MmaOp op,
                                     Value left) const {
    if (auto buffer = dyn_cast<BufferType>(op.getLeft().getType()))
      return Operand{buffer, left, op.getLeftDepthFirst()};
    return createRegisterOperand(builder, op, left, lowering.schedule);
  }
};
} // namespace

void parablock::tile::addMultiplyPatterns(TilePatterns &patterns) {
  patterns.add<LowerMma, LowerZero>();
  addCodePatterns(patterns);
  addScaledPatterns(patterns);
}
