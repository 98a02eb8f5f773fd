//===- InPlace.h - results that lie where they were read --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ROWS_INPLACE_H
#define PARABLOCK_ROWS_INPLACE_H

#include "mlir/IR/Value.h"

namespace parablock {

/// Tells whether an element of `output` may be written over that of `input`,
/// an argument of its kernel: whoever reads that computes `output`, from the
/// element in its own place, in a loop where all is read before it is written.
bool mayOverwrite(mlir::Value output, mlir::BlockArgument input);

} // namespace parablock

#endif // PARABLOCK_ROWS_INPLACE_H
