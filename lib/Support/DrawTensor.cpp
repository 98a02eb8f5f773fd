//===- DrawTensor.cpp - fills tensors by distribution ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/DrawTensor.h"
#include "parablock/Support/SeededRandom.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace parablock {

DrawRule getDefaultWeightRule(llvm::ArrayRef<int64_t> shape) {
  double fanIn = shape.empty() || shape.back() < 1 ? 1 : double(shape.back());
  return {Distribution::Normal, 0, 1 / std::sqrt(fanIn)};
}

void drawTensor(const DrawRule &rule, uint64_t seed, llvm::StringRef name,
                uint64_t firstIndex, llvm::MutableArrayRef<double> values) {
  SeededStream stream(seed, name);
  switch (rule.distribution) {
  case Distribution::Constant:
    llvm::fill(values, rule.mean);
    return;
  case Distribution::Normal:
    stream.fillNormal(firstIndex, values);
    for (double &value : values)
      value = rule.mean + rule.deviation * value;
    return;
  case Distribution::Uniform:
    stream.fillUniform(firstIndex, values);
    for (double &value : values)
      value = rule.mean + rule.deviation * std::sqrt(12.0) * (value - 0.5);
    return;
  }
}

} // namespace parablock
