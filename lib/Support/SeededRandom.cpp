//===- SeededRandom.cpp - hashes and fills streams ------------------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/SeededRandom.h"
#include <cmath>

using namespace parablock;

uint64_t parablock::fnv1a64(llvm::StringRef text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (unsigned char byte : text.bytes())
    hash = (hash ^ byte) * 0x100000001B3;
  return hash;
}

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
