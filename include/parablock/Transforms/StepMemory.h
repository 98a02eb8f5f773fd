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
#include "parablock/Dialect/Block/BlockOps.h"
#include <optional>
#include <string>
#include <vector>

namespace parablock::block {

/// Work of forward that block-checkpoint has backward do again.
struct RecomputedWork {
  double flops = 0;
  /// None where it was decided for a chip without peaks.
  std::optional<double> microseconds;
};

/// A value that backward reads of forward.
struct SavedValue {
  /// Short, and the same in each of equal layers: see nameSteps.
  std::string name;
  /// The layer that makes it, or null.
  LayerOp layer;
  mlir::Value value;
  uint64_t bytes = 0;
};

struct LayerMemory {
  LayerOp layer;
  uint64_t savedBytes = 0;
  RecomputedWork recomputed;
};

struct StepMemory {
  /// The size of the arena.
  uint64_t peakBytes = 0;
  /// The part that backward reads of forward.
  uint64_t savedBytes = 0;
  RecomputedWork recomputed;
  std::vector<SavedValue> saved;
  /// Layers of forward, in order.
  std::vector<LayerMemory> layers;
};

/// Names what the ops of a layer make: a product by its weight, without the
/// layer's label, others by their kind; the second of a name has `.2`.
llvm::DenseMap<mlir::Operation *, std::string> nameSteps(LayerOp layer);

/// The bytes of a tensor, of which open sizes are `sizes`.
uint64_t countBytes(mlir::Value value, const CountedSizes &sizes);

/// The size of the arena of `step`, of which `isStepFunction` is true.
uint64_t simulatePeak(mlir::FunctionOpInterface step,
                      const CountedSizes &sizes);

/// The same, and what it is made of.
StepMemory measureStep(mlir::FunctionOpInterface step,
                       const CountedSizes &sizes);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_STEPMEMORY_H
