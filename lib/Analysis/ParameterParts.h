//===- ParameterParts.h - readers of parameters -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_ANALYSIS_PARAMETERPARTS_H
#define PARABLOCK_LIB_ANALYSIS_PARAMETERPARTS_H

#include "parablock/Analysis/Dataflow.h"

namespace parablock {

/// The roles of a parameter in steps.
enum class ParameterRole { Matrix, Position, Bias, Gain };

/// Elements of a parameter that one step reads.
struct ParameterRead {
  uint64_t elements;
  ModelPart part;
  ParameterRole role;
  /// The layer around the step that reads them, or null.
  block::LayerOp layer;
};

using ParameterReads = llvm::SmallVector<ParameterRead, 4>;

/// The parts of `parameter`, of static shape; together they are all of it.
ParameterReads findParts(mlir::Value parameter);

/// Returns the roles in which `use` reads the `elements` elements of its
/// operand: its rows (first dimension) `first` to `first + count - 1`. Returns
/// none if the operand only helps to derive another weight.
ParameterReads readParts(mlir::OpOperand &use, uint64_t elements, int64_t first,
                         int64_t count);

} // namespace parablock

#endif // PARABLOCK_LIB_ANALYSIS_PARAMETERPARTS_H
