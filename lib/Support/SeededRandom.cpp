//===- SeededRandom.cpp - draws normals and fills streams
//------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/SeededRandom.h"
#include <cmath>

using namespace parablock;

double SeededStream::normal(uint64_t index) const {
  constexpr double twoPi = 6.283185307179586;
  double radius = std::sqrt(-2.0 * std::log(uniform(2 * index)));
  return radius * std::cos(twoPi * uniform(2 * index + 1));
}

void SeededStream::fillUniform(uint64_t firstIndex,
                               llvm::MutableArrayRef<double> values) const {
  for (double &value : values)
    value = uniform(firstIndex++);
}

void SeededStream::fillNormal(uint64_t firstIndex,
                              llvm::MutableArrayRef<double> values) const {
  for (double &value : values)
    value = normal(firstIndex++);
}
