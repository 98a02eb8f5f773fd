//===- QuantizeWeight.h - codes and scales of a weight ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_QUANTIZEWEIGHT_H
#define PARABLOCK_LIB_TRANSFORMS_QUANTIZEWEIGHT_H

#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {

/// The operands and attributes of the op that reads codes of a form.
struct WeightCodes {
  mlir::Value codes, scales;
  CodeForm form;
  /// Columns that a scale counts for; 0 for the whole row.
  int64_t group;
};

/// Emits ops on tensors that round the numbers of `weight`, a matrix, to the
/// nearest codes of `form`.
WeightCodes quantizeWeight(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value weight, QuantizedForm form);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_QUANTIZEWEIGHT_H
