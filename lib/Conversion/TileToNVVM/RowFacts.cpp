//===- RowFacts.cpp - finds facts of rows and shares them by shuffles -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowFacts.h"

#include "ColumnCount.h"
#include "LoweringContext.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <limits>

using namespace mlir;
using namespace parablock::tile;

/// Up to this number of columns one lane is faster than a warp that combines
/// its lanes for every row.
static constexpr int64_t mostColumns = 64;

RowFacts::RowFacts(RowsOp rows) : rows(rows) {
  bool isFromMemory = false;
  for (Operation &op : rows.getBody().front().without_terminator()) {
    if (!isFact(&op))
      continue;
    ops.insert(&op);
    isFromMemory |= isa<LoadOp, ReduceOp>(op);
  }
  if (!isFromMemory)
    return;
  for (Operation *op : ops) {
    Value value = op->getResult(0);
    bool isTold = llvm::any_of(value.getUsers(), [&](Operation *user) {
      Operation *own = rows.getBody().front().findAncestorOpInBlock(*user);
      return !ops.contains(own);
    });
    if (isTold && value.getType().isF32())
      told.push_back(value);
  }
}

bool RowFacts::isKnown(Value value) const {
  Region &body = rows->getRegion(0);
  if (value == body.getArgument(0))
    return true;
  // A value of a loop that has been converted belongs to no region any more.
  Region *region = value.getParentRegion();
  while (region && region != &body)
    region = region->getParentRegion();
  if (!region)
    return true;
  return value.getDefiningOp() && ops.contains(value.getDefiningOp());
}

/// Tensors that the kernel only reads.
bool RowFacts::isRead(LoadOp load) const {
  Value source = load.getSource();
  return isa<MemRefType>(source.getType()) &&
         llvm::none_of(source.getUsers(), [&](Operation *user) {
           auto store = dyn_cast<StoreOp>(user);
           return store && store.getDestination() == source;
         });
}

bool RowFacts::isFactOfColumns(ReduceOp reduce) const {
  std::optional<int64_t> count =
      getColumnCount(reduce.getFrom(), reduce.getTo());
  if (!count || *count > mostColumns)
    return false;
  Block &body = reduce.getBody().front();
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    auto load = dyn_cast<LoadOp>(op);
    return op.getNumRegions() == 0 &&
           (load ? isRead(load) : isMemoryEffectFree(&op)) &&
           llvm::all_of(op.getOperands(), [&](Value value) {
             return value.getParentBlock() == &body || isKnown(value);
           });
  });
}

bool RowFacts::isFact(Operation *op) const {
  if (op->getNumResults() != 1 ||
      !op->getResult(0).getType().isIntOrIndexOrFloat() ||
      !llvm::all_of(op->getOperands(),
                    [&](Value value) { return isKnown(value); }))
    return false;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return isFactOfColumns(reduce);
  if (auto load = dyn_cast<LoadOp>(op))
    return isRead(load);
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

/// A lane goes through all columns by itself.
static Value foldColumns(OpBuilder &builder, IRMapping &mapping,
                         ReduceOp reduce) {
  Location loc = reduce.getLoc();
  bool isSum = reduce.getKind() == Reduction::Add;
  Value none = createF32(
      builder, loc, isSum ? 0.0f : -std::numeric_limits<float>::infinity());
  Value step = arith::ConstantIndexOp::create(builder, loc,
                                              reduce.getWidth().value_or(1));
  auto loop = scf::ForOp::create(
      builder, loc, mapping.lookupOrDefault(reduce.getFrom()),
      mapping.lookupOrDefault(reduce.getTo()), step, none,
      [&](OpBuilder &inner, Location, Value column, ValueRange before) {
        IRMapping own = mapping;
        Block &body = reduce.getBody().front();
        own.map(body.getArgument(0), column);
        for (Operation &op : body.without_terminator())
          inner.clone(op, own);
        Value value = own.lookupOrDefault(body.getTerminator()->getOperand(0));
        // A NaN stays one, as in a sum.
        value = isSum ? Value(arith::AddFOp::create(inner, loc, before.front(),
                                                    value))
                      : Value(arith::MaximumFOp::create(inner, loc,
                                                        before.front(), value));
        scf::YieldOp::create(inner, loc, value);
      });
  return loop.getResult(0);
}

void RowFacts::find(ConversionPatternRewriter &rewriter, Value first,
                    Value end) {
  Location loc = rows.getLoc();
  Value row =
      arith::AddIOp::create(rewriter, loc, first, createLaneId(rewriter, loc));
  Value isOwn =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, row, end);
  SmallVector<Type> types(told.size(), rewriter.getF32Type());
  auto branch = scf::IfOp::create(
      rewriter, loc, isOwn,
      [&](OpBuilder &inner, Location) {
        IRMapping mapping;
        Value index = UnrealizedConversionCastOp::create(
                          inner, loc, inner.getIndexType(), row)
                          .getResult(0);
        mapping.map(rows.getBody().getArgument(0), index);
        for (Operation *op : ops) {
          if (auto reduce = dyn_cast<ReduceOp>(op))
            mapping.map(reduce.getResult(),
                        foldColumns(inner, mapping, reduce));
          else
            inner.clone(*op, mapping);
        }
        scf::YieldOp::create(inner, loc,
                             llvm::map_to_vector(told, [&](Value value) {
                               return mapping.lookup(value);
                             }));
      },
      [&](OpBuilder &inner, Location) {
        scf::YieldOp::create(
            inner, loc,
            SmallVector<Value>(told.size(), createF32(inner, loc, 0)));
      });
  found.assign(branch.getResults().begin(), branch.getResults().end());
}

void RowFacts::tell(ConversionPatternRewriter &rewriter, Value first) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = rows.getLoc();
  Block &body = rows.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  Value row = UnrealizedConversionCastOp::create(
                  rewriter, loc, rewriter.getI32Type(), body.getArgument(0))
                  .getResult(0);
  Value lane = arith::SubIOp::create(rewriter, loc, row, first);
  llvm::DenseSet<Operation *> gone;
  for (auto [value, own] : llvm::zip_equal(told, found)) {
    Value shared = NVVM::ShflOp::create(
        rewriter, loc, own.getType(), createI32(rewriter, loc, -1), own, lane,
        createI32(rewriter, loc, 31), NVVM::ShflKind::idx,
        /*return_value_and_is_valid=*/UnitAttr());
    rewriter.replaceOp(value.getDefiningOp(), shared);
    gone.insert(value.getDefiningOp());
  }
  // Ops that only they read.
  for (Operation *op : llvm::reverse(ops)) {
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !gone.contains(body.findAncestorOpInBlock(*user));
    });
    if (!isRead && gone.insert(op).second)
      rewriter.eraseOp(op);
  }
}
