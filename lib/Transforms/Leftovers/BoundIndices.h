//===- BoundIndices.h - clamping of indices ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LEFTOVERS_BOUNDINDICES_H
#define PARABLOCK_LIB_LEFTOVERS_BOUNDINDICES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace parablock {

/// Clamps an index from data to the bounds of the tensor.
void boundIndices(mlir::tensor::ExtractOp op);

} // namespace parablock

#endif // PARABLOCK_LIB_LEFTOVERS_BOUNDINDICES_H
