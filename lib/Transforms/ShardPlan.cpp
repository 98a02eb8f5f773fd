//===- ShardPlan.cpp - which values ranks hold parts of -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ShardPlan.h"

#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock::block;

/// Tells whether `sum` is one of heads, as keys of latent attention are.
static bool isOfHeads(ResidualOp sum) {
  return !sum->use_empty() && llvm::all_of(sum->getUsers(), [](Operation *op) {
    return isa<CacheAppendOp>(op) || isAttentionCore(op);
  });
}

SmallVector<Value, 2> parablock::block::getColumnOperands(Operation *op) {
  if (auto append = dyn_cast_or_null<CacheAppendOp>(op))
    return {append.getAdded()};
  if (auto sum = dyn_cast_or_null<ResidualOp>(op); sum && isOfHeads(sum))
    return llvm::to_vector<2>(sum->getOperands());
  auto step = dyn_cast_or_null<StepOpInterface>(op);
  if (!step)
    return {};
  return step.getOperandsOf(OperandRole::Columns);
}

/// Tells whether `value` is a projection, or a segment of one, put through
/// steps that work on columns one by one, such as rows of a cache.
static bool endsInProjection(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (isa_and_nonnull<LinearOp>(op))
      continue;
    if (auto split = dyn_cast_or_null<SplitOp>(op)) {
      seen.insert(split.getInput());
      continue;
    }
    SmallVector<Value, 2> operands = getColumnOperands(op);
    if (operands.empty())
      return false;
    seen.insert_range(operands);
  }
  return true;
}

void ShardPlan::assign(Value value, const ColumnMap &map) {
  if (map.isWhole(getDim(value, -1)) || !columns.try_emplace(value, map).second)
    return;
  for (Value operand : getColumnOperands(value.getDefiningOp()))
    assign(operand, map);
}

