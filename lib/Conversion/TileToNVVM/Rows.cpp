//===- Rows.cpp - loops over rows and columns of warps --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ColumnCount.h"
#include "OwnWarp.h"
#include "RowFacts.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
struct LowerRows : public TilePattern<RowsOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(RowsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value row = op.getGrid()
                    ? createGridLoop(rewriter, op.getLoc(), adaptor.getCount())
                    : createTileLoop(rewriter, op, adaptor.getCount(),
                                     adaptor.getPart());
    rewriter.setInsertionPointAfterValue(row);
    inlineBody(rewriter, *getTypeConverter(), op.getBody(), row);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Rows in turns, over the warps of all CTAs.
  Value createGridLoop(OpBuilder &builder, Location loc, Value count) const {
    Value warps = createI32(builder, loc, lowering.getWarps());
    Value first = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, createCTAId(builder, loc), warps),
        createWarpId(builder, loc));
    Value step =
        arith::MulIOp::create(builder, loc, createNumCTAs(builder, loc), warps);
    return scf::ForOp::create(builder, loc, first, count, step)
        .getInductionVar();
  }

  /// A run of rows for each warp of this CTA.
  Value createTileLoop(ConversionPatternRewriter &builder, RowsOp op,
                       Value count, Value part) const {
    Location loc = op.getLoc();
    TileWarps own = createTileWarps(builder, loc, lowering, op.getCluster());
    int64_t extent = *op.getExtent(), warps = own.count;
    int64_t parts = static_cast<int64_t>(op.getParts());
    int64_t rounds = extent / warps / parts;
    // Rounds that are few rows together are a known number of them.
    constexpr int64_t mostRounds = 8;
    bool isWhole = getConstant(op.getCount()) == extent &&
                   extent % (warps * parts) == 0 && rounds <= mostRounds;
    Value one = createI32(builder, loc, 1);
    Value next = arith::AddIOp::create(builder, loc, own.warp, one);
    Value first = createFirstRow(builder, loc, own.warp, own.count, extent);
    Value end;
    if (part) {
      Value size = createI32(builder, loc, rounds);
      first = arith::AddIOp::create(
          builder, loc, first, arith::MulIOp::create(builder, loc, part, size));
      end = arith::AddIOp::create(builder, loc, first, size);
    } else {
      end = createFirstRow(builder, loc, next, own.count, extent);
    }
    if (!isWhole)
      end = arith::MinSIOp::create(builder, loc, end, count);
    RowFacts facts(op);
    if (!facts.isEmpty() && llvm::divideCeil(extent, warps) <= 32) {
      facts.find(builder, first, end);
      facts.tell(builder, first);
    }
    if (!isWhole)
      return scf::ForOp::create(builder, loc, first, end, one)
          .getInductionVar();
    // An equal number for each warp, visible to the backend; a round is as many
    // rows as are worth working on together.
    auto loop = scf::ForOp::create(builder, loc, createI32(builder, loc, 0),
                                   createI32(builder, loc, rounds), one);
    keepRolled(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    return arith::AddIOp::create(builder, loc, first, loop.getInductionVar(),
                                 arith::IntegerOverflowFlags::nsw);
  }
};
} // namespace

namespace {
/// A loop over the columns of one lane.
struct LaneLoop {
  scf::ForOp loop;
  /// The first column of a round.
  Value column;
};
} // namespace

/// `op` defines how many columns a lane processes at a time. If all lanes have
/// equally many, the number of rounds is a constant.
template <typename OpT>
static LaneLoop createLaneLoop(OpBuilder &builder, OpT op, Value from, Value to,
                               ValueRange init = {}) {
  Location loc = op.getLoc();
  int64_t width = op.getWidth().value_or(1);
  // From a lane number that is a part of the thread number, the backend
  // combines bits with the distance of runs, and no longer recognises
  // neighbours.
  Value lane = op.getRounds()
                   ? NVVM::LaneIdOp::create(builder, loc, builder.getI32Type())
                   : createLaneId(builder, loc);
  Value offset =
      arith::MulIOp::create(builder, loc, lane, createI32(builder, loc, width));
  Value first = arith::AddIOp::create(builder, loc, from, offset);
  int64_t together =
      32 * width * static_cast<int64_t>(op.getRounds().value_or(1));
  Value step = createI32(builder, loc, together);
  std::optional<int64_t> count = getColumnCount(op.getFrom(), op.getTo());
  // A single round between constants is visible as such.
  bool isOne = count == together && getConstant(op.getFrom());
  if (!count || *count % together || isOne) {
    auto loop = scf::ForOp::create(builder, loc, first, to, step, init);
    return {loop, loop.getInductionVar()};
  }
  auto loop = scf::ForOp::create(builder, loc, createI32(builder, loc, 0),
                                 createI32(builder, loc, *count), step, init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value column =
      arith::AddIOp::create(builder, loc, first, loop.getInductionVar(),
                            arith::IntegerOverflowFlags::nsw);
  return {loop, column};
}

namespace {
struct LowerColumns : public TilePattern<ColumnsOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(ColumnsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool synchronize = op.getSynchronized();
    if (synchronize)
      createWarpBarrier(rewriter, loc);
    auto [loop, column] =
        createLaneLoop(rewriter, op, adaptor.getFrom(), adaptor.getTo());
    if (synchronize)
      createWarpBarrier(rewriter, loc);
    rewriter.setInsertionPointAfterValue(column);
    inlineBody(rewriter, *getTypeConverter(), op.getBody(), column);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReduce : public TilePattern<ReduceOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    bool isSum = op.getKind() == Reduction::Add;
    Value none = createF32(
        rewriter, loc, isSum ? 0.0f : -std::numeric_limits<float>::infinity());
    auto [loop, column] =
        createLaneLoop(rewriter, op, adaptor.getFrom(), adaptor.getTo(), none);
    Value total = combineLanes(rewriter, loc, loop.getResult(0), isSum);

    rewriter.setInsertionPointAfterValue(column);
    SmallVector<Value> yielded =
        inlineBody(rewriter, *getTypeConverter(), op.getBody(), column);
    Value sum = combine(rewriter, loc, loop.getRegionIterArg(0),
                        yielded.front(), isSum);
    scf::YieldOp::create(rewriter, loc, sum);
    rewriter.replaceOp(op, total);
    return success();
  }

private:
  static Value combine(OpBuilder &builder, Location loc, Value a, Value b,
                       bool isSum) {
    if (isSum)
      return arith::AddFOp::create(builder, loc, a, b);
    // A NaN stays one, as in a sum.
    return arith::MaximumFOp::create(builder, loc, a, b);
  }

  /// Both lanes of a pair compute the same, so that all end with one value.
  static Value combineLanes(OpBuilder &builder, Location loc, Value value,
                            bool isSum) {
    Value everyone = createI32(builder, loc, -1);
    Value lastLane = createI32(builder, loc, 31);
    for (int distance = 16; distance > 0; distance /= 2) {
      Value other = NVVM::ShflOp::create(
          builder, loc, value.getType(), everyone, value,
          createI32(builder, loc, distance), lastLane, NVVM::ShflKind::bfly,
          /*return_value_and_is_valid=*/UnitAttr());
      value = combine(builder, loc, value, other, isSum);
    }
    return value;
  }
};
} // namespace

void parablock::tile::addRowPatterns(TilePatterns &patterns) {
  patterns.add<LowerColumns, LowerReduce, LowerRows>();
}
