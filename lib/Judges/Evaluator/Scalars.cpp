//===- Scalars.cpp - finds functions and wraps results --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Scalars.h"

#include "ScalarTables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "parablock/Support/ExactIntegers.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

void ScalarFunction::apply(double *result,
                           llvm::ArrayRef<const double *> arguments,
                           int64_t count) const {
  const double *a = arguments[0];
  if (arity == 1) {
    for (int64_t i = 0; i < count; ++i)
      result[i] = unary(a[i]);
    return;
  }
  const double *b = arguments[1];
  // The most frequent ones are loops that a compiler makes vectors of.
  if (arity == 2 && binary == multiplyNumbers) {
    for (int64_t i = 0; i < count; ++i)
      result[i] = a[i] * b[i];
    return;
  }
  if (arity == 2 && binary == addNumbers) {
    for (int64_t i = 0; i < count; ++i)
      result[i] = a[i] + b[i];
    return;
  }
  if (arity == 2) {
    for (int64_t i = 0; i < count; ++i)
      result[i] = binary(a[i], b[i]);
    return;
  }
  const double *c = arguments[2];
  for (int64_t i = 0; i < count; ++i)
    result[i] = ternary(a[i], b[i], c[i]);
}

ScalarFunction evaluator::getScalarFunction(Operation *op) {
  static const ScalarTable table = [] {
    ScalarTable all;
    addFloatFunctions(all);
    addIntegerFunctions(all);
    addCastFunctions(all);
    return all;
  }();
  if (ScalarFunction truth = getTruthCast(op))
    return truth;
  // Results are always rounded to nearest, ties to even.
  auto mode = op->getAttrOfType<arith::RoundingModeAttr>("roundingmode");
  if (mode && mode.getValue() != arith::RoundingMode::to_nearest_even)
    return {};
  auto found = table.find(op->getName().getStringRef());
  if (found != table.end())
    return found->second;
  return getComparison(op);
}

/// The low `bits` bits as a signed number.
static double keepBits(double value, unsigned bits) {
  int64_t whole = static_cast<int64_t>(value);
  uint64_t kept = static_cast<uint64_t>(whole) << (64 - bits);
  return static_cast<double>(static_cast<int64_t>(kept) >> (64 - bits));
}

bool evaluator::wrap(ElementType type, llvm::MutableArrayRef<double> values) {
  constexpr double largestWhole = 9007199254740992.0;
  if (isFloatType(type))
    return true;
  for (double &value : values) {
    if (!(std::abs(value) <= largestWhole))
      return false;
    switch (type) {
    case ElementType::Bool:
      value = std::fmod(std::abs(value), 2.0);
      break;
    case ElementType::I8:
    case ElementType::U8:
      value = keepBits(value, 8);
      break;
    case ElementType::I16:
      value = keepBits(value, 16);
      break;
    case ElementType::I32:
      value = keepBits(value, 32);
      break;
    default:
      break;
    }
    if (type == ElementType::U8 && value < 0)
      value += 256;
  }
  return true;
}

std::optional<double> evaluator::getNumber(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    llvm::APFloat wide = number.getValue();
    bool losesInfo;
    wide.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return wide.convertToDouble();
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    bool isUnsigned =
        number.getType().isUnsignedInteger() || number.getType().isInteger(1);
    std::optional<int64_t> whole = number.getValue().trySExtValue();
    if (isUnsigned)
      whole = static_cast<int64_t>(number.getValue().getLimitedValue());
    if (!whole || !isExactAsDouble(*whole))
      return std::nullopt;
    return static_cast<double>(*whole);
  }
  return std::nullopt;
}
