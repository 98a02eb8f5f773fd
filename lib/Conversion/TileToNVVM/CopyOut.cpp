//===- CopyOut.cpp - rounds, stages and stores accumulators ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each warp writes its own 16 rows, in pieces of 64 columns: rounded in
// registers, by stmatrix into one of its two swizzled buffers, and from there
// by TMA, which reads while the next piece is rounded, and while the next tile
// is multiplied. One lane issues all copies of its warp, and so can track which
// of them have been read. Warps do not wait for each other.
//
//===----------------------------------------------------------------------===//

#include "CopyOut.h"

#include "AccumulatorLayout.h"
#include "Multiply.h"
#include "TilePattern.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace parablock::tile;

static constexpr int64_t warpRows = CopyOutOp::pieceRows,
                         pieceColumns = CopyOutOp::pieceColumns,
                         pieceBytes = CopyOutOp::pieceBytes,
                         numBuffers = CopyOutOp::numPieces;

TensorMapParameter parablock::tile::getCopyOutBox() {
  return {warpRows, pieceColumns};
}

LogicalResult parablock::tile::checkCopyOut(CopyOutOp op,
                                            ScheduleAttr schedule) {
  constexpr int64_t strideAlignment = 16;
  if (schedule.getMultiply() != MultiplyUnit::Wgmma)
    return op.emitError() << "expected a schedule that multiplies by wgmma";
  AccumulatorType type = op.getAccumulator().getType();
  if (type.getColumns() % pieceColumns != 0)
    return op.emitError() << "expected an accumulator with a multiple of "
                          << pieceColumns << " columns, got " << type;
  MemRefType destination = op.getDestination().getType();
  int64_t bytes =
      destination.getShape().back() * destination.getElementTypeBitWidth() / 8;
  if (destination.isDynamicDim(destination.getRank() - 1) ||
      bytes % strideAlignment != 0)
    return op.emitError() << "expected rows of a multiple of "
                          << strideAlignment << " bytes for a tensor map, got "
                          << destination;
  return success();
}

void parablock::tile::createCopyOutEnd(KernelOp kernel) {
  bool hasAny = kernel.walk([](CopyOutOp) { return WalkResult::interrupt(); })
                    .wasInterrupted();
  if (!hasAny)
    return;
  OpBuilder builder(kernel.getBody().front().getTerminator());
  NVVM::CpAsyncBulkWaitGroupOp::create(builder, kernel.getLoc(), /*group=*/0,
                                       /*read=*/UnitAttr());
}

namespace {
class WarpCopy {
public:
  WarpCopy(DeviceBuilder &builder, const AccumulatorLayout &layout,
           CopyOutOp op, Value accumulator, Value map)
      : builder(builder), layout(layout),
        type(cast<FloatType>(op.getDestination().getType().getElementType())),
        elements(builder.unpack(accumulator)), map(map),
        lane(builder.laneIndex()),
        buffers(builder.offset(
            createSharedAddress(builder, op.getLoc(), *op.getOffset()),
            builder.multiply(builder.warpIndex(), numBuffers * pieceBytes))),
        row(builder.add(builder.toI32(op.getRow()),
                        builder.multiply(builder.warpIndex(), warpRows))),
        column(builder.toI32(op.getColumn())),
        isIssuer(builder.compare(arith::CmpIPredicate::eq, lane,
                                 builder.constant(0))) {}

  void create(int64_t piece) {
    // The previous copy may still be read, except copies of another tile.
    int64_t pending = piece == 0 ? 0 : numBuffers - 1;
    builder.when(isIssuer, [&] {
      NVVM::CpAsyncBulkWaitGroupOp::create(builder, pending,
                                           builder.getUnitAttr());
    });
    createWarpBarrier(builder, builder.getLoc());
    Value buffer = builder.offset(buffers, piece % numBuffers * pieceBytes);
    for (int64_t pair = 0; pair < pieceColumns / 16; ++pair)
      storeColumns(buffer, piece * pieceColumns / 8 + 2 * pair, 2 * pair);
    createAsyncProxyFence(builder, builder.getLoc());
    createWarpBarrier(builder, builder.getLoc());
    builder.when(isIssuer, [&] {
      Value coordinates[] = {builder.add(column, piece * pieceColumns), row};
      NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
          builder, map, buffer, coordinates, /*l2CacheHint=*/Value(),
          NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
      NVVM::CpAsyncBulkCommitGroupOp::create(builder);
    });
  }

private:
  /// Stores 16 columns, starting at slot `slot` of the thread and chunk `chunk`
  /// of the buffer: matrices of 8 x 8, one below the other, then their
  /// neighbours.
  void storeColumns(Value buffer, int64_t slot, int64_t chunk) {
    SmallVector<Value> words;
    for (int64_t column : {slot, slot + 1})
      for (int64_t row : {0, 1})
        words.push_back(createWord(row, column));
    Value address =
        createPanelAddress(builder, buffer, builder.remainder(lane, warpRows),
                           builder.add(builder.divide(lane, warpRows), chunk));
    MLIRContext *context = builder.getContext();
    NVVM::StMatrixOp::create(
        builder, address, words,
        NVVM::MMALayoutAttr::get(context, NVVM::MMALayout::row),
        NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
        NVVM::LdStMatrixEltTypeAttr::get(context,
                                         NVVM::LdStMatrixEltType::B16));
  }

  Value createWord(int64_t row, int64_t column) {
    Value pair = LLVM::PoisonOp::create(
        builder, VectorType::get(2, builder.getF32Type()));
    for (int64_t part : {0, 1})
      pair = LLVM::InsertElementOp::create(
          builder, pair, elements[layout.getElement(row, column, part)],
          builder.constant(part));
    return LLVM::BitcastOp::create(
        builder, builder.getI32Type(),
        LLVM::FPTruncOp::create(builder, VectorType::get(2, type), pair));
  }

  DeviceBuilder &builder;
  const AccumulatorLayout &layout;
  FloatType type;
  SmallVector<Value> elements;
  Value map, lane, buffers, row, column, isIssuer;
};

struct LowerCopyOut : public TilePattern<CopyOutOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(CopyOutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    AccumulatorType type = op.getAccumulator().getType();
    AccumulatorLayout layout = *AccumulatorLayout::get(type, lowering.schedule);
    DeviceBuilder builder(op.getLoc(), rewriter);
    Value map = lowering.getTensor(op.getDestination()).getMap(getCopyOutBox());
    WarpCopy copy(builder, layout, op, adaptor.getAccumulator(), map);
    for (int64_t piece = 0; piece < type.getColumns() / pieceColumns; ++piece)
      copy.create(piece);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void parablock::tile::addCopyOutPatterns(TilePatterns &patterns) {
  patterns.add<LowerCopyOut>();
}