/// A merged projection holds the parts of all its segments, one behind the
/// other.
void ShardPlan::assignSplit(SplitOp split) {
  ColumnMap merged;
  int64_t offset = 0;
  bool isSplit = false;
  for (Value segment : split.getSegments()) {
    int64_t width = getDim(segment, -1);
    const ColumnMap *map = lookup(segment);
    isSplit |= map != nullptr;
    merged.append(map ? *map : ColumnMap::whole(width), offset);
    offset += width;
  }
  if (isSplit)
    assign(split.getInput(), merged);
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

FailureOr<HeadSplit> ShardPlan::splitHeads(AttentionOpInterface op) const {
  int64_t count = op.getHeads(), kvCount = op.getKvHeads();
  int64_t group = count / kvCount;
  int64_t queryHead = getDim(op.getQuery(), -1) / count;
  int64_t valueHead = getDim(op.getValue(), -1) / kvCount;
  if (op.getSeed())
    return op->emitOpError() << "cannot be split over " << ranks
                             << " ranks: which weights it drops follows from "
                                "the number of a head among all";
  HeadSplit split;
  if (kvCount >= ranks) {
    auto whole = [&](int64_t unit) {
      return ColumnMap::split(kvCount * unit, unit, ranks);
    };
    split.query = whole(group * queryHead);
    split.key = whole(queryHead);
    split.value = whole(valueHead);
    split.result = whole(group * valueHead);
    split.perHead = whole(group);
  } else {
    // Ranks share a key head, each with some of the queries that read it.
    if (ranks % kvCount || count % ranks)
      return op->emitOpError()
             << "cannot be split over " << ranks << " ranks: expected them to "
             << "divide its " << count << " heads and to be a multiple of its "
             << kvCount << " key heads, or to be no more than those";
    auto whole = [&](int64_t unit) {
      return ColumnMap::split(count * unit, unit, ranks);
    };
    split.query = whole(queryHead);
    auto shared = [&](int64_t unit) {
      return kvCount == 1 ? ColumnMap::whole(unit)
                          : ColumnMap::replicated(unit, ranks / kvCount);
    };
    split.key = shared(queryHead);
    split.value = shared(valueHead);
    split.result = whole(valueHead);
    split.perHead = whole(1);
  }
  split.heads = split.query.getWidth() / queryHead;
  split.kvHeads = split.key.getWidth() / queryHead;
  bool isPadded = split.perHead.getEnd(ranks) > count;
  if (isPadded && failed(checkPadding(op)))
    return failure();
  return split;
}

/// A head of zeros is harmless if zero weights read its result and no norm
/// divides by it.
LogicalResult ShardPlan::checkPadding(AttentionOpInterface op) const {
  auto refuse = [&](StringRef why) {
    return op->emitOpError() << "cannot be split over " << ranks
                             << " ranks: expected them to divide its "
                             << op.getKvHeads() << " key heads, as " << why;
  };
  if (op.getPastKey() || op.getPastLengths())
    return refuse("past keys cannot be padded");
  for (Value value : {op.getQuery(), op.getKey(), op.getValue()}) {
    if (!endsInProjection(value))
      return refuse("only projections can be padded with heads of zeros");
    for (; !isa<LinearOp, SplitOp>(value.getDefiningOp());
         value = value.getDefiningOp()->getOperand(0))
      if (auto norm = value.getDefiningOp<NormalizeOp>();
          norm && (norm.getForm().getEpsValue() == 0 || norm.getGroups() == 1))
        return refuse("a norm would read heads of zeros");
  }
  for (Operation *user : op->getUsers())
    if (!isa<LinearOp, LinearSumOp>(user))
      return refuse("no output projection would drop heads of zeros");
  return success();
}

//===----------------------------------------------------------------------===//
// Hidden values
//===----------------------------------------------------------------------===//

/// Tells whether nothing but steps on the way from a projection to `reader`
/// reads `value` or what it is made from.
static bool isReadOnlyBy(Value value, Operation *reader) {
  llvm::SetVector<std::pair<Value, Operation *>> seen;
  seen.insert({value, reader});
  for (size_t i = 0; i < seen.size(); ++i) {
    auto [read, by] = seen[i];
    for (Operation *user : read.getUsers())
      if (user != by && !isa<NormStatsOp>(user))
        return false;
    Operation *op = read.getDefiningOp();
    for (Value operand : getColumnOperands(op))
      seen.insert({operand, op});
  }
  return true;
}

/// Tells whether `value` is a latent of attention: rotated or normalised behind
/// a projection, without an activation. Its readers require all columns.
static bool isLatent(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  bool isChanged = false;
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (parablock::getPart(op) == parablock::ModelPart::Mlp)
      return false;
    if (isa<LinearOp>(op))
      continue;
    if (auto split = dyn_cast<SplitOp>(op)) {
      seen.insert(split.getInput());
      continue;
    }
    isChanged |= isa<RopeOp, RotateOp, NormalizeOp, DeferredNormOp>(op);
    seen.insert_range(getColumnOperands(op));
  }
  return isChanged;
}

/// Gives what a projection reads that another projection made (and no attention
/// in between) is the hidden value of an MLP.
void ShardPlan::splitHidden(Operation *projection, Value input) {
  if (!projection->getParentOfType<LayerOp>() || lookup(input) ||
      !endsInProjection(input) || isLatent(input) ||
      !isReadOnlyBy(input, projection))
    return;
  assign(input, ColumnMap::split(getDim(input, -1), 1, ranks));
}

//===----------------------------------------------------------------------===//
// All of a function
//===----------------------------------------------------------------------===//

LogicalResult ShardPlan::make(FunctionOpInterface function) {
  WalkResult result = function->walk([&](AttentionOpInterface op) {
    if (!isAttentionCore(op))
      return WalkResult::advance();
    FailureOr<HeadSplit> split = splitHeads(op);
    if (failed(split))
      return WalkResult::interrupt();
    for (auto [value, map] : {std::pair(op.getQuery(), &split->query),
                              std::pair(op.getKey(), &split->key),
                              std::pair(op.getValue(), &split->value)})
      if (endsInProjection(value))
        assign(value, *map);
    heads.try_emplace(op, *split);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  function->walk([&](Operation *op) {
    if (auto linear = dyn_cast<LinearOp>(op))
      splitHidden(op, linear.getInput());
    else if (auto sum = dyn_cast<LinearSumOp>(op))
      for (Value input : sum.getInputs())
        splitHidden(op, input);
  });
  function->walk([&](SplitOp split) { assignSplit(split); });
  return success();
}
