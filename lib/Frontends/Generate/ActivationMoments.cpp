//===- ActivationMoments.cpp - tabulates rms of activations ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ActivationMoments.h"

#include "parablock/Dialect/Block/ElementCode.h"
#include <cmath>

namespace parablock::generate {

double getActivationRms(block::Activation activation, double deviation) {
  double sum = 0, weights = 0;
  for (double z = -6; z <= 6; z += 0.05) {
    double weight = std::exp(-0.5 * z * z);
    double value = activate(activation, deviation * z);
    sum += weight * value * value;
    weights += weight;
  }
  return std::sqrt(sum / weights);
}

} // namespace parablock::generate
