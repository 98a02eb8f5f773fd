//===- RowSteps.cpp - collects and orders steps of a row ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowSteps.h"

#include "parablock/Conversion/Rows/InPlace.h"
#include "parablock/Conversion/Rows/RowProgram.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;

void parablock::sortSteps(SmallVectorImpl<Operation *> &steps) {
  llvm::sort(steps,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

SmallVector<Operation *> parablock::collectSteps(Value tensor,
                                                 IsGiven isGiven) {
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> open = {tensor};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (op && isa<RankedTensorType>(value.getType()) && !isGiven(value) &&
        seen.insert(op))
      open.append(op->operand_begin(), op->operand_end());
  }
  SmallVector<Operation *> steps = llvm::to_vector(seen.takeVector());
  sortSteps(steps);
  return steps;
}

Value parablock::getComputed(Value yielded) {
  auto append = yielded.getDefiningOp<block::CacheAppendOp>();
  return append ? append.getAdded() : yielded;
}

bool parablock::isStored(Value value) {
  return value.getDefiningOp() &&
         llvm::any_of(value.getUsers(), llvm::IsaPred<block::YieldOp>);
}

block::RowStepOpInterface parablock::getStatisticsStep(Value tensor) {
  auto step =
      dyn_cast_or_null<block::RowStepOpInterface>(tensor.getDefiningOp());
  return step && step.yieldsStatistics() ? step : block::RowStepOpInterface();
}

bool parablock::staysInPlace(Value output, IsGiven isGiven) {
  return !getStatisticsStep(output) &&
         llvm::all_of(collectSteps(output, isGiven), [](Operation *op) {
           auto step = dyn_cast<block::StepOpInterface>(op);
           return step && step.getReach() == block::StepReach::Element;
         });
}

/// Returns whether a use reads only elements in the place of the computed
/// ones.
static bool readsInPlace(OpOperand &use) {
  auto step = dyn_cast<block::StepOpInterface>(use.getOwner());
  auto row = dyn_cast<block::RowStepOpInterface>(use.getOwner());
  if (!step || !row || step.getReach() != block::StepReach::Element ||
      row.getColumnReach() || row.getTileSize() || row.yieldsStatistics())
    return false;
  block::OperandRole role = step.getOperandRole(use);
  return role == block::OperandRole::Columns ||
         role == block::OperandRole::Stream;
}

bool parablock::mayOverwrite(Value output, BlockArgument input) {
  if (output.getType() != input.getType() || output == input)
    return false;
  llvm::SetVector<Value> reached;
  reached.insert(input);
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      if (isa<block::YieldOp>(use.getOwner())) {
        if (use.get() != output)
          return false;
        continue;
      }
      if (!readsInPlace(use))
        return false;
      reached.insert_range(use.getOwner()->getResults());
    }
  // One loop: columns of groups, or of parts, may be gone through by several.
  SmallVector<Operation *> steps =
      collectSteps(output, [](Value value) { return !value.getDefiningOp(); });
  return reached.contains(output) && getGroupSize(steps) == 0 &&
         joinOrders(steps).fits(ColumnOrder());
}

int64_t parablock::getLoopWidth(Value output) {
  block::RowStepOpInterface statistics = getStatisticsStep(output);
  return getRowWidth(statistics ? statistics->getOperand(0) : output);
}

int64_t parablock::getGroupSize(ArrayRef<Operation *> steps) {
  for (Operation *op : steps)
    if (auto step = dyn_cast<block::RowStepOpInterface>(op))
      if (int64_t size = step.getGroupSize())
        return size;
  return 0;
}

ColumnOrder parablock::joinOrders(ArrayRef<Operation *> steps) {
  ColumnOrder joined;
  for (Operation *op : steps) {
    auto step = dyn_cast<block::RowStepOpInterface>(op);
    if (!step)
      continue;
    ColumnOrder order = step.getColumnOrder();
    joined.part = std::max({joined.part, order.part, step.getGroupSize()});
    joined.borders.append(order.borders);
    joined.scalar |= order.scalar;
  }
  llvm::sort(joined.borders);
  joined.borders.erase(llvm::unique(joined.borders), joined.borders.end());
  return joined;
}
