//===- WeightOps.cpp - elementwise formulas of weight ops -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include <cmath>
#include <limits>

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

AffineMap MatrixDotsOp::getOperandMap(unsigned) {
  return getRows() ? along(*this, 2, {0, 1}) : along(*this, 2, {1, 0});
}

bool MatrixDotsOp::hasSum() { return true; }

Value MatrixDotsOp::buildSummand(WeightMath &math) {
  return math.multiply(math.element(0), math.element(1));
}

Value MatrixDotsOp::buildElement(WeightMath &, Value sum) { return sum; }

AffineMap OuterUpdateOp::getOperandMap(unsigned operand) {
  unsigned left = getMatrix() ? 1 : 0;
  if (operand < left)
    return along(*this, 2, {0, 1});
  return along(*this, 2, operand == left ? 0 : 1);
}

Value OuterUpdateOp::buildElement(WeightMath &math, Value) {
  unsigned left = getMatrix() ? 1 : 0;
  Value product =
      math.multiply(math.element(left), getFactor().convertToDouble());
  if (getRight())
    product = math.multiply(product, math.element(left + 1));
  return getMatrix() ? math.add(math.element(0), product) : product;
}

AffineMap ReparamOp::getOperandMap(unsigned) { return along(*this, 2, {0, 1}); }

bool ReparamOp::readsPositions() { return !getInitial(); }

Value ReparamOp::buildElement(WeightMath &math, Value) {
  Value start = getInitial() ? math.element(1) : math.identity();
  return math.add(
      math.multiply(start, getSkip().convertToDouble()),
      math.multiply(math.element(0), getResidual().convertToDouble()));
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

int64_t UnpackWeightOp::getGroupSize() {
  return getGroup() ? static_cast<int64_t>(getGroup())
                    : getType().getDimSize(1);
}

AffineMap UnpackWeightOp::getOperandMap(unsigned operand) {
  if (areLaneCodes(*this))
    return operand == 0 ? getLaneCodeMap(getForm(), getContext())
                        : getLaneScaleMap(static_cast<int64_t>(getGroup()),
                                          getContext());
  AffineExpr row = getAffineDimExpr(0, getContext());
  AffineExpr column = getAffineDimExpr(1, getContext());
  if (operand > 0)
    column = getGroup() ? column.floorDiv(getGroup())
                        : getAffineConstantExpr(0, getContext());
  else if (isPacked())
    column = column.floorDiv(2);
  return AffineMap::get(2, 0, {row, column}, getContext());
}

/// A float of few bits: sign, exponent, mantissa, with subnormal numbers.
static double decodeFloat(unsigned code, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  unsigned mantissa = code & ((1u << mantissaBits) - 1);
  int exponent = code >> mantissaBits & ((1u << exponentBits) - 1);
  if (exponent > 0)
    mantissa |= 1u << mantissaBits;
  double magnitude =
      std::ldexp(mantissa, std::max(exponent, 1) - bias - mantissaBits);
  return code >> (exponentBits + mantissaBits) ? -magnitude : magnitude;
}

/// Returns the numbers of all codes of `form`; empty if codes are numbers.
static SmallVector<double> getNumbers(CodeForm form) {
  SmallVector<double> numbers;
  switch (form) {
  case CodeForm::Int8:
    break;
  case CodeForm::Int4:
    for (unsigned code = 0; code < 16; ++code)
      numbers.push_back(code);
    break;
  case CodeForm::MxFp4:
    for (unsigned code = 0; code < 16; ++code)
      numbers.push_back(decodeFloat(code, 2, 1));
    break;
  case CodeForm::Fp8:
    for (unsigned code = 0; code < 256; ++code)
      numbers.push_back((code & 127) == 127
                            ? std::numeric_limits<double>::quiet_NaN()
                            : decodeFloat(code, 4, 3));
    break;
  }
  return numbers;
}

Value UnpackWeightOp::buildElement(WeightMath &math, Value) {
  SmallVector<double> numbers = getNumbers(getForm());
  Value number = numbers.empty() ? math.element(0) : math.decode(0, numbers);
  if (getZeros())
    number = math.add(number, math.multiply(math.element(2), -1));
  else if (getForm() == CodeForm::Int4)
    number = math.add(number, -8);
  if (!getElementTypeOrSelf(getScales().getType()).isInteger())
    return math.multiply(number, math.element(1));
  SmallVector<double> powers;
  for (int code = 0; code < 255; ++code)
    powers.push_back(std::ldexp(1.0, code - 127));
  powers.push_back(std::numeric_limits<double>::quiet_NaN());
  return math.multiply(number, math.decode(1, powers));
}
