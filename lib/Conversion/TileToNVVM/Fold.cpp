//===- Fold.cpp - combines integers of all threads of a CTA ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A thread combines its columns, lanes combine by shuffles, and warps exchange
// their parts in shared memory. Every warp combines all parts itself, so that
// all threads end with the result.
//
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

static Value combine(OpBuilder &builder, Location loc, Value a, Value b,
                     Reduction kind) {
  if (kind == Reduction::Add)
    return arith::AddIOp::create(builder, loc, a, b);
  return arith::MaxUIOp::create(builder, loc, a, b);
}

/// Returns the i64 of the lane whose number differs in `distance`: shuffles
/// have 32 bits.
static Value exchange(DeviceBuilder &builder, Value value, int distance) {
  auto half = [&](Value part) -> Value {
    return NVVM::ShflOp::create(
        builder, builder.getI32Type(), builder.constant(-1), part,
        builder.constant(distance), builder.constant(31), NVVM::ShflKind::bfly,
        /*return_value_and_is_valid=*/UnitAttr());
  };
  Value bits = builder.constant64(32);
  Value low =
      half(arith::TruncIOp::create(builder, builder.getI32Type(), value));
  Value high = half(
      arith::TruncIOp::create(builder, builder.getI32Type(),
                              arith::ShRUIOp::create(builder, value, bits)));
  return arith::OrIOp::create(
      builder, builder.extend64(low),
      arith::ShLIOp::create(builder, builder.extend64(high), bits));
}

static Value combineLanes(DeviceBuilder &builder, Value value, Reduction kind) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = combine(builder, builder.getLoc(), value,
                    exchange(builder, value, distance), kind);
  return value;
}

namespace {
struct LowerFold : public TilePattern<FoldOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(FoldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    DeviceBuilder builder(loc, rewriter);
    Value first = builder.add(adaptor.getFrom(), builder.threadIndex());
    SmallVector<Value> none(op.getNumResults(), builder.constant64(0));
    auto loop =
        scf::ForOp::create(builder, first, adaptor.getTo(),
                           builder.constant(32 * lowering.getWarps()), none);
    SmallVector<Value> results =
        combineWarps(builder, op, SmallVector<Value>(loop.getResults()));

    rewriter.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next = inlineBody(rewriter, *getTypeConverter(),
                                         op.getBody(), loop.getInductionVar());
    for (auto [value, before] : llvm::zip_equal(next, loop.getRegionIterArgs()))
      value = combine(rewriter, loc, before, value, op.getKind());
    scf::YieldOp::create(rewriter, loc, next);
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  SmallVector<Value> combineWarps(DeviceBuilder &builder, FoldOp op,
                                  SmallVector<Value> values) const {
    Location loc = op.getLoc();
    Reduction kind = op.getKind();
    int64_t bytes = 8 * static_cast<int64_t>(values.size());
    Value parts = createSharedAddress(builder, loc, *op.getOffset());
    auto partOf = [&](Value warp, size_t result) {
      return builder.offset(
          builder.offset(parts, builder.multiply(warp, bytes)),
          8 * static_cast<int64_t>(result));
    };
    for (Value &value : values)
      value = combineLanes(builder, value, kind);
    // All have read the parts of the fold before.
    createComputeBarrier(builder, loc, lowering);
    Value lane = builder.laneIndex();
    Value isFirst =
        builder.compare(arith::CmpIPredicate::eq, lane, builder.constant(0));
    builder.when(isFirst, [&] {
      for (auto [result, value] : llvm::enumerate(values))
        builder.store(value, partOf(builder.warpIndex(), result));
    });
    createComputeBarrier(builder, loc, lowering);
    // A lane without a warp reads another part, and counts it as nothing.
    Value isWarp = builder.compare(arith::CmpIPredicate::ult, lane,
                                   builder.constant(lowering.getWarps()));
    Value warp = builder.select(isWarp, lane, builder.constant(0));
    for (auto [result, value] : llvm::enumerate(values)) {
      Value part = builder.load(builder.getI64Type(), partOf(warp, result));
      value = combineLanes(
          builder, builder.select(isWarp, part, builder.constant64(0)), kind);
    }
    return values;
  }
};
} // namespace

void parablock::tile::addFoldPatterns(TilePatterns &patterns) {
  patterns.add<LowerFold>();
}
