//===- ElementCode.cpp - formulas of activations as IR --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ElementCode.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cmath>

using namespace mlir;
using namespace parablock;

Value ElementCode::sigmoid(Value a) const {
  Value one = f32(1);
  return div(one, add(one, exp(neg(a))));
}

Value ElementCode::tanhShare(Value a) const { return sigmoid(scale(a, 2)); }

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// Computes log(1 + a) of a number from 0 to 1, to f32's last digits however
/// small it is: twice the inverse hyperbolic tangent of a / (2 + a), by its
/// series.
template <typename Words, typename Number>
static Number formLog1p(const Words &code, Number a) {
  Number s = code.div(a, code.add(a, code.f32(2)));
  Number square = code.mul(s, s);
  Number series = code.fma(square, code.f32(2.0 / 15), code.f32(2.0 / 13));
  for (int odd = 11; odd > 0; odd -= 2)
    series = code.fma(square, series, code.f32(2.0 / odd));
  return code.mul(s, series);
}

/// The only formula of each activation, in terms of ElementCode. A number is
/// always the right operand; max and min have the element first, so that a NaN
/// is propagated.
template <typename Words, typename Number>
static Number formActivation(const Words &code, block::Activation kind,
                             Number x) {
  auto scale = [&](Number a, double factor) {
    return code.mul(a, code.f32(factor));
  };
  switch (kind) {
  case block::Activation::Identity:
    return x;
  case block::Activation::Relu:
    return code.max(x, code.f32(0));
  case block::Activation::ReluSquared: {
    Number positive = code.max(x, code.f32(0));
    return code.mul(positive, positive);
  }
  case block::Activation::LeakyRelu:
    return code.max(x, scale(x, 0.01));
  case block::Activation::GeluErf:
    return code.mul(x, code.normalShare(x));
  case block::Activation::GeluTanh: {
    constexpr double root = 0.79788456080286535588; // sqrt(2 / pi)
    Number inner =
        code.fma(code.mul(x, x), code.f32(0.044715 * root), code.f32(root));
    return code.mul(x, code.tanhShare(code.mul(x, inner)));
  }
  case block::Activation::QuickGelu:
    return code.mul(x, code.sigmoid(scale(x, 1.702)));
  case block::Activation::Silu:
    return code.mul(x, code.sigmoid(x));
  case block::Activation::Sigmoid:
    return code.sigmoid(x);
  case block::Activation::Tanh:
    return code.tanh(x);
  case block::Activation::HardSwish: {
    Number ramp = code.max(code.add(x, code.f32(3)), code.f32(0));
    return code.mul(x, scale(code.min(ramp, code.f32(6)), 1.0 / 6));
  }
  case block::Activation::Softplus:
    // Exponentials of non-positive values only, which cannot overflow.
    return code.add(code.max(x, code.f32(0)),
                    formLog1p(code, code.exp(code.min(x, code.neg(x)))));
  case block::Activation::Mish: {
    // tanh(log(1 + e^x)) with both sides multiplied by e^-2x where x > 0.
    Number small = code.exp(code.min(x, code.f32(0)));
    Number rest = code.exp(code.neg(code.max(x, code.f32(0))));
    Number above = code.mul(small, code.add(small, scale(rest, 2)));
    Number below = code.add(above, scale(code.mul(rest, rest), 2));
    return code.mul(x, code.div(above, below));
  }
  }
  llvm_unreachable("every activation has its case");
}

Value ElementCode::activate(block::Activation kind, Value x) const {
  return formActivation(*this, kind, x);
}

namespace {
/// The words for numbers that are known.
struct KnownNumbers {
  static double f32(double value) { return value; }
  static double add(double a, double b) { return a + b; }
  static double mul(double a, double b) { return a * b; }
  static double div(double a, double b) { return a / b; }
  static double fma(double a, double b, double c) { return a * b + c; }
  static double max(double a, double b) { return a < b ? b : a; }
  static double min(double a, double b) { return b < a ? b : a; }
  static double neg(double a) { return -a; }
  static double exp(double a) { return std::exp(a); }
  static double tanh(double a) { return std::tanh(a); }
  static double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }
  static double tanhShare(double a) { return sigmoid(2 * a); }
  static double normalShare(double a) {
    return 0.5 * std::erfc(-a / std::sqrt(2.0));
  }
};
} // namespace

double parablock::activate(block::Activation kind, double x) {
  return formActivation(KnownNumbers(), kind, x);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Value RowCode::ifElse(Value condition, llvm::function_ref<Value()> then,
                      llvm::function_ref<Value()> otherwise) const {
  // Regions are attached to their op while they are written, since bodies query
  // their position; the result type is known only afterwards.
  auto branch = scf::IfOp::create(builder, loc, builder.getF32Type(), condition,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  auto fill = [&](Block &body, llvm::function_ref<Value()> write) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body);
    Value value = write();
    scf::YieldOp::create(builder, loc, value);
    branch.getResult(0).setType(value.getType());
  };
  fill(*branch.thenBlock(), then);
  fill(*branch.elseBlock(), otherwise);
  return branch.getResult(0);
}

void RowCode::forEach(Value from, Value to,
                      llvm::function_ref<void(Value)> body) const {
  auto loop = scf::ForOp::create(builder, loc, from, to, index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

Value RowCode::fold(Value from, Value to, Value initial,
                    llvm::function_ref<Value(Value, Value)> body) const {
  auto loop = scf::ForOp::create(builder, loc, from, to, index(1), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(builder, loc,
                       body(loop.getInductionVar(), loop.getRegionIterArg(0)));
  return loop.getResult(0);
}
