//===- WidenColumns.cpp - several neighbouring columns for a lane ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lane with four neighbouring columns reads and writes them by one
// instruction each: the backend merges neighbouring accesses if the address is
// a multiple of their size. The body is unrolled by four, unless the number of
// columns may not be a multiple.
//
// Rows of a grid are loaded from and stored to memory, and the time depends on
// how many loads a multiprocessor has issued before it waits. They are
// processed in units of 16 bytes of the smallest element, and in several runs
// of columns, all of which are loaded before one is stored: the backend cannot
// prove that stores do not alias later loads. Runs that cover a whole row stay
// in registers from one loop over it to the next. The remainder after the last
// whole run has a separate loop.
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

/// Returns at most `most`, a power of two: the width with the fewest
/// iterations, and among those with the most lanes.
static int64_t chooseWidth(Value from, Value to, int64_t most) {
  std::optional<int64_t> count = getColumnCount(from, to);
  int64_t best = 1;
  for (int64_t width = 2; width <= most; width *= 2) {
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

/// Returns whether `op` iterates over the columns of rows of the grid.
static bool isOfGrid(Operation *op) {
  auto rows = op->getParentOfType<RowsOp>();
  return rows && rows.getGrid();
}

/// Loops inside are work enough for one lane.
template <typename OpT> static bool hasLoops(OpT op) {
  return op.getBody()
      .walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// The most neighbouring columns that one access has.
template <typename OpT> static int64_t getMostWidth(OpT op) {
  constexpr int64_t most = 4, mostBits = 128;
  if (!isOfGrid(op))
    return most;
  int64_t bits = mostBits / most;
  op.getBody().walk([&](Operation *access) {
    Value place;
    if (auto load = dyn_cast<LoadOp>(access))
      place = load.getSource();
    else if (auto store = dyn_cast<StoreOp>(access))
      place = store.getDestination();
    auto tensor = place ? dyn_cast<MemRefType>(place.getType()) : MemRefType();
    if (tensor && tensor.getElementTypeBitWidth() >= 16)
      bits = std::min<int64_t>(bits, tensor.getElementTypeBitWidth());
  });
  return mostBits / bits;
}

/// Unrolls the body for `count` columns at that distance, and returns the
/// yielded values of all.
template <typename OpT>
static SmallVector<Value> writeOut(OpT op, int64_t count, int64_t distance) {
  Block &body = op.getBody().front();
  Operation *yield = body.getTerminator();
  SmallVector<Operation *> ops;
  for (Operation &inner : body.without_terminator())
    ops.push_back(&inner);
  OpBuilder builder(yield);
  SmallVector<Value> values =
      NeighbourWriter(body.getArgument(0), body.getArgument(0), count, distance)
          .write(builder, body);
  yield->setOperands(ValueRange(values).take_front(yield->getNumOperands()));
  for (Operation *inner : llvm::reverse(ops))
    inner->erase();
  return values;
}

/// Returns how many runs of columns are unrolled together: all of them, or a
/// divisor of their number, limited by registers for their loads.
template <typename OpT> static int64_t chooseRounds(OpT op) {
  constexpr int64_t mostElements = 96;
  auto width = static_cast<int64_t>(op.getWidth().value_or(1));
  std::optional<int64_t> count = getColumnCount(op.getFrom(), op.getTo());
  if (!isOfGrid(op) || !count || *count % (32 * width) || hasLoops(op))
    return 1;
  int64_t loads = 0;
  op.getBody().walk([&](LoadOp) { ++loads; });
  int64_t rounds = *count / (32 * width);
  int64_t most = mostElements / std::max(loads, width);
  for (int64_t together = std::min(most, rounds); together > 1; --together)
    if (rounds % together == 0)
      return together;
  return 1;
}

/// Sets the yielded values of a body for all unrolled columns.
static void setYielded(ColumnsOp, ArrayRef<Value>) {}
static void setYielded(ReduceOp reduce, ArrayRef<Value> values) {
  Operation *yield = reduce.getBody().front().getTerminator();
  OpBuilder builder(yield);
  yield->setOperand(
      0, combine(builder, reduce.getLoc(), values, reduce.getKind()));
}

/// Unrolls the body for the number of columns that a lane processes at a time.
template <typename OpT> static void widen(OpT op) {
  int64_t width = hasLoops(op)
                      ? 1
                      : chooseWidth(op.getFrom(), op.getTo(), getMostWidth(op));
  if (width > 1) {
    op.setWidth(width);
    setYielded(op, writeOut(op, width, /*distance=*/1));
  }
  int64_t rounds = chooseRounds(op);
  if (rounds > 1) {
    op.setRounds(rounds);
    setYielded(op, writeOut(op, rounds, /*distance=*/32 * width));
  }
}

/// Combines the result for a part of the columns with the rest.
static void joinParts(ColumnsOp, ColumnsOp) {}
static void joinParts(ReduceOp first, ReduceOp rest) {
  OpBuilder builder(rest->getContext());
  builder.setInsertionPointAfter(rest);
  Value parts[] = {first.getResult(), rest.getResult()};
  Value all = combine(builder, first.getLoc(), parts, first.getKind());
  first.getResult().replaceAllUsesExcept(all, all.getDefiningOp());
}

/// Moves the remainder after several full runs of columns into a separate loop;
/// not if columns are processed one by one.
template <typename OpT> static void splitRest(OpT op) {
  std::optional<int64_t> from = getConstant(op.getFrom());
  std::optional<int64_t> to = getConstant(op.getTo());
  if (!isOfGrid(op) || !from || !to || hasLoops(op))
    return;
  int64_t width = getMostWidth(op);
  while (*from % width || *to % width)
    width /= 2;
  int64_t runs = (*to - *from) / (32 * width);
  int64_t border = *from + runs * 32 * width;
  if (width == 1 || runs < 2 || border == *to)
    return;
  OpBuilder builder(op);
  Value middle = arith::ConstantIndexOp::create(builder, op.getLoc(), border);
  builder.setInsertionPointAfter(op);
  auto rest = cast<OpT>(builder.clone(*op));
  op.getToMutable().assign(middle);
  rest.getFromMutable().assign(middle);
  joinParts(op, rest);
}

/// Collects first, since processing creates new ops.
template <typename OpT> static void widenAll(KernelOp kernel) {
  SmallVector<OpT> all;
  auto collect = [&] {
    all.clear();
    kernel.walk([&](OpT op) {
      if (!op.getWidth() && !op.getRounds())
        all.push_back(op);
    });
  };
  collect();
  llvm::for_each(all, splitRest<OpT>);
  collect();
  llvm::for_each(all, widen<OpT>);
}

/// Returns how many rows of a tile are processed together to hide latency:
/// fewer for long rows.
static int64_t chooseRows(RowsOp rows, ScheduleAttr schedule) {
  constexpr int64_t smallRow = 88;
  int64_t warps =
      schedule.getWarps() * (rows.getCluster() ? schedule.getCluster() : 1);
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

/// Merges that many rows into one.
static void joinRows(RowsOp rows, int64_t together) {
  OpBuilder builder(rows);
  Location loc = rows.getLoc();
  int64_t extent = static_cast<int64_t>(*rows.getExtent()) / together;
  Value count = arith::ConstantIndexOp::create(builder, loc, extent);
  auto joined = RowsOp::create(builder, loc, count, extent, rows.getPart(),
                               rows.getParts());
  joined.setCluster(rows.getCluster());
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
    widenAll<ColumnsOp>(kernel);
    widenAll<ReduceOp>(kernel);
    // Attention has no registers to spare.
    if (kernel.walk([](CombineOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      return success();
    SmallVector<RowsOp> all;
    kernel.walk([&](RowsOp rows) { all.push_back(rows); });
    for (RowsOp rows : all)
      if (int64_t together = chooseRows(rows, kernel.getSchedule());
          together > 1)
        joinRows(rows, together);
    return success();
  }
};
} // namespace
