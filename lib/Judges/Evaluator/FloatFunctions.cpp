//===- FloatFunctions.cpp - scalar functions of floats --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ScalarTables.h"
#include <cmath>
#include <limits>

using namespace parablock;
using namespace parablock::evaluator;

double evaluator::addNumbers(double a, double b) { return a + b; }
double evaluator::subtractNumbers(double a, double b) { return a - b; }
double evaluator::multiplyNumbers(double a, double b) { return a * b; }
double evaluator::negate(double a) { return -a; }
double evaluator::reciprocalRoot(double a) { return 1 / std::sqrt(a); }
double evaluator::sigmoid(double a) { return 1 / (1 + std::exp(-a)); }

/// A NaN on either side is the result, and -0 is below 0.
double evaluator::maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a > b || (a == b && std::signbit(b)) ? a : b;
}
double evaluator::minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
double evaluator::choose(double condition, double a, double b) {
  return condition != 0 ? a : b;
}

static double divide(double a, double b) { return a / b; }
static double multiplyAdd(double a, double b, double c) { return a * b + c; }

void evaluator::addFloatFunctions(ScalarTable &table) {
  using Unary = ScalarFunction::Unary;
  using Binary = ScalarFunction::Binary;
  table["arith.addf"] = addNumbers;
  table["arith.subf"] = subtractNumbers;
  table["arith.mulf"] = multiplyNumbers;
  table["arith.divf"] = divide;
  table["arith.remf"] = Binary(std::fmod);
  table["arith.negf"] = negate;
  table["arith.maximumf"] = maximum;
  table["arith.minimumf"] = minimum;
  // A NaN on one side gives way to the other.
  table["arith.maxnumf"] = Binary(std::fmax);
  table["arith.minnumf"] = Binary(std::fmin);
  table["arith.select"] = choose;

  table["math.absf"] = Unary(std::fabs);
  table["math.atan"] = Unary(std::atan);
  table["math.atan2"] = Binary(std::atan2);
  table["math.cbrt"] = Unary(std::cbrt);
  table["math.ceil"] = Unary(std::ceil);
  table["math.copysign"] = Binary(std::copysign);
  table["math.cos"] = Unary(std::cos);
  table["math.cosh"] = Unary(std::cosh);
  table["math.erf"] = Unary(std::erf);
  table["math.erfc"] = Unary(std::erfc);
  table["math.exp"] = Unary(std::exp);
  table["math.exp2"] = Unary(std::exp2);
  table["math.expm1"] = Unary(std::expm1);
  table["math.floor"] = Unary(std::floor);
  table["math.fma"] = multiplyAdd;
  table["math.fpowi"] = Binary(std::pow);
  table["math.log"] = Unary(std::log);
  table["math.log10"] = Unary(std::log10);
  table["math.log1p"] = Unary(std::log1p);
  table["math.log2"] = Unary(std::log2);
  table["math.powf"] = Binary(std::pow);
  table["math.round"] = Unary(std::round);
  table["math.roundeven"] = Unary(std::nearbyint);
  table["math.rsqrt"] = reciprocalRoot;
  table["math.sin"] = Unary(std::sin);
  table["math.sinh"] = Unary(std::sinh);
  table["math.sqrt"] = Unary(std::sqrt);
  table["math.tan"] = Unary(std::tan);
  table["math.tanh"] = Unary(std::tanh);
  table["math.trunc"] = Unary(std::trunc);
}
