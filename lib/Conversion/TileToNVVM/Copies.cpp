//===- Copies.cpp - cp.async, plain and tensor map copies -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::tile;

/// Sizes of a swizzled buffer.
static constexpr int64_t rowBytes = 128, chunkBytes = 16;

int64_t parablock::tile::getCopiedBytes(CopyOp copy) {
  BufferType type = copy.getBuffer().getType();
  return static_cast<int64_t>(copy.getCount()) * type.getRowBytes() *
         type.getPanels();
}

TensorMapParameter parablock::tile::getCopyBox(CopyOp copy,
                                               ScheduleAttr schedule) {
  int64_t rows = copy.getCount();
  if (copy.getShared())
    rows /= schedule.getCluster();
  return {rows, copy.getBuffer().getType().getPanelColumns(),
          static_cast<int64_t>(copy.getWidth().value_or(0))};
}

/// Returns the bytes of one cp.async for rows of the copy's tensor; 0 if none
/// fits.
static int64_t getAsyncCopyBytes(CopyOp copy) {
  auto type = cast<MemRefType>(copy.getSource().getType());
  int64_t width = type.getShape().back();
  if (ShapedType::isDynamic(width))
    return 0;
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  int64_t rowBytes = width * elementBytes;
  int64_t partBytes = copy.getWidth().value_or(width) * elementBytes;
  for (int64_t size : {16, 8, 4})
    if (rowBytes % size == 0 && partBytes % size == 0)
      return size;
  return 0;
}

void parablock::tile::createTensorCopy(DeviceBuilder &builder,
                                       const LoweringContext &context,
                                       CopyOp copy, Value barrier) {
  BufferType type = copy.getBuffer().getType();
  TensorMapParameter box = getCopyBox(copy, context.schedule);
  Value map = context.getTensor(copy.getSource()).getMap(box);
  Value destination =
      builder.offset(DeviceBuilder::getAddress(copy.getBuffer()),
                     static_cast<int64_t>(copy.getFirst()) * rowBytes);
  Value row = builder.toI32(copy.getRow());
  Value column = builder.toI32(copy.getColumn()), part, everyone;
  if (box.width != 0) {
    part = arith::DivUIOp::create(builder, column, builder.constant(box.width));
    column = builder.constant(0);
  }
  if (copy.getShared()) {
    int64_t cluster = context.schedule.getCluster();
    Value first = builder.multiply(
        createClusterRank(builder, builder.getLoc(), cluster), box.rows);
    row = builder.add(row, first);
    destination =
        builder.offset(destination, builder.multiply(first, rowBytes));
    everyone = arith::ConstantOp::create(
        builder, builder.getI16IntegerAttr((1 << cluster) - 1));
  }
  // The instruction requires an address in the shared memory of the cluster.
  Type address = LLVM::LLVMPointerType::get(builder.getContext(), 7);
  for (int64_t panel = 0; panel < type.getPanels(); ++panel) {
    Value panelAddress = LLVM::AddrSpaceCastOp::create(
        builder, address,
        builder.offset(destination, panel * type.getPanelBytes()));
    SmallVector<Value, 3> coordinates = {
        builder.add(column, panel * type.getPanelColumns())};
    if (part)
      coordinates.push_back(part);
    coordinates.push_back(row);
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        builder, panelAddress, map, coordinates, barrier, ValueRange(),
        everyone, Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
        NVVM::CTAGroupKindAttr(), Value());
  }
}

void parablock::tile::createZerosPastEnd(DeviceBuilder &builder,
                                         const LoweringContext &context,
                                         CopyOp copy) {
  BufferType type = copy.getBuffer().getType();
  Value count = builder.constant(static_cast<int64_t>(copy.getCount()));
  Value left = builder.subtract(builder.toI32(copy.getEnd()),
                                builder.toI32(copy.getRow()));
  Value valid = builder.createOrFold<arith::MaxSIOp>(left, builder.constant(0));
  builder.when(builder.compare(arith::CmpIPredicate::slt, valid, count), [&] {
    auto chunk = VectorType::get(4, builder.getI32Type());
    Value zeros = LLVM::ZeroOp::create(builder, chunk);
    Value panel =
        builder.offset(DeviceBuilder::getAddress(copy.getBuffer()),
                       static_cast<int64_t>(copy.getFirst()) * rowBytes);
    Value first = builder.add(builder.multiply(valid, rowBytes / chunkBytes),
                              builder.threadIndex());
    auto loop = scf::ForOp::create(
        builder, first, builder.multiply(count, rowBytes / chunkBytes),
        builder.constant(context.getWarps() * 32));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value bytes = builder.multiply(loop.getInductionVar(), chunkBytes);
      for (int64_t i = 0; i < type.getPanels(); ++i)
        builder.store(zeros, builder.offset(builder.offset(panel, bytes),
                                            i * type.getPanelBytes()));
    }
    createAsyncProxyFence(builder, builder.getLoc());
    createComputeBarrier(builder, builder.getLoc(), context);
  });
}

