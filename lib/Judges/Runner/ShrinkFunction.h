//===- ShrinkFunction.h - the same function on fewer rows -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RUNNER_SHRINKFUNCTION_H
#define PARABLOCK_LIB_RUNNER_SHRINKFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace parablock::runner {

/// Makes the leading dimensions of everything that depends on an input small:
/// at most `batch` and `sequence`. False where rows are not known to be free
/// (an image's patches, a past, upstream ops, inputs of other forms): then
/// `function` is one that does not hold any more.
bool shrinkRows(mlir::func::FuncOp function, int64_t batch, int64_t sequence);

} // namespace parablock::runner

#endif // PARABLOCK_LIB_RUNNER_SHRINKFUNCTION_H
