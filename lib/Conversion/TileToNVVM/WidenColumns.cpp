//===- WidenColumns.cpp - several neighbouring columns for a lane ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lane that takes four neighbouring columns at a time reads and writes them
// with one instruction each: the backend merges neighbouring accesses where the
// address is a multiple of their size. Here the body gets four copies; where
// the number of columns may be no multiple, everything stays as it is.
//
//===----------------------------------------------------------------------===//

#include "ColumnCount.h"
#include "KernelPass.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Conversion/Passes.h"

namespace parablock {
#define GEN_PASS_DEF_TILEWIDENCOLUMNS
#include "parablock/Conversion/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock::tile;

static bool isMultipleOf(Value value, int64_t divisor) {
  if (std::optional<int64_t> constant = getConstant(value))
    return *constant % divisor == 0;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto isMultiple = [&](Value operand) {
    return isMultipleOf(operand, divisor);
  };
  if (isa<arith::MulIOp>(op))
    return llvm::any_of(op->getOperands(), isMultiple);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MinUIOp,
          arith::MaxSIOp, arith::MaxUIOp>(op))
    return llvm::all_of(op->getOperands(), isMultiple);
  return false;
}

/// 4, 2 or 1: no more than leaves work for every lane.
static int64_t chooseWidth(Value from, Value to) {
  std::optional<int64_t> count = getColumnCount(from, to);
  for (int64_t width : {4, 2}) {
    bool isShort = count && *count < 32 * width;
    if (!isShort && isMultipleOf(from, width) && isMultipleOf(to, width))
      return width;
  }
  return 1;
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

/// Copies of the body for the columns that follow; the yielded values of all.
static SmallVector<Value> repeatBody(Block &body, int64_t width) {
  Operation *yield = body.getTerminator();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  SmallVector<Value> yielded(yield->getOperands());
  OpBuilder builder(yield);
  for (int64_t copy = 1; copy < width; ++copy) {
    Value offset =
        arith::ConstantIndexOp::create(builder, yield->getLoc(), copy);
    IRMapping mapping;
    // Without overflow, the backend sees that addresses are neighbours.
    mapping.map(body.getArgument(0),
                arith::AddIOp::create(builder, yield->getLoc(),
                                      body.getArgument(0), offset,
                                      arith::IntegerOverflowFlags::nsw)
                    .getResult());
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    for (Value value : yield->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
  }
  return yielded;
}

/// Writes the body out for as many columns as a lane is to take at a time; the
/// yielded values of all.
template <typename OpT> static SmallVector<Value> widen(OpT op) {
  Block &body = op.getBody().front();
  // Loops inside are work enough for one lane.
  bool hasRegions = llvm::any_of(
      body, [](Operation &inner) { return inner.getNumRegions(); });
  int64_t width = hasRegions ? 1 : chooseWidth(op.getFrom(), op.getTo());
  if (width > 1)
    op.setWidth(width);
  return repeatBody(body, width);
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
