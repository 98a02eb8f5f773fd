//===- ParameterCounts.h - how many parameters, and what for ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_PARAMETERCOUNTS_H
#define PARABLOCK_ANALYSIS_PARAMETERCOUNTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/Dataflow.h"
#include "llvm/ADT/MapVector.h"

namespace parablock {

/// Elements of parameters. Sums saturate instead of overflowing.
struct ParameterCounts {
  uint64_t total = 0;
  /// Counts by what they belong to, see ModelPart; these add up to the total.
  uint64_t embedding = 0, attention = 0, mlp = 0, norm = 0, head = 0, other = 0;
  /// Matrices and tables: no norms, biases and gains.
  uint64_t matrices = 0;
  /// Biases of projections, and tables of positions.
  uint64_t biases = 0, positions = 0;
};

struct FunctionParameters {
  ParameterCounts all;
  /// The norms that belong to no layer.
  uint64_t outerNorms = 0;
  /// Parameters that each layer reads and no earlier layer has read.
  llvm::MapVector<mlir::Operation *, ParameterCounts> layers;
};

/// Counts every `block.param` argument of `function` once, by what reads it:
/// slices of a fused matrix count for the projections that they are read by, a
/// table that embedding and head share counts as embedding. Fails with a
/// diagnostic where the shape of one is not static.
mlir::FailureOr<FunctionParameters>
countParameters(mlir::FunctionOpInterface function);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_PARAMETERCOUNTS_H
