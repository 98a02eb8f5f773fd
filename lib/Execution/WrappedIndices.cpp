//===- WrappedIndices.cpp - matches selects of negative indices -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file matches `i < 0 ? i + size : i` of tensors in TOSA and of scalars in
// arith.
//
//===----------------------------------------------------------------------===//

#include "WrappedIndices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock;

/// Returns the scalar that `value` is before integer casts that keep it.
static Value stripCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtSIOp, arith::IndexCastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static bool isZero(Value value) {
  APInt number;
  DenseIntElementsAttr list;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isZero();
  return matchPattern(value, m_Constant(&list)) && list.isSplat() &&
         list.getSplatValue<APInt>().isZero();
}

/// Returns whether `condition` holds for the numbers below 0.
static bool isBelowZero(Value condition, Value numbers) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<tosa::GreaterOp>(op))
    return isZero(op->getOperand(0)) && op->getOperand(1) == numbers;
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare)
    return false;
  Value left = compare.getLhs(), right = compare.getRhs();
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (predicate == arith::CmpIPredicate::sgt) {
    std::swap(left, right);
    predicate = arith::CmpIPredicate::slt;
  }
  return predicate == arith::CmpIPredicate::slt && isZero(right) &&
         stripCasts(left) == stripCasts(numbers);
}

/// Returns the other operand where `sum` is a sum of `numbers`.
static Value getAddend(Value sum, Value numbers) {
  Operation *op = sum.getDefiningOp();
  if (!isa_and_nonnull<tosa::AddOp, arith::AddIOp>(op))
    return {};
  Value left = op->getOperand(0), right = op->getOperand(1);
  if (stripCasts(left) == stripCasts(numbers))
    return right;
  return stripCasts(right) == stripCasts(numbers) ? left : Value();
}

Value runner::findWrapping(Operation *op, Value numbers) {
  if (!isa<tosa::SelectOp, arith::SelectOp>(op) || op->getOperand(2) != numbers)
    return {};
  if (!isBelowZero(op->getOperand(0), numbers))
    return {};
  return getAddend(op->getOperand(1), numbers);
}