namespace {
/// The part of tile.copy shared by all ways of copying by threads, for one
/// panel of the buffer.
class ThreadCopy {
public:
  ThreadCopy(DeviceBuilder &builder, const LoweringContext &context,
             CopyOp copy, int64_t panel)
      : builder(builder), copy(copy),
        type(cast<MemRefType>(copy.getSource().getType())),
        elementBytes(type.getElementTypeBitWidth() / 8),
        threads(context.getWarps() * 32), count(copy.getCount()),
        firstRow(builder.toI32(copy.getRow())),
        firstColumn(
            builder.add(builder.toI32(copy.getColumn()),
                        panel * copy.getBuffer().getType().getPanelColumns())),
        endRow(context.getNumRows(builder, copy.getLoc(), copy.getSource())),
        width(context.getDim(builder, copy.getLoc(), copy.getSource(),
                             type.getRank() - 1)),
        endColumn(width), source(context.getTensor(copy.getSource()).pointer),
        destination(builder.offset(
            DeviceBuilder::getAddress(copy.getBuffer()),
            panel * copy.getBuffer().getType().getPanelBytes() +
                static_cast<int64_t>(copy.getFirst()) * rowBytes)) {
    if (copy.getPages())
      readPages(context);
    if (Value end = copy.getEnd())
      endRow = builder.createOrFold<arith::MinSIOp>(endRow, builder.toI32(end));
    if (std::optional<uint64_t> part = copy.getWidth())
      endColumn = builder.createOrFold<arith::MinSIOp>(
          width, builder.add(builder.toI32(copy.getColumn()),
                             static_cast<int64_t>(*part)));
  }

  /// Pieces of `size` bytes by cp.async, in turns.
  void createAsync(int64_t size) {
    int64_t piecesPerRow = rowBytes / size;
    int64_t pieces = count * piecesPerRow;
    Value thread = builder.threadIndex();
    for (int64_t first = 0; first < pieces; first += threads) {
      auto copyPiece = [&] { createAsyncPiece(thread, first, size); };
      if (first + threads <= pieces)
        copyPiece();
      else
        builder.when(builder.compare(arith::CmpIPredicate::ult, thread,
                                     builder.constant(pieces - first)),
                     copyPiece);
    }
  }

  /// Rows by warps, a word of 4 bytes by each lane.
  void createPlain() {
    auto loop = scf::ForOp::create(builder, builder.warpIndex(),
                                   builder.constant(count),
                                   builder.constant(threads / 32));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value lane = builder.laneIndex(), row = loop.getInductionVar();
    int64_t perWord = 4 / elementBytes;
    Value column = builder.multiply(lane, perWord);
    Value word;
    for (int64_t i = 0; i < perWord; ++i) {
      Place place = createPlace(row, builder.add(column, i));
      Type bits = builder.getIntegerType(8 * elementBytes);
      Value loaded = builder.load(bits, place.address);
      Value zero =
          arith::ConstantOp::create(builder, builder.getIntegerAttr(bits, 0));
      loaded = builder.select(place.isInside, loaded, zero);
      if (perWord > 1)
        loaded = arith::ExtUIOp::create(builder, builder.getI32Type(), loaded);
      word = i == 0 ? loaded
                    : arith::OrIOp::create(
                          builder, word,
                          arith::ShLIOp::create(
                              builder, loaded,
                              builder.constant(8 * elementBytes * i)));
    }
    builder.store(word, createDestination(row, builder.multiply(lane, 4)));
  }

private:
  /// The pages that rows of the tensor are in.
  struct Pages {
    /// The line of the table.
    Value line;
    int64_t rows;
    /// The last page that there is.
    Value last;
  };

  void readPages(const LoweringContext &context) {
    auto dim = [&](Value tensor, int64_t number) {
      return context.getDim(builder, copy.getLoc(), tensor, number);
    };
    Value table = copy.getPages(), entries = dim(table, 1);
    auto times = [&](Value a, Value b) {
      return builder.createOrFold<arith::MulIOp>(a, b);
    };
    Value first = times(builder.extend64(builder.toI32(copy.getLine())),
                        builder.extend64(entries));
    pages = Pages{
        builder.offset(context.getTensor(table).pointer,
                       times(first, builder.constant64(sizeof(int64_t)))),
        type.getDimSize(1),
        builder.createOrFold<arith::SubIOp>(
            builder.extend64(dim(copy.getSource(), 0)), builder.constant64(1))};
    endRow = builder.multiply(entries, pages->rows);
  }

