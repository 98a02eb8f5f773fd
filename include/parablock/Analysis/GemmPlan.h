//===- GemmPlan.h - what a projection kernel has to do ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The columns of a product fall into segments, and segments into groups: those
// whose values meet in the epilogue (a gate and what it gates). Every output
// tile belongs to one group, and covers the same columns of all its segments,
// so that whatever meets is in one tile, however the weights lie in memory.
// Tiles begin where heads and partial statistics begin: none straddles a tile.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_GEMMPLAN_H
#define PARABLOCK_ANALYSIS_GEMMPLAN_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

/// One term of the sum: input[m, k] * weight[n, k].
struct GemmSource {
  /// A weight of codes is none of the kernel's own arguments.
  mlir::BlockArgument input, weight;
  int64_t depth;
  /// The op that makes the weight of codes; null where numbers are stored.
  block::UnpackWeightOp unpack;
};

/// Consecutive columns of the product that the epilogue knows as one value.
struct GemmSegment {
  mlir::Value value;
  int64_t offset, width;
};

struct GemmGroup {
  llvm::SmallVector<unsigned, 2> segments;
  /// Numbers of the kernel's results.
  llvm::SmallVector<unsigned> outputs;
  int64_t width = 0;
  /// Columns that have to be in one tile: a head, a partial statistic.
  int64_t granule = 1;
};

struct GemmPlan {
  mlir::Operation *root;
  mlir::Type elementType;
  llvm::SmallVector<GemmSource, 2> sources;
  mlir::Value bias;
  /// The mean that all readers of the product take from it, a value of the
  /// kernel: one that multiplies in f32 takes it from each row instead. Null
  /// where there is none.
  mlir::Value mean;
  llvm::SmallVector<GemmSegment> segments;
  llvm::SmallVector<GemmGroup> groups;

  /// The most segments that a group has.
  unsigned getNumPieces() const;
  /// Tells whether any weight is of codes.
  bool hasCodes() const;
};

/// Fails with an error at the op that no tile can hold, or whose weight is of
/// codes where `readsCodes` does not say that there is code for those.
mlir::FailureOr<GemmPlan> planGemm(block::KernelOp kernel,
                                   bool readsCodes = false);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_GEMMPLAN_H
