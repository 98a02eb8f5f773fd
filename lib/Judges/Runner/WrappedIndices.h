//===- WrappedIndices.h - indices that count from the end -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RUNNER_WRAPPEDINDICES_H
#define PARABLOCK_LIB_RUNNER_WRAPPEDINDICES_H

#include "mlir/IR/Operation.h"

namespace parablock::runner {

/// Returns what `op` adds to the elements of `numbers` that are below 0, if it
/// selects these sums and the other elements as they are. Frontends spell
/// indices that may count from the end so. Returns null otherwise.
mlir::Value findWrapping(mlir::Operation *op, mlir::Value numbers);

} // namespace parablock::runner

#endif // PARABLOCK_LIB_RUNNER_WRAPPEDINDICES_H
