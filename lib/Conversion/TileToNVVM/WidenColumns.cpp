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
      NeighbourWriter(body.getArgument(0), body.getArgument(0), width)
          .write(builder, body);
  yield->setOperands(ValueRange(values).take_front(yield->getNumOperands()));
  for (Operation *inner : llvm::reverse(ops))
    inner->erase();
  return values;
}

/// How many rows of a tile are worked on together, so that what one waits for
/// is hidden by others: fewer where a row is much.
static int64_t chooseRows(RowsOp rows, int64_t warps) {
  constexpr int64_t smallRow = 88;
  if (rows.getGrid() || getConstant(rows.getCount()) != rows.getExtent())
    return 1;
  int64_t size = 0;
  bool isPlain = true;
  rows.getBody().walk([&](Operation *op) {
    ++size;
    auto store = dyn_cast<StoreOp>(op);
    isPlain &= !isa<LoopLikeOpInterface, ScratchOp>(op) &&
               !(store && isa<BufferType>(store.getDestination().getType()));
  });
  if (!isPlain)
    return 1;
  // A part of a tile has two rounds, or the backend makes one block of all.
  int64_t parts = static_cast<int64_t>(rows.getParts());
  int64_t own = static_cast<int64_t>(*rows.getExtent()) / (warps * parts);
  bool isEven = static_cast<int64_t>(*rows.getExtent()) % (warps * parts) == 0;
  for (int64_t together : {4, 2})
    if (isEven && (together == 2 || size <= smallRow) && own % together == 0 &&
        (parts == 1 || own > together))
      return together;
  return 1;
}

/// Puts so many rows into one.
static void joinRows(RowsOp rows, int64_t together) {
  OpBuilder builder(rows);
  Location loc = rows.getLoc();
  int64_t extent = static_cast<int64_t>(*rows.getExtent()) / together;
  Value count = arith::ConstantIndexOp::create(builder, loc, extent);
  auto joined = RowsOp::create(builder, loc, count, extent, rows.getPart(),
                               rows.getParts());
  Block &to = joined.getBody().emplaceBlock();
  Value number = to.addArgument(builder.getIndexType(), loc);
  OpBuilder inner = OpBuilder::atBlockEnd(&to);
  Value first = arith::MulIOp::create(
      inner, loc, number, arith::ConstantIndexOp::create(inner, loc, together));
  Block &from = rows.getBody().front();
  NeighbourWriter(from.getArgument(0), first, together).write(inner, from);
  YieldOp::create(inner, loc);
  rows.erase();
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
    // Attention has no registers to spare.
    if (kernel.walk([](CombineOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      return success();
    SmallVector<RowsOp> all;
    kernel.walk([&](RowsOp rows) { all.push_back(rows); });
    for (RowsOp rows : all)
      if (int64_t together = chooseRows(rows, kernel.getSchedule().getWarps());
          together > 1)
        joinRows(rows, together);
    return success();
  }
};
} // namespace
