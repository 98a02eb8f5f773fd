//===- UndefinedReads.cpp - finds reads of tensor.empty -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/UndefinedReads.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace parablock;

/// Returns the operand whose elements a result of a linalg op that computes
/// nothing consists of, or null.
static Value findMoved(linalg::LinalgOp op, unsigned result) {
  auto element = dyn_cast<BlockArgument>(
      op.getBlock()->getTerminator()->getOperand(result));
  if (!element || element.getOwner() != op.getBlock())
    return {};
  return op.getMatchingOpOperand(element)->get();
}

/// Returns the op whose undefined elements `value` has, also moved, or null.
static tensor::EmptyOp findEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || llvm::is_contained(type.getShape(), 0))
    return {};
  SmallVector<Value> work = {value};
  // Parts of one value may be the same value.
  DenseSet<Value> seen;
  while (!work.empty()) {
    Value moved = work.pop_back_val();
    Operation *op = moved ? moved.getDefiningOp() : nullptr;
    if (!op || !seen.insert(moved).second)
      continue;
    if (auto empty = dyn_cast<tensor::EmptyOp>(op))
      return empty;
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      llvm::append_range(work, concat.getInputs());
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      work.push_back(
          findMoved(linalgOp, cast<OpResult>(moved).getResultNumber()));
    else if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      work.push_back(op->getOperand(0)); // of an inserted slice, its source
  }
  return {};
}

/// Returns whether the owner computes with elements of the operand; an op that
/// only moves them leaves the decision to its readers.
static bool isComputedWith(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return op->hasTrait<OpTrait::Elementwise>();
  return llvm::any_of(
      linalgOp.getMatchingBlockArgument(&operand).getUsers(),
      [](Operation *user) { return !user->hasTrait<OpTrait::IsTerminator>(); });
}

LogicalResult parablock::refuseUndefinedReads(Operation *root) {
  bool found = false;
  root->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      tensor::EmptyOp empty = findEmpty(operand.get());
      if (!empty || !isComputedWith(operand))
        continue;
      found = true;
      InFlightDiagnostic error =
          op->emitOpError("requires defined elements, got those of "
                          "'tensor.empty' as operand #")
          << operand.getOperandNumber() << "; use 'linalg.fill' to define them";
      error.attachNote(empty.getLoc()) << "the elements";
      return;
    }
  });
  return failure(found);
}
