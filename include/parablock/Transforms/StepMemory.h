//===- StepMemory.h - what a step needs of memory ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every tensor that an op makes lies in one arena from the op that makes it to
// the last that reads it, gradients and other results to the end, in the order
// of the program; buffers are placed by planArena. Arguments are not counted,
// and neither is what is made of parameters and constants alone. What happens
// inside a kernel needs none. A change of shape is no copy.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_STEPMEMORY_H
#define PARABLOCK_TRANSFORMS_STEPMEMORY_H

#include "parablock/Analysis/ModelCounts.h"

namespace parablock::block {

struct StepMemory {
  /// The size of the arena.
  uint64_t peakBytes = 0;
  /// The part that backward reads of forward.
  uint64_t savedBytes = 0;
  /// Work of forward that block-checkpoint has backward do again.
  double recomputeFlops = 0;
};

/// The bytes of a tensor, of which open sizes are `sizes`.
uint64_t countBytes(mlir::Value value, const CountedSizes &sizes);

/// Simulates `step`, of which `isStep` is true.
StepMemory measureStep(mlir::FunctionOpInterface step,
                       const CountedSizes &sizes);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_STEPMEMORY_H
