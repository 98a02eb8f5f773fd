//===- Registers.cpp - maps and reductions of accumulators ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "AccumulatorLayout.h"
#include "TilePattern.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
/// The body is written once for every element that a thread holds.
struct LowerMap : public TilePattern<MapOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(MapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DeviceBuilder builder(op.getLoc(), rewriter);
    auto shape = dyn_cast<AccumulatorType>(op.getResultTypes().front());
    AccumulatorLayout layout =
        shape ? *AccumulatorLayout::get(shape, lowering.schedule)
              : AccumulatorLayout::getOfRows(
                    cast<RowValuesType>(op.getResultTypes().front()),
                    lowering.schedule);
    SmallVector<SmallVector<Value>> operands, results(op.getNumResults());
    for (Value operand : adaptor.getOperands())
      operands.push_back(builder.unpack(operand));
    size_t count = shape ? getElementsPerThread(shape, lowering.schedule)
                         : layout.rowOffsets.size();
    for (SmallVector<Value> &elements : results)
      elements.resize(count);

    auto [firstRow, firstColumn] = layout.createOrigin(builder);
    for (auto [i, rowOffset] : llvm::enumerate(layout.rowOffsets)) {
      Value row = builder.toIndex(builder.add(firstRow, rowOffset));
      if (!shape) {
        writeElement(builder, op, {row}, operands, results, i, i);
        continue;
      }
      for (auto [j, columnOffset] : llvm::enumerate(layout.columnOffsets))
        for (int64_t part = 0; part < layout.width; ++part) {
          Value column =
              builder.toIndex(builder.add(firstColumn, columnOffset + part));
          writeElement(builder, op, {row, column}, operands, results, i,
                       layout.getElement(i, j, part));
        }
    }
    SmallVector<Value> packed;
    for (auto [type, elements] : llvm::zip_equal(op.getResultTypes(), results))
      packed.push_back(
          builder.pack(getTypeConverter()->convertType(type), elements));
    rewriter.replaceOp(op, packed);
    return success();
  }

private:
  /// A loop for each element creates many loops: unrolling and early starts by
  /// the assembler would need too many registers.
  static void limitUnrolling(Operation *op) {
    MLIRContext *context = op->getContext();
    auto unroll = LLVM::LoopUnrollAttr::get(
        context, /*disable=*/{},
        /*count=*/IntegerAttr::get(IntegerType::get(context, 32), 4),
        /*runtimeDisable=*/{}, /*full=*/{}, {}, {}, {});
    auto annotation = LLVM::LoopAnnotationAttr::get(
        context, /*disableNonforced=*/{}, /*vectorize=*/{}, /*interleave=*/{},
        unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
    op->walk([&](scf::ForOp loop) {
      loop->setDiscardableAttr("llvm.loop_annotation", annotation);
    });
  }

  static void writeElement(DeviceBuilder &builder, MapOp op,
                           ArrayRef<Value> indices,
                           ArrayRef<SmallVector<Value>> operands,
                           MutableArrayRef<SmallVector<Value>> results,
                           int64_t row, int64_t element) {
    SmallVector<Value> arguments(indices);
    for (auto [operand, elements] : llvm::zip_equal(op.getOperands(), operands))
      arguments.push_back(
          elements[isa<RowValuesType>(operand.getType()) ? row : element]);
    IRMapping mapping;
    Block &body = op.getBody().front();
    mapping.map(body.getArguments(), arguments);
    for (Operation &inner : body.without_terminator())
      limitUnrolling(builder.clone(inner, mapping));
    for (auto [value, elements] :
         llvm::zip_equal(body.getTerminator()->getOperands(), results))
      elements[element] = mapping.lookupOrDefault(value);
  }
};

/// Each thread combines its share of a row, then the lanes that share the row.
struct LowerCombine : public TilePattern<CombineOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(CombineOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DeviceBuilder builder(op.getLoc(), rewriter);
    auto shape = dyn_cast<AccumulatorType>(op.getAccumulator().getType());
    AccumulatorLayout layout =
        shape ? *AccumulatorLayout::get(shape, lowering.schedule)
              : AccumulatorLayout::getOfRows(op.getType(), lowering.schedule);
    SmallVector<Value> rows = builder.unpack(adaptor.getAccumulator());
    if (shape)
      rows = combineColumns(builder, op.getKind(), rows, layout);
    if (!op.getShares())
      for (Value &row : rows)
        row = combineLanes(builder, op.getKind(), row, layout);
    Type type = getTypeConverter()->convertType(op.getType());
    rewriter.replaceOp(op, builder.pack(type, rows));
    return success();
  }

private:
  static SmallVector<Value> combineColumns(DeviceBuilder &builder,
                                           Reduction kind,
                                           ArrayRef<Value> elements,
                                           const AccumulatorLayout &layout) {
    SmallVector<Value> rows;
    for (int64_t i = 0, e = layout.rowOffsets.size(); i < e; ++i) {
      Value value;
      for (int64_t j = 0, e = layout.columnOffsets.size(); j < e; ++j)
        for (int64_t part = 0; part < layout.width; ++part) {
          Value next = elements[layout.getElement(i, j, part)];
          value = value ? combine(builder, kind, value, next) : next;
        }
      rows.push_back(value);
    }
    return rows;
  }

  static Value combine(DeviceBuilder &builder, Reduction kind, Value a,
                       Value b) {
    if (kind == Reduction::Add)
      return arith::AddFOp::create(builder, a, b);
    // A NaN stays one, as in a sum.
    return arith::MaximumFOp::create(builder, a, b);
  }

  static Value combineLanes(DeviceBuilder &builder, Reduction kind, Value value,
                            const AccumulatorLayout &layout) {
    for (int64_t distance = layout.getLanesPerRow() / 2; distance > 0;
         distance /= 2) {
      Value other = NVVM::ShflOp::create(
          builder, value.getType(), builder.constant(-1), value,
          builder.constant(distance), builder.constant(31),
          NVVM::ShflKind::bfly, UnitAttr());
      value = combine(builder, kind, value, other);
    }
    return value;
  }
};

/// Returns whether a wait for as many products is right in front of `op`.
static bool isSettled(SettleOp op) {
  Operation *before = op->getPrevNode();
  while (isa_and_present<SettleOp, UnrealizedConversionCastOp>(before))
    before = before->getPrevNode();
  auto wait = dyn_cast_if_present<NVVM::WgmmaWaitGroupSyncOp>(before);
  return wait && wait.getGroup() <= op.getPending();
}

/// Only wgmma runs on while other instructions are carried out.
struct LowerSettle : public TilePattern<SettleOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(SettleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (lowering.schedule.getMultiply() == MultiplyUnit::Wgmma &&
        !isSettled(op))
      NVVM::WgmmaWaitGroupSyncOp::create(rewriter, op.getLoc(),
                                         op.getPending());
    rewriter.replaceOp(op, adaptor.getAccumulator());
    return success();
  }
};
} // namespace

void parablock::tile::addRegisterPatterns(TilePatterns &patterns) {
  patterns.add<LowerCombine, LowerMap, LowerSettle>();
}
