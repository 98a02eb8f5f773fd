//===- Collectives.cpp - bytes and counts of collective ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Collectives.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockInterfaces.h"
#include "parablock/Dialect/Block/BlockOps.h"

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
  });
  return counts;
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
