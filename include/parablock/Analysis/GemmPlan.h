//===- GemmPlan.h - segments and groups of a product ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The columns of a product are divided into segments, and segments into groups
// whose values are combined in the epilogue (such as a gate and the values that
// it scales). An output tile belongs to one group and covers the same columns
// of all its segments, so all combined values are in one tile, whatever the
// memory layout of the weights. Tiles start at heads and partial statistics,
// which never cross a tile boundary.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_GEMMPLAN_H
#define PARABLOCK_ANALYSIS_GEMMPLAN_H

#include "parablock/Dialect/Block/ComputedRows.h"

namespace parablock {

/// One term of the sum: input[m, k] * weight[n, k].
struct GemmSource {
  /// A weight stored as codes is not an argument of the kernel: null, or its
  /// codes if these are in the order of lanes.
  mlir::BlockArgument input, weight;
  int64_t depth;
  /// The op that unpacks the weight's codes; null if it is stored as numbers.
  block::UnpackWeightOp unpack;
  /// The op of the kernel that decodes the rows of codes `input`, whose weight
  /// is codes in the order of columns; null if rows are numbers.
  block::DecodeGroupsOp encoded;
};

/// Consecutive columns of the product that the epilogue reads as one value.
struct GemmSegment {
  mlir::Value value;
  int64_t offset, width;
};

struct GemmGroup {
  llvm::SmallVector<unsigned, 2> segments;
  /// Numbers of the kernel's results.
  llvm::SmallVector<unsigned> outputs;
  int64_t width = 0;
  /// Columns that must be in one tile: a head, a partial statistic.
  int64_t granule = 1;
};

struct GemmPlan {
  mlir::Operation *root;
  mlir::Type elementType;
  llvm::SmallVector<GemmSource, 2> sources;
  /// Set if the kernel computes the rows of its only source, whose input is
  /// then what these are made of.
  std::optional<block::ComputedRows> computed;
  mlir::Value bias;
  /// The mean that all readers of the product subtract, a value of the
  /// kernel; an f32 product subtracts it from each row instead. Null if there
  /// is none.
  mlir::Value mean;
  llvm::SmallVector<GemmSegment> segments;
  llvm::SmallVector<GemmGroup> groups;

  /// Returns the rows that are multiplied, of the first source.
  mlir::Value getRows() const {
    return computed
               ? mlir::Value(block::NormalizeOp(computed->norm).getResult())
               : mlir::Value(sources.front().input);
  }
  /// Returns the largest number of segments in a group.
  unsigned getNumPieces() const;
  /// Returns whether any weight is stored as codes that products unpack.
  bool hasCodes() const;
  /// Returns whether scales of codes apply to groups of columns.
  bool hasGroups() const;
  /// Returns whether rows and weight are multiplied as codes of 8 bits.
  bool isEncoded() const { return sources.front().encoded != nullptr; }
};

/// The codes that kernels read: in the order of columns, or in that of lanes.
enum class CodeOrder { Columns, Lanes };

/// Fails with an error at an op that fits in no tile, or at one whose weight is
/// stored as codes in another order.
mlir::FailureOr<GemmPlan> planGemm(block::KernelOp kernel, CodeOrder order);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_GEMMPLAN_H
