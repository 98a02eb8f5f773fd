//===- WrappedIndices.h - indices that count from the end -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EXECUTION_WRAPPEDINDICES_H
#define PARABLOCK_LIB_EXECUTION_WRAPPEDINDICES_H

#include "mlir/IR/Operation.h"

namespace parablock::runner {

/// Returns the value that `op` adds to the elements of `numbers` below 0, if it
/// selects these sums and the other elements unchanged, as frontends write
/// indices that may count from the end. Returns null otherwise.
mlir::Value findWrapping(mlir::Operation *op, mlir::Value numbers);

} // namespace parablock::runner

#endif // PARABLOCK_LIB_EXECUTION_WRAPPEDINDICES_H
