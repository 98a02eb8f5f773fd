//===- Tiles.cpp - persistent loop over output tiles ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
/// CTA `i` of `n` takes the tiles i, i + n, i + 2n, ..., counted through a band
/// of rows column by column, then through the next band. A cluster takes as
/// many rows at a time as it has CTAs.
struct LowerTiles : public TilePattern<TilesOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(TilesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value rows = adaptor.getRows(), columns = adaptor.getColumns();
    int64_t band = op.getBand(), cluster = lowering.schedule.getSharing();
    Value size, rank;
    auto inClusters = [&](Value count) -> Value {
      return cluster == 1 ? count
                          : arith::DivUIOp::create(rewriter, loc, count, size);
    };
    if (cluster > 1) {
      size = createI32(rewriter, loc, cluster);
      rank = createClusterRank(rewriter, loc, cluster);
      rows = inClusters(arith::AddIOp::create(
          rewriter, loc, rows, createI32(rewriter, loc, cluster - 1)));
      band = std::max<int64_t>(band / cluster, 1);
    }
    Value total = arith::MulIOp::create(rewriter, loc, rows, columns);
    Value step = inClusters(createNumCTAs(rewriter, loc));
    Value first = inClusters(createCTAId(rewriter, loc));
    auto loop = scf::ForOp::create(rewriter, loc, first, total, step);
    rewriter.setInsertionPointToStart(loop.getBody());
    auto [row, column] =
        createTile(rewriter, loc, loop.getInductionVar(), rows, columns, band);
    if (cluster > 1)
      row = arith::AddIOp::create(
          rewriter, loc, arith::MulIOp::create(rewriter, loc, row, size), rank);
    inlineBody(rewriter, *getTypeConverter(), op.getBody(), {row, column});
    rewriter.eraseOp(op);
    return success();
  }

private:
  static std::pair<Value, Value> createTile(OpBuilder &builder, Location loc,
                                            Value turn, Value rows,
                                            Value columns, int64_t band) {
    Value most = createI32(builder, loc, band);
    Value perBand = arith::MulIOp::create(builder, loc, columns, most);
    Value bandIndex = arith::DivUIOp::create(builder, loc, turn, perBand);
    Value within = arith::RemUIOp::create(builder, loc, turn, perBand);
    Value first = arith::MulIOp::create(builder, loc, bandIndex, most);
    // The last band may have fewer rows.
    Value height = arith::MinSIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, rows, first), most);
    Value row = arith::AddIOp::create(
        builder, loc, first,
        arith::RemUIOp::create(builder, loc, within, height));
    Value column = arith::DivUIOp::create(builder, loc, within, height);
    return {row, column};
  }
};

struct LowerReturn : public TilePattern<ReturnOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(ReturnOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};
} // namespace

void parablock::tile::addTilePatterns(TilePatterns &patterns) {
  patterns.add<LowerReturn, LowerTiles>();
}
