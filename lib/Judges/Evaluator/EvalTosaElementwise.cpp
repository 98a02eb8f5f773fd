//===- EvalTosaElementwise.cpp - evaluates elementwise TOSA ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Broadcast.h"
#include "ScalarTables.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

//===----------------------------------------------------------------------===//
// Ops that are one function of all their operands
//===----------------------------------------------------------------------===//

static double reciprocal(double a) { return 1 / a; }
static double identity(double a) { return a; }
static double isFalse(double a) { return a == 0; }
static double isTrue(double a) { return a != 0; }
static double truncateQuotient(double a, double b) { return std::trunc(a / b); }

static FailureOr<Arrays> mapOperands(Step &step, ScalarFunction function) {
  SmallVector<const Array *, 3> operands;
  for (unsigned i = 0; i < function.getArity(); ++i)
    operands.push_back(&step.operand(i));
  return mapElements(step, operands, function);
}

/// Checks operands of quantised forms, which must be zero here.
static LogicalResult checkZero(Step &step, unsigned first, StringRef what) {
  for (unsigned i = first; i < step.op->getNumOperands(); ++i)
    if (step.operand(i).data().front() != 0)
      return step.error() << "expected " << what << " of 0, got "
                          << step.operand(i).data().front();
  return success();
}

static FailureOr<Arrays> evalMul(tosa::MulOp, Step &step) {
  if (failed(checkZero(step, 2, "a shift")))
    return failure();
  return mapOperands(step, multiplyNumbers);
}

static FailureOr<Arrays> evalNegate(tosa::NegateOp, Step &step) {
  if (failed(checkZero(step, 1, "zero points")))
    return failure();
  return mapOperands(step, negate);
}

static double clamp(double a, double low, double high) {
  return minimum(maximum(a, low), high);
}

static FailureOr<Arrays> evalClamp(tosa::ClampOp op, Step &step) {
  std::optional<double> low = getNumber(op.getMinValAttr());
  std::optional<double> high = getNumber(op.getMaxValAttr());
  if (!low || !high)
    return step.error() << "expected numbers as bounds";
  auto bound = [](double value) {
    return Array{ElementType::F64,
                 {},
                 std::make_shared<const std::vector<double>>(1, value)};
  };
  Array lowest = bound(*low), highest = bound(*high);
  return mapElements(step, {&step.operand(0), &lowest, &highest}, clamp);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Rounds; infinity to the last whole number that is exact.
static double roundToEven(double a) {
  return std::isinf(a) ? std::copysign(0x1p53, a) : std::nearbyint(a);
}

static FailureOr<Arrays> evalTosaCast(tosa::CastOp /*op*/, Step &step) {
  ElementType from = step.operand(0).type, to = step.getResultType();
  if (to == ElementType::Bool)
    return mapOperands(step, isTrue);
  if (isFloatType(from) && !isFloatType(to))
    return mapOperands(step, roundToEven);
  return mapOperands(step, identity);
}

void evaluator::addTosaElementwiseEvaluators(Table &table) {
  auto add = [&](StringRef name, ScalarFunction function) {
    table.add(("tosa." + name).str(),
              [function](Step &step) { return mapOperands(step, function); });
  };
  // TOSA orders no truth values; lowered to signed numbers, true would be -1.
  auto addOrder = [&](StringRef name, ScalarFunction function) {
    table.add(("tosa." + name).str(),
              [function](Step &step) -> FailureOr<Arrays> {
                if (step.operand(0).type == ElementType::Bool)
                  return step.error() << "expected numbers, got i1";
                return mapOperands(step, function);
              });
  };
  using Unary = ScalarFunction::Unary;
  using Binary = ScalarFunction::Binary;
  add("abs", Unary(std::fabs));
  add("add", addNumbers);
  add("bitwise_and", conjunction);
  add("bitwise_or", disjunction);
  add("bitwise_xor", exclusion);
  add("ceil", Unary(std::ceil));
  add("cos", Unary(std::cos));
  add("equal", isEqual);
  add("erf", Unary(std::erf));
  add("exp", Unary(std::exp));
  add("floor", Unary(std::floor));
  addOrder("greater", isGreater);
  addOrder("greater_equal", isGreaterOrEqual);
  add("identity", identity);
  add("intdiv", truncateQuotient);
  add("log", Unary(std::log));
  add("logical_and", conjunction);
  add("logical_not", isFalse);
  add("logical_or", disjunction);
  add("logical_xor", exclusion);
  addOrder("maximum", maximum);
  addOrder("minimum", minimum);
  add("pow", Binary(std::pow));
  add("reciprocal", reciprocal);
  add("rsqrt", reciprocalRoot);
  add("select", choose);
  add("sigmoid", sigmoid);
  add("sin", Unary(std::sin));
  add("sub", subtractNumbers);
  add("tanh", Unary(std::tanh));
  table.add<tosa::CastOp>(evalTosaCast);
  table.add<tosa::ClampOp>(evalClamp);
  table.add<tosa::MulOp>(evalMul);
  table.add<tosa::NegateOp>(evalNegate);
}
