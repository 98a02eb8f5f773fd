//===- ShrinkFunction.h - the same function on fewer rows -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_COMPARE_SHRINKFUNCTION_H
#define PARABLOCK_LIB_COMPARE_SHRINKFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace parablock::runner {

/// Reduces the leading dimensions of everything that depends on an input to at
/// most `batch` and `sequence`. Returns false if rows are not known to be free
/// (an image's patches, a past, upstream ops, inputs of other forms):
/// `function` is then invalid.
bool shrinkRows(mlir::func::FuncOp function, int64_t batch, int64_t sequence);

} // namespace parablock::runner

#endif // PARABLOCK_LIB_COMPARE_SHRINKFUNCTION_H
