//===- WeightOps.cpp - formulas of what rewrites do to weights ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/AffineMap.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock::block;

/// Returns the map of an operand whose dimensions are these of `count` loops.
static AffineMap along(Operation *op, unsigned count,
                       ArrayRef<unsigned> loops) {
  return AffineMap::getMultiDimMapWithTargets(count, loops, op->getContext());
}

//===----------------------------------------------------------------------===//
// Gains
//===----------------------------------------------------------------------===//

AffineMap FoldGainOp::getOperandMap(unsigned operand) {
  return operand == 0 ? along(*this, 2, {0, 1}) : along(*this, 2, 1);
}

Value FoldGainOp::buildElement(WeightMath &math, Value) {
  Value gain = math.element(1);
  if (getForm().getGammaForm() == GammaForm::OnePlus)
    gain = math.add(gain, 1);
  return math.multiply(math.element(0), gain);
}

AffineMap FoldScaleOp::getOperandMap(unsigned operand) {
  unsigned rank = cast<RankedTensorType>(getType()).getRank();
  if (operand == 0)
    return AffineMap::getMultiDimIdentityMap(rank, getContext());
  // A gain of one element counts for every row.
  if (cast<RankedTensorType>(getGain().getType()).getDimSize(0) == 1)
    return AffineMap::get(rank, 0, getAffineConstantExpr(0, getContext()));
  return along(*this, rank, 0);
}

Value FoldScaleOp::buildElement(WeightMath &math, Value) {
  double factor = getFactor().convertToDouble();
  if (!getGain())
    return math.multiply(math.element(0), factor);
  return math.multiply(math.element(0), math.multiply(math.element(1), factor));
}

//===----------------------------------------------------------------------===//
// Biases
//===----------------------------------------------------------------------===//

AffineMap FoldBiasOp::getOperandMap(unsigned operand) {
  if (operand == 0)
    return along(*this, 2, {0, 1});
  return along(*this, 2, operand == 1 && getBeta() ? 1 : 0);
}

bool FoldBiasOp::hasSum() { return static_cast<bool>(getBeta()); }

Value FoldBiasOp::buildSummand(WeightMath &math) {
  return math.multiply(math.element(0), math.element(1));
}

Value FoldBiasOp::buildElement(WeightMath &math, Value sum) {
  if (!getBias())
    return sum ? sum : math.number(0);
  Value bias = math.element(sum ? 2 : 1);
  return sum ? math.add(sum, bias) : bias;
}

AffineMap BiasSumOp::getOperandMap(unsigned) { return along(*this, 1, 0); }

Value BiasSumOp::buildElement(WeightMath &math, Value) {
  Value sum = math.element(0);
  for (unsigned i = 1; i < getBiases().size(); ++i)
    sum = math.add(sum, math.element(i));
  return sum;
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

AffineMap WeightSumsOp::getOperandMap(unsigned) {
  return along(*this, 2, {0, 1});
}

bool WeightSumsOp::hasSum() { return true; }

Value WeightSumsOp::buildSummand(WeightMath &math) { return math.element(0); }

Value WeightSumsOp::buildElement(WeightMath &, Value sum) { return sum; }

AffineMap ReparamOp::getOperandMap(unsigned) { return along(*this, 2, {0, 1}); }

bool ReparamOp::readsPositions() { return !getInitial(); }

Value ReparamOp::buildElement(WeightMath &math, Value) {
  Value start = getInitial() ? math.element(1) : math.identity();
  return math.add(
      math.multiply(start, getSkip().convertToDouble()),
      math.multiply(math.element(0), getResidual().convertToDouble()));
}
