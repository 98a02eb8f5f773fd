//===- Dataflow.cpp - walks over uses and definitions through kernels -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Dataflow.h"

#include "mlir/Transforms/RegionUtils.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Through kernels
//===----------------------------------------------------------------------===//

Value parablock::leaveKernel(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
    if (!kernel)
      break;
    value = kernel.getInputs()[argument.getArgNumber()];
  }
  return value;
}

SetVector<Value> parablock::findReads(Operation *op) {
  SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

WalkResult parablock::walkSources(Value value,
                                  function_ref<WalkResult(Value)> visit) {
  SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    WalkResult result = visit(seen[i]);
    if (result.wasInterrupted())
      return result;
    Operation *op = seen[i].getDefiningOp();
    if (op && !result.wasSkipped())
      seen.insert_range(findReads(op));
  }
  return WalkResult::advance();
}

WalkResult parablock::walkUses(Value value,
                               function_ref<WalkResult(OpOperand &)> visit) {
  SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i)
    for (OpOperand &use : seen[i].getUses()) {
      WalkResult result = visit(use);
      if (result.wasInterrupted())
        return result;
      if (!result.wasSkipped())
        seen.insert_range(use.getOwner()->getResults());
    }
  return WalkResult::advance();
}

OpResult parablock::getDefinition(Value value) {
  while (true) {
    value = leaveKernel(value);
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return nullptr;
    auto kernel = dyn_cast<KernelOp>(result.getOwner());
    if (!kernel)
      return result;
    auto yield = cast<YieldOp>(kernel.getBody().front().getTerminator());
    value = yield.getValues()[result.getResultNumber()];
  }
}

Operation *parablock::getProducer(Value value) {
  OpResult definition = getDefinition(value);
  return definition ? definition.getOwner() : nullptr;
}

/// Values in `seen` have been visited: a kernel may return one more than once.
static void forEachUse(Value value, DenseSet<Value> &seen,
                       function_ref<void(OpOperand &)> visit) {
  if (!seen.insert(value).second)
    return;
  for (OpOperand &use : value.getUses()) {
    unsigned number = use.getOperandNumber();
    if (auto kernel = dyn_cast<KernelOp>(use.getOwner())) {
      forEachUse(kernel.getBody().getArgument(number), seen, visit);
      continue;
    }
    if (auto yield = dyn_cast<YieldOp>(use.getOwner()))
      if (auto kernel = dyn_cast<KernelOp>(yield->getParentOp())) {
        forEachUse(kernel.getResult(number), seen, visit);
        continue;
      }
    visit(use);
  }
}

void parablock::forEachUse(Value value,
                           llvm::function_ref<void(OpOperand &)> visit) {
  DenseSet<Value> seen;
  ::forEachUse(value, seen, visit);
}

//===----------------------------------------------------------------------===//
// Through the steps of a layer
//===----------------------------------------------------------------------===//

bool parablock::isPassThrough(Operation *op) {
  auto step = dyn_cast<StepOpInterface>(op);
  return step && step.handsOn();
}

ModelPart parablock::getPart(Operation *op) {
  auto step = dyn_cast<StepOpInterface>(op);
  ModelPart part = step ? step.getPart() : ModelPart::Other;
  return part == ModelPart::Attention || part == ModelPart::Mlp
             ? part
             : ModelPart::Other;
}

Operation *parablock::findConsumer(Value value) {
  Operation *found = nullptr;
  forEachUse(value, [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (found)
      return;
    if (getPart(user) != ModelPart::Other)
      found = user;
    else if (isPassThrough(user) && use.getOperandNumber() == 0)
      for (Value result : user->getResults())
        if (!found)
          found = findConsumer(result);
  });
  return found;
}

Operation *parablock::findSource(Value value) {
  while (Operation *op = getProducer(value)) {
    if (getPart(op) != ModelPart::Other)
      return op;
    if (!isPassThrough(op) && !isa<ScaleOp>(op) && !isProduct(op))
      return nullptr;
    value = op->getOperand(0);
  }
  return nullptr;
}

/// Returns the part of a projection outside layers: before them, or after them
/// if its result reaches no layer.
static ModelPart locateOutside(Value result) {
  bool reachesLayer = false;
  SmallVector<Value> work = {result};
  llvm::SmallDenseSet<Operation *> seen;
  while (!work.empty() && !reachesLayer)
    forEachUse(work.pop_back_val(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (user->getParentOfType<LayerOp>())
        reachesLayer = true;
      else if (seen.insert(user).second)
        work.append(user->result_begin(), user->result_end());
    });
  return reachesLayer ? ModelPart::Embedding : ModelPart::Head;
}

/// Tells whether `sum` is one of heads, as keys of latent attention are.
static bool isOfHeads(ResidualOp sum) {
  bool isRead = false, isOther = false;
  forEachUse(sum.getResult(), [&](OpOperand &use) {
    isRead = true;
    isOther |= !isa<CacheAppendOp>(use.getOwner()) &&
               getPart(use.getOwner()) != ModelPart::Attention;
  });
  return isRead && !isOther;
}

/// Tells whether `value` reaches an attention through further projections, as
/// latents do.
static bool reachesHeads(Value value) {
  bool isFound = false;
  SmallVector<Value> work = {value};
  while (!work.empty() && !isFound)
    forEachUse(work.pop_back_val(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      auto sum = dyn_cast<ResidualOp>(user);
      isFound |= getPart(user) == ModelPart::Attention;
      if (sum ? isOfHeads(sum)
              : use.getOperandNumber() == 0 &&
                    (isPassThrough(user) || isProduct(user)))
        work.append(user->result_begin(), user->result_end());
    });
  return isFound;
}

static ModelPart getPartOfColumns(Value columns, Value input) {
  Operation *producer = getProducer(columns);
  if (!producer || !producer->getParentOfType<LayerOp>())
    return locateOutside(columns);
  if (Operation *consumer = findConsumer(columns))
    return getPart(consumer);
  if (Operation *source = findSource(input))
    return getPart(source);
  if (reachesHeads(columns))
    return ModelPart::Attention;
  // The op is between two projections with a folded identity activation.
  return ModelPart::Mlp;
}

SmallVector<Segment, 2> parablock::getSegments(Value result, Value input) {
  SmallVector<Segment, 2> segments;
  // Norms and biases of a merged projection come before its split.
  SmallVector<Value> work = {result};
  while (!work.empty() && segments.empty())
    forEachUse(work.pop_back_val(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (use.getOperandNumber() != 0 || !segments.empty())
        return;
      if (auto split = dyn_cast<SplitOp>(user)) {
        for (Value segment : split.getSegments())
          segments.push_back(
              {getDim(segment, -1), getPartOfColumns(segment, input)});
      } else if (isPassThrough(user) && getReach(user) == StepReach::Element) {
        work.push_back(user->getResult(0));
      }
    });
  if (segments.empty())
    segments.push_back({getDim(result, -1), getPartOfColumns(result, input)});
  return segments;
}
