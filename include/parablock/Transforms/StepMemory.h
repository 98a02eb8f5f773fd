//===- StepMemory.h - memory of a step --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors are placed in one arena. Each is live from its defining op to its
// last reader, gradients and other results to the end, in the order of the
// program; planArena places the buffers. Arguments are not counted, nor are
// values that depend on parameters and constants alone. Values inside a kernel
// need no memory. A change of shape is not a copy.
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

/// Forward work that block-checkpoint makes backward repeat.
struct RecomputedWork {
  double flops = 0;
  /// None if it was decided for a chip without peaks.
  std::optional<double> microseconds;
};

/// A forward value that backward reads.
struct SavedValue {
  /// Short, and the same in equal layers: see nameSteps.
  std::string name;
  /// The layer that computes it, or null.
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
  /// Bytes of forward values that backward reads.
  uint64_t savedBytes = 0;
  RecomputedWork recomputed;
  std::vector<SavedValue> saved;
  /// Layers of forward, in order.
  std::vector<LayerMemory> layers;
};

/// Names the values of a layer's ops: a product by its weight, without the
/// layer's label, others by their kind; the second value of a name has `.2`.
llvm::DenseMap<mlir::Operation *, std::string> nameSteps(LayerOp layer);

/// Returns the bytes of a tensor, with `sizes` for dynamic sizes.
uint64_t countBytes(mlir::Value value, const CountedSizes &sizes);

/// Returns the size of the arena of `step`, for which `isStepFunction` returns
/// true.
uint64_t simulatePeak(mlir::FunctionOpInterface step,
                      const CountedSizes &sizes);

/// Like the overload above, with a breakdown.
StepMemory measureStep(mlir::FunctionOpInterface step,
                       const CountedSizes &sizes);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_STEPMEMORY_H
