//===- Collectives.cpp - bytes and counts of collective ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Collectives.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockInterfaces.h"
#include "parablock/Dialect/Block/BlockRankOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

bool parablock::isRankSum(Operation *op) {
  return isa_and_nonnull<shard::AllReduceOp, shard::ReduceScatterOp>(op);
}

CollectiveCounts parablock::countCollectives(Operation *op) {
  CollectiveCounts counts;
  op->walk([&](Operation *inner) {
    counts.allReduce += isa<shard::AllReduceOp>(inner);
    counts.allGather += isa<shard::AllGatherOp>(inner);
    counts.reduceScatter += isa<shard::ReduceScatterOp>(inner);
    counts.allToAll += isRowExchange(inner);
  });
  return counts;
}

/// Returns the part of the sets of `chosen` of `experts` that have none of
/// `own` of these.
static double computeUnread(int64_t experts, int64_t own, int64_t chosen) {
  // More than there are: some are chosen twice.
  if (chosen > experts - own)
    return 0;
  double part = 1;
  for (int64_t i = 0; i < chosen; ++i)
    part *= static_cast<double>(experts - own - i) /
            static_cast<double>(experts - i);
  return part;
}

template <typename OpT>
static void addExchanged(OpT op, ExchangedBytes &bytes) {
  auto grid =
      SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, op.getGridAttr());
  auto rows = cast<RankedTensorType>(op.getInput().getType());
  int64_t ranks = llvm::product_of(grid.getShape()),
          experts = static_cast<int64_t>(op.getExperts()),
          chosen = getDim(op.getChoices(), 2);
  double row = static_cast<double>(rows.getDimSize(2)) *
               rows.getElementTypeBitWidth() / 8;
  bytes.expected += static_cast<double>(ranks - 1) *
                    (1 - computeUnread(experts, experts / ranks, chosen)) * row;
  bytes.most += static_cast<double>(std::min(ranks - 1, chosen)) * row;
}

ExchangedBytes parablock::countExchangedBytes(Operation *op) {
  ExchangedBytes bytes;
  op->walk([&](RowsToExpertsOp inner) { addExchanged(inner, bytes); });
  op->walk([&](RowsFromExpertsOp inner) { addExchanged(inner, bytes); });
  return bytes;
}

//===----------------------------------------------------------------------===//
// Exposed sums
//===----------------------------------------------------------------------===//

namespace {
/// An op that runs as a whole: kernels are not looked into, layers are.
struct Unit {
  Operation *op;
  SetVector<Value> reads;
  bool isWork;
};
} // namespace

/// Tells whether `op` multiplies, or is an attention: what takes time.
static bool isWork(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    return isProduct(inner) || isAttentionCore(inner) || isComposite(inner) ||
                   isa<ExpertsOp>(inner)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static std::vector<Unit> listUnits(Operation *function) {
  std::vector<Unit> units;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || isa<LayerOp>(op))
      return WalkResult::advance();
    units.push_back({op, findReads(op), isWork(op)});
    return WalkResult::skip();
  });
  return units;
}

/// Adds what a unit makes of `values`: its results, or those of the layer that
/// yields them. Returns whether it reads any.
static bool propagate(const Unit &unit, DenseSet<Value> &values) {
  auto layer = dyn_cast<LayerOp>(unit.op->getParentOp());
  if (layer && isa<YieldOp>(unit.op)) {
    for (auto [operand, result] :
         llvm::zip_equal(unit.op->getOperands(), layer->getResults()))
      if (values.contains(operand))
        values.insert(result);
    return false;
  }
  bool reads = llvm::any_of(
      unit.reads, [&](Value value) { return values.contains(value); });
  if (reads)
    values.insert_range(unit.op->getResults());
  return reads;
}

OpSet parablock::findExposedSums(Operation *function) {
  std::vector<Unit> units = listUnits(function);
  // Products of weights alone are computed once.
  DenseSet<Value> data;
  if (auto interface = dyn_cast<FunctionOpInterface>(function))
    for (BlockArgument argument : interface.getArguments())
      if (!interface.getArgAttr(argument.getArgNumber(), kParamAttr))
        data.insert(argument);
  for (Unit &unit : units)
    unit.isWork &= propagate(unit, data);
  OpSet exposed;
  for (auto [place, sum] : llvm::enumerate(units)) {
    if (!isRankSum(sum.op))
      continue;
    // A sum can begin once its operand is there.
    Operation *source = sum.op->getOperand(0).getDefiningOp();
    size_t begin = place;
    for (size_t i = 0; i < place; ++i)
      if (units[i].op == source)
        begin = i;
    DenseSet<Value> late(sum.op->result_begin(), sum.op->result_end());
    bool isHidden = false;
    for (const Unit &unit : ArrayRef(units).drop_front(begin + 1))
      isHidden |= !propagate(unit, late) && unit.isWork;
    if (!isHidden)
      exposed.insert(sum.op);
  }
  return exposed;
}

int64_t parablock::countSums(const OpSet &sums, Operation *op) {
  return llvm::count_if(
      sums, [&](Operation *sum) { return op->isProperAncestor(sum); });
}
