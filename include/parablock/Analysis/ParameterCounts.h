//===- ParameterCounts.h - counts of parameters by role ---------*- C++ -*-===//
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
  /// Counts by the part of the model, see ModelPart; their sum is the total.
  uint64_t embedding = 0, attention = 0, mlp = 0, norm = 0, head = 0, other = 0;
  /// Matrices and tables: no norms, biases and gains.
  uint64_t matrices = 0;
  /// Biases of projections, and tables of positions.
  uint64_t biases = 0, positions = 0;
};

struct FunctionParameters {
  ParameterCounts all;
  /// Norms outside layers.
  uint64_t outerNorms = 0;
  /// Parameters of each layer that no earlier layer reads.
  llvm::MapVector<mlir::Operation *, ParameterCounts> layers;
};

/// Counts every `block.param` argument of `function` once, by its reader:
/// slices of a fused matrix count for the projections that read them, a table
/// shared by embedding and head counts as embedding. Fails with a diagnostic if
/// a parameter's shape is not static.
mlir::FailureOr<FunctionParameters>
countParameters(mlir::FunctionOpInterface function);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_PARAMETERCOUNTS_H
