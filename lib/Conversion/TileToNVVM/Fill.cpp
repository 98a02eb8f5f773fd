//===- Fill.cpp - elements of buffers that threads compute ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows that a tile has room for, but that do not exist, are cleared. The body
// is written for several elements of a thread, in 4 bytes at a time, so that
// loads of all of them are under way together. A thread with many more, as in
// tiles of 64 rows, has a loop over these: registers for all of them would
// leave room for fewer CTAs.
//
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace parablock::tile;

namespace {
struct LowerFill : public TilePattern<FillOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(FillOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    DeviceBuilder builder(op.getLoc(), rewriter);
    if (op.getAgain())
      createComputeBarrier(builder, op.getLoc(), lowering);
    fillFirstRows(builder, op, adaptor);
    if (lowering.schedule.getMultiply() == MultiplyUnit::Wgmma)
      createAsyncProxyFence(builder, op.getLoc());
    createComputeBarrier(builder, op.getLoc(), lowering);
    rewriter.eraseOp(op);
    return success();
  }

private:
  int64_t getThreads() const { return lowering.getWarps() * 32; }

  /// Computes the rows that there are. If their number is known later, code for
  /// one, for some and for all is in branches.
  void fillFirstRows(DeviceBuilder &builder, FillOp op,
                     OpAdaptor adaptor) const {
    int64_t all = op.getBuffer().getType().getRows();
    if (!op.getRows())
      return fillRows(builder, op, adaptor.getBuffer(), all);
    if (auto known = getConstantIntValue(op.getRows()))
      return fillRows(builder, op, adaptor.getBuffer(), std::min(*known, all));
    Value rows = builder.toI32(op.getRows());
    fillFewer(builder, op, adaptor.getBuffer(), rows, {1, 8});
  }

  void fillFewer(DeviceBuilder &builder, FillOp op, Value base, Value rows,
                 ArrayRef<int64_t> counts) const {
    int64_t all = op.getBuffer().getType().getRows();
    if (counts.empty() || counts.front() >= all)
      return fillRows(builder, op, base, all);
    auto branch =
        scf::IfOp::create(builder,
                          builder.compare(arith::CmpIPredicate::sle, rows,
                                          builder.constant(counts.front())),
                          /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    fillRows(builder, op, base, counts.front());
    builder.setInsertionPointToStart(branch.elseBlock());
    fillFewer(builder, op, base, rows, counts.drop_front());
  }

  /// Computes the first `rows` rows, and clears the others.
  void fillRows(DeviceBuilder &builder, FillOp op, Value base,
                int64_t rows) const {
    BufferType type = op.getBuffer().getType();
    int64_t together = 4 / type.getElementBytes();
    int64_t perRow = type.getColumns() / together;
    int64_t words = rows * perRow, threads = getThreads();
    Value thread = builder.threadIndex();
    auto fill = [&](Value from, int64_t first) {
      Value word = builder.add(from, first);
      fillWord(builder, op, base, builder.divide(word, perRow),
               builder.multiply(builder.remainder(word, perRow), together));
    };
    // Words of a thread that are computed together.
    constexpr int64_t most = 8;
    int64_t rounds = words / threads, looped = 0;
    if (int64_t runs = rounds / most; runs > 1) {
      looped = runs * most;
      auto loop =
          scf::ForOp::create(builder, builder.constant(0),
                             builder.constant(runs), builder.constant(1));
      keepRolled(loop);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value from = builder.add(
          thread, builder.multiply(loop.getInductionVar(), most * threads));
      for (int64_t round = 0; round < most; ++round)
        fill(from, round * threads);
    }
    for (int64_t round = looped; round < rounds; ++round)
      fill(thread, round * threads);
    if (int64_t first = rounds * threads; first < words)
      builder.when(builder.compare(arith::CmpIPredicate::ult, thread,
                                   builder.constant(words - first)),
                   [&] { fill(thread, first); });
    clearRows(builder, type, base, rows);
  }

  /// Clears the rows from `first` on, 16 bytes at a time if rows have so many.
  void clearRows(DeviceBuilder &builder, BufferType type, Value base,
                 int64_t first) const {
    int64_t bytes = type.getColumns() * type.getElementBytes();
    int64_t unit = bytes % 16 == 0 ? 16 : 4, perRow = bytes / unit;
    int64_t units = (type.getRows() - first) * perRow, threads = getThreads();
    Type i32 = builder.getI32Type();
    Type word = unit == 4 ? i32 : VectorType::get(unit / 4, i32);
    auto clear = [&](int64_t from) {
      Value place = builder.add(builder.threadIndex(), from);
      Value row = builder.add(builder.divide(place, perRow), first);
      Value column = builder.multiply(builder.remainder(place, perRow),
                                      unit / type.getElementBytes());
      builder.store(LLVM::ZeroOp::create(builder, word),
                    createBufferAddress(builder, builder.getLoc(), type, base,
                                        row, column));
    };
    int64_t from = 0;
    for (; from + threads <= units; from += threads)
      clear(from);
    if (from < units)
      builder.when(builder.compare(arith::CmpIPredicate::ult,
                                   builder.threadIndex(),
                                   builder.constant(units - from)),
                   [&] { clear(from); });
  }

  static void fillWord(DeviceBuilder &builder, FillOp op, Value base, Value row,
                       Value column) {
    BufferType type = op.getBuffer().getType();
    Type element = type.getElementType();
    int64_t together = 4 / type.getElementBytes();
    Value word = LLVM::PoisonOp::create(
        builder, VectorType::get(together, builder.getF32Type()));
    for (int64_t i = 0; i < together; ++i)
      word = LLVM::InsertElementOp::create(
          builder, word,
          computeElement(builder, op, row, builder.add(column, i)),
          builder.constant(i));
    if (!element.isF32())
      word = LLVM::FPTruncOp::create(builder,
                                     VectorType::get(together, element), word);
    builder.store(word, createBufferAddress(builder, builder.getLoc(), type,
                                            base, row, column));
  }

  static Value computeElement(DeviceBuilder &builder, FillOp op, Value row,
                              Value column) {
    Block &body = op.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), builder.toIndex(row));
    mapping.map(body.getArgument(1), builder.toIndex(column));
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }
};

struct LowerShared : public TilePattern<SharedOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(SharedOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, createSharedAddress(rewriter, op.getLoc(), *op.getOffset()));
    return success();
  }
};
} // namespace

void parablock::tile::addFillPatterns(TilePatterns &patterns) {
  patterns.add<LowerFill, LowerShared>();
}
