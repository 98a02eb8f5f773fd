//===- SinkSplits.cpp - moves splits before columnwise steps --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SinkSplits.h"

#include "KernelSteps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/RewriteHelpers.h"

using namespace mlir;
using namespace parablock::block;

/// Returns whether a column of the result depends only on the same column of
/// the first operand, on vectors with a number per column, and on values that
/// all columns share.
static bool worksByColumn(Operation *op) {
  return getReach(op) == StepReach::Element &&
         cast<StepOpInterface>(op).getOperandsOf(OperandRole::Columns) ==
             SmallVector<Value, 2>{op->getOperand(0)};
}

/// Returns whether only columnwise steps, each with one reader, are between a
/// product and `value`.
static bool comesFromProduct(Value value) {
  while (value.hasOneUse() && worksByColumn(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Operation *root = value.getDefiningOp();
  return value.hasOneUse() && root && getRootKind(root);
}

/// Columns [offset, offset + width) of a vector with one number per column.
static Value sliceVector(OpBuilder &builder, Location loc, Value vector,
                         int64_t offset, int64_t width) {
  auto type = cast<RankedTensorType>(vector.getType());
  OpFoldResult one = builder.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get({width}, type.getElementType()),
      vector, OpFoldResult(builder.getIndexAttr(offset)),
      OpFoldResult(builder.getIndexAttr(width)), one);
}

/// Repeats the step `op` on the columns starting at `offset`, with input
/// `segment`.
static Value repeatOnSegment(OpBuilder &builder, Operation *op, Value segment,
                             int64_t offset) {
  int64_t width = getDim(segment, -1), all = getDim(op->getOperand(0), -1);
  IRMapping mapping;
  for (Value operand : llvm::drop_begin(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (type && type.getRank() == 1 && type.getDimSize(0) == all)
      mapping.map(operand,
                  sliceVector(builder, op->getLoc(), operand, offset, width));
  }
  mapping.map(op->getOperand(0), segment);
  Operation *copy = builder.clone(*op, mapping);
  Value result = copy->getResult(0);
  result.setType(withWidth(segment, width,
                           getElementTypeOrSelf(op->getResult(0).getType())));
  return result;
}

/// Moves `split` before the step that makes its input.
static SplitOp sink(SplitOp split) {
  Operation *step = split.getInput().getDefiningOp();
  OpBuilder builder(split);
  Value input = step->getOperand(0);
  Type element = getElementTypeOrSelf(input.getType());
  SmallVector<Type> types;
  for (Value segment : split.getSegments())
    types.push_back(withWidth(segment, getDim(segment, -1), element));
  auto first = SplitOp::create(builder, split.getLoc(), types, input);
  int64_t offset = 0;
  for (auto [before, segment] :
       llvm::zip_equal(split.getSegments(), first.getSegments())) {
    before.replaceAllUsesWith(repeatOnSegment(builder, step, segment, offset));
    offset += getDim(segment, -1);
  }
  split.erase();
  step->erase();
  return first;
}

void parablock::block::sinkSplits(Operation *root) {
  SmallVector<SplitOp> splits;
  walkOutsideKernels<SplitOp>(root, [&](SplitOp split) {
    if (comesFromProduct(split.getInput()))
      splits.push_back(split);
  });
  for (SplitOp split : splits)
    while (worksByColumn(split.getInput().getDefiningOp()))
      split = sink(split);
}
