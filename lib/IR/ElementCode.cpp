//===- ElementCode.cpp - functions that all elements have -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/IR/ElementCode.h"

using namespace mlir;
using namespace parablock;

Value ElementCode::sigmoid(Value a) const {
  Value one = f32(1);
  return div(one, add(one, exp(neg(a))));
}

/// log(1 + a) of a number from 0 to 1, to f32's last digits however small it
/// is: twice the area hyperbolic tangent of a / (2 + a), by its series.
static Value createLog1p(const ElementCode &code, Value a) {
  Value s = code.div(a, code.add(a, code.f32(2)));
  Value square = code.mul(s, s);
  Value series = code.f32(2.0 / 15);
  for (int odd = 13; odd > 0; odd -= 2)
    series = code.fma(square, series, code.f32(2.0 / odd));
  return code.mul(s, series);
}

// max and min are given the number first, so that a NaN passes through.
Value ElementCode::activate(block::Activation kind, Value x) const {
  switch (kind) {
  case block::Activation::Identity:
    return x;
  case block::Activation::Relu:
    return max(x, f32(0));
  case block::Activation::ReluSquared: {
    Value positive = max(x, f32(0));
    return mul(positive, positive);
  }
  case block::Activation::LeakyRelu:
    return max(x, mul(x, f32(0.01)));
  case block::Activation::GeluErf:
    return mul(x, normalShare(x));
  case block::Activation::GeluTanh: {
    // (1 + tanh u) / 2 is the sigmoid of 2u.
    constexpr double twiceRoot = 1.59576912160573071; // 2 sqrt(2 / pi)
    Value inner = fma(mul(x, x), f32(0.044715 * twiceRoot), f32(twiceRoot));
    return mul(x, sigmoid(mul(x, inner)));
  }
  case block::Activation::QuickGelu:
    return mul(x, sigmoid(mul(x, f32(1.702))));
  case block::Activation::Silu:
    return mul(x, sigmoid(x));
  case block::Activation::Sigmoid:
    return sigmoid(x);
  case block::Activation::Tanh:
    return tanh(x);
  case block::Activation::HardSwish: {
    Value ramp = min(max(add(x, f32(3)), f32(0)), f32(6));
    return mul(x, mul(ramp, f32(1.0 / 6)));
  }
  case block::Activation::Softplus:
    // Only of what is not positive, so that no exponential is too large.
    return add(max(x, f32(0)), createLog1p(*this, exp(min(x, neg(x)))));
  case block::Activation::Mish: {
    // tanh(log(1 + e^x)) with both sides multiplied by e^-2x where x > 0.
    Value small = exp(min(x, f32(0))), rest = exp(neg(max(x, f32(0))));
    Value above = mul(small, fma(rest, f32(2), small));
    Value square = mul(rest, rest);
    return mul(x, div(above, fma(square, f32(2), above)));
  }
  }
  llvm_unreachable("every activation has its case");
}
