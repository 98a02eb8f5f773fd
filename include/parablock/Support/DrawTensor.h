//===- DrawTensor.h - tensors drawn from a seed -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only rule for values of generated weights and inputs, so that a weights
// file and a run with the same seed agree bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_DRAWTENSOR_H
#define PARABLOCK_SUPPORT_DRAWTENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace parablock {

enum class Distribution { Normal, Uniform, Constant };

/// A distribution to draw from. The standard deviation applies to the uniform
/// distribution, too; a constant is `mean`.
struct DrawRule {
  Distribution distribution = Distribution::Normal;
  double mean = 0, deviation = 1;
};

/// Returns the default rule of a weight: N(0, 1 / fan-in), where the fan-in is
/// the size of the last dimension.
DrawRule getDefaultWeightRule(llvm::ArrayRef<int64_t> shape);

/// Draws elements firstIndex, firstIndex + 1, ... of the tensor `name`, in
/// float64. They are functions of (seed, name, index) and the rule alone.
void drawTensor(const DrawRule &rule, uint64_t seed, llvm::StringRef name,
                uint64_t firstIndex, llvm::MutableArrayRef<double> values);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_DRAWTENSOR_H
