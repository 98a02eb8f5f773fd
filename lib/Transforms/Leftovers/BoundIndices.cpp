//===- BoundIndices.cpp - clamps indices, drops assertions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BoundIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Transforms/Leftovers/NormaliseLeftovers.h"

using namespace mlir;
using namespace parablock;

void parablock::boundIndices(tensor::ExtractOp op) {
  OpBuilder builder(op);
  for (auto [dim, operand] : llvm::enumerate(op.getIndicesMutable())) {
    Value index = operand.get();
    if (isa_and_nonnull<linalg::IndexOp, arith::ConstantOp>(
            index.getDefiningOp()))
      continue;
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value size = tensor::DimOp::create(builder, loc, op.getTensor(), dim);
    Value last = arith::SubIOp::create(builder, loc, size, one);
    index = arith::MinSIOp::create(builder, loc, index, last);
    operand.set(arith::MaxSIOp::create(builder, loc, index, zero));
  }
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// The number that `value` is, but for its type.
static Value stripCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::IndexCastOp, arith::ExtSIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Returns whether `value` is the size of dimension `dim` of `tensor`.
static bool isSize(Value value, Value tensor, int64_t dim) {
  APInt number;
  int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  if (matchPattern(value, m_ConstantInt(&number)))
    return !ShapedType::isDynamic(size) && number.getSExtValue() == size;
  auto asked = stripCasts(value).getDefiningOp<tensor::DimOp>();
  return asked && asked.getSource() == tensor &&
         asked.getConstantIndex() == dim;
}

/// Returns whether `compare` checks that its left side is an index of dimension
/// `dim` of `tensor`, as far as one comparison can.
static bool isBound(arith::CmpIOp compare, Value tensor, int64_t dim) {
  APInt number;
  bool isKnown = matchPattern(compare.getRhs(), m_ConstantInt(&number));
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sge:
    return isKnown && number.isZero();
  case arith::CmpIPredicate::sgt:
    return isKnown && number.isAllOnes();
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return isSize(compare.getRhs(), tensor, dim);
  default:
    return false;
  }
}

/// Returns whether `assertion` checks an index of an element that is read.
static bool isIdle(cf::AssertOp assertion) {
  auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return false;
  Value subject = stripCasts(compare.getLhs());
  for (auto read : assertion->getBlock()->getOps<tensor::ExtractOp>())
    for (auto [dim, index] : llvm::enumerate(read.getIndices()))
      if (stripCasts(index) == subject &&
          isBound(compare, read.getTensor(), dim))
        return true;
  return false;
}

LogicalResult parablock::checkAssertions(Operation *op) {
  WalkResult search = op->walk([](cf::AssertOp assertion) {
    if (isIdle(assertion))
      return WalkResult::advance();
    assertion.emitError("no code for an assertion, other than that an index is "
                        "one of the tensor that it reads");
    return WalkResult::interrupt();
  });
  return failure(search.wasInterrupted());
}

LogicalResult parablock::dropAssertions(Operation *root) {
  if (failed(checkAssertions(root)))
    return failure();
  root->walk([](cf::AssertOp assertion) {
    remarkPassed(assertion, "block-form-leftovers",
                 "assertion dropped: an index beyond the tensor reads its "
                 "first or last element");
    assertion.erase();
  });
  return success();
}
