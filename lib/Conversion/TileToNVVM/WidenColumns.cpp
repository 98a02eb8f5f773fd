//===- WidenColumns.cpp - several neighbouring columns for a lane ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lane that takes four neighbouring columns at a time reads and writes them
// with one instruction each: the backend merges neighbouring accesses where the
// address is a multiple of their size. Here the body is written for four; where
// the number of columns may be no multiple, everything stays as it is.
//
//===----------------------------------------------------------------------===//

#include "ColumnCount.h"
#include "KernelPass.h"
#include "NeighbourColumns.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILEWIDENCOLUMNS
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

/// 4, 2 or 1: what takes the fewest turns, and of those the most lanes.
static int64_t chooseWidth(Value from, Value to) {
  std::optional<int64_t> count = getColumnCount(from, to);
  int64_t best = 1;
  for (int64_t width : {2, 4}) {
    bool saves = !count || llvm::divideCeil(*count, 32 * width) <
                               llvm::divideCeil(*count, 32 * best);
    bool isWhole = count ? *count % width == 0 : isMultipleOf(to, width);
    if (saves && isWhole && isMultipleOf(from, width))
      best = width;
  }
  return best;
}

/// The sum or the largest, of neighbours first.
static Value combine(OpBuilder &builder, Location loc, ArrayRef<Value> values,
                     Reduction kind) {
  if (values.size() == 1)
    return values.front();
  size_t half = values.size() / 2;
  Value a = combine(builder, loc, values.take_front(half), kind);
  Value b = combine(builder, loc, values.drop_front(half), kind);
  if (kind == Reduction::Add)
    return arith::AddFOp::create(builder, loc, a, b);
  return arith::MaximumFOp::create(builder, loc, a, b);
}

/// Writes the body out for as many columns as a lane is to take at a time; the
/// yielded values of all.
template <typename OpT> static SmallVector<Value> widen(OpT op) {
  Block &body = op.getBody().front();
  Operation *yield = body.getTerminator();
  // Loops inside are work enough for one lane.
  bool hasLoops =
      body.walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
          .wasInterrupted();
  int64_t width = hasLoops ? 1 : chooseWidth(op.getFrom(), op.getTo());
  if (width == 1)
    return SmallVector<Value>(yield->getOperands());
  op.setWidth(width);
  SmallVector<Operation *> ops;
  for (Operation &inner : body.without_terminator())
    ops.push_back(&inner);
  OpBuilder builder(yield);
  SmallVector<Value> values =
      NeighbourWriter(body.getArgument(0), width).write(builder, body);
  yield->setOperands(ValueRange(values).take_front(yield->getNumOperands()));
  for (Operation *inner : llvm::reverse(ops))
    inner->erase();
  return values;
}

namespace {
struct TileWidenColumns
    : public KernelPass<
          parablock::impl::TileWidenColumnsBase<TileWidenColumns>> {
  using KernelPass::KernelPass;

  LogicalResult runOnKernel(KernelOp kernel) final {
    kernel.walk([](ColumnsOp columns) {
      if (!columns.getWidth())
        widen(columns);
    });
    kernel.walk([](ReduceOp reduce) {
      if (reduce.getWidth())
        return;
      SmallVector<Value> values = widen(reduce);
      Operation *yield = reduce.getBody().front().getTerminator();
      OpBuilder builder(yield);
      yield->setOperand(
          0, combine(builder, reduce.getLoc(), values, reduce.getKind()));
    });
    return success();
  }
};
} // namespace
