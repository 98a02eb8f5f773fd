//===- ActivationMoments.cpp - size of an activation's results ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ActivationMoments.h"

#include <cmath>

namespace parablock::generate {

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// Both gelus differ by far less than matters here.
static double evaluate(block::Activation activation, double x) {
  using block::Activation;
  switch (activation) {
  case Activation::Identity:
    return x;
  case Activation::Relu:
    return std::fmax(x, 0);
  case Activation::ReluSquared:
    return std::fmax(x, 0) * std::fmax(x, 0);
  case Activation::GeluErf:
  case Activation::GeluTanh:
    return x * 0.5 * std::erfc(-x / std::sqrt(2.0));
  case Activation::QuickGelu:
    return x * sigmoid(1.702 * x);
  case Activation::Silu:
    return x * sigmoid(x);
  case Activation::Sigmoid:
    return sigmoid(x);
  case Activation::Tanh:
    return std::tanh(x);
  case Activation::LeakyRelu:
    return std::fmax(x, 0.01 * x);
  }
  return x;
}

double getActivationRms(block::Activation activation, double deviation) {
  double sum = 0, weights = 0;
  for (double z = -6; z <= 6; z += 0.05) {
    double weight = std::exp(-0.5 * z * z);
    double value = evaluate(activation, deviation * z);
    sum += weight * value * value;
    weights += weight;
  }
  return std::sqrt(sum / weights);
}

} // namespace parablock::generate
