//===- Fill.cpp - elements of buffers that threads compute ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The body is written for several elements of a thread, in 4 bytes at a time,
// so that loads of all of them are under way together. A thread with many more,
// as in tiles of 64 rows, has a loop over these: registers for all of them
// would leave room for fewer CTAs.
//
//===----------------------------------------------------------------------===//

#include "DeviceBuilder.h"
#include "TilePattern.h"
#include "TileToNVVM.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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
    BufferType type = op.getBuffer().getType();
    if (op.getAgain())
      createComputeBarrier(builder, op.getLoc(), lowering);
    int64_t together = 4 / type.getElementBytes();
    int64_t perRow = type.getColumns() / together;
    int64_t words = type.getRows() * perRow;
    int64_t threads = lowering.getWarps() * 32;
    Value thread = builder.threadIndex();
    auto fill = [&](Value from, int64_t first) {
      Value word = builder.add(from, first);
      fillWord(builder, op, adaptor.getBuffer(), builder.divide(word, perRow),
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
    if (lowering.schedule.getMultiply() == MultiplyUnit::Wgmma)
      createAsyncProxyFence(builder, op.getLoc());
    createComputeBarrier(builder, op.getLoc(), lowering);
    rewriter.eraseOp(op);
    return success();
  }

private:
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