  /// The row of the tensor that is `row` of the table's line, as i64.
  Value findRow(Value row) {
    if (!pages)
      return builder.extend64(row);
    Value entry = builder.extend64(builder.divide(row, pages->rows));
    Value place = builder.offset(
        pages->line, builder.createOrFold<arith::MulIOp>(
                         entry, builder.constant64(sizeof(int64_t))));
    Value page = builder.load(builder.getI64Type(), place);
    page = builder.createOrFold<arith::MinSIOp>(page, pages->last);
    page = builder.createOrFold<arith::MaxSIOp>(page, builder.constant64(0));
    Value first = builder.createOrFold<arith::MulIOp>(
        page, builder.constant64(pages->rows));
    return builder.createOrFold<arith::AddIOp>(
        first, builder.extend64(builder.remainder(row, pages->rows)));
  }

  /// An element of the tensor; the first one where there is none.
  struct Place {
    Value isInside, address;
  };

  Place createPlace(Value rowInTile, Value columnInTile) {
    int64_t parts = copy.getParts();
    Value row = builder.add(firstRow, builder.divide(rowInTile, parts));
    Value column = builder.add(firstColumn, columnInTile);
    Value endColumn = this->endColumn;
    if (parts > 1) {
      Value skipped = builder.multiply(builder.remainder(rowInTile, parts),
                                       static_cast<int64_t>(*copy.getWidth()));
      column = builder.add(column, skipped);
      endColumn = builder.add(endColumn, skipped);
    }
    Value isInside = builder.conjunction(
        builder.compare(arith::CmpIPredicate::slt, row, endRow),
        builder.compare(arith::CmpIPredicate::slt, column, endColumn));
    auto times = [&](Value a, Value b) {
      return builder.createOrFold<arith::MulIOp>(a, b);
    };
    if (pages)
      row = builder.select(isInside, row, builder.constant(0));
    Value rowBegin = times(findRow(row), builder.extend64(width));
    Value element =
        builder.createOrFold<arith::AddIOp>(rowBegin, builder.extend64(column));
    Value bytes = times(element, builder.constant64(elementBytes));
    return {isInside,
            builder.offset(source, builder.select(isInside, bytes,
                                                  builder.constant64(0)))};
  }

  Value createDestination(Value row, Value byteInRow) {
    Value chunk =
        builder.exclusiveOr(builder.divide(byteInRow, chunkBytes),
                            builder.remainder(row, rowBytes / chunkBytes));
    Value bytes = builder.add(builder.multiply(row, rowBytes),
                              builder.multiply(chunk, chunkBytes));
    return builder.offset(
        destination,
        builder.add(bytes, builder.remainder(byteInRow, chunkBytes)));
  }

  void createAsyncPiece(Value thread, int64_t first, int64_t size) {
    int64_t piecesPerRow = rowBytes / size;
    // A turn of all threads takes whole rows: a warp takes one at least.
    Value row =
        builder.add(builder.divide(thread, piecesPerRow), first / piecesPerRow);
    Value byteInRow =
        builder.multiply(builder.remainder(thread, piecesPerRow), size);
    Place place = createPlace(row, builder.divide(byteInRow, elementBytes));
    // Bytes outside the source are filled with zeros.
    Value fromSource = builder.select(place.isInside, builder.constant(size),
                                      builder.constant(0));
    NVVM::CpAsyncOp::create(builder, createDestination(row, byteInRow),
                            place.address, size,
                            size == 16 ? NVVM::LoadCacheModifierKind::CG
                                       : NVVM::LoadCacheModifierKind::CA,
                            fromSource);
  }

  DeviceBuilder &builder;
  CopyOp copy;
  MemRefType type;
  int64_t elementBytes, threads, count;
  Value firstRow, firstColumn, endRow, width, endColumn, source, destination;
  std::optional<Pages> pages;
};
} // namespace

void parablock::tile::createThreadCopy(DeviceBuilder &builder,
                                       const LoweringContext &context,
                                       CopyOp copy) {
  int64_t size = 0;
  if (context.schedule.getCopies() == CopyUnit::Async)
    size = getAsyncCopyBytes(copy);
  int64_t panels = copy.getBuffer().getType().getPanels();
  for (int64_t panel = 0; panel < panels; ++panel) {
    ThreadCopy threadCopy(builder, context, copy, panel);
    if (size > 0)
      threadCopy.createAsync(size);
    else
      threadCopy.createPlain();
  }
}
