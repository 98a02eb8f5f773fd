//===- InPlace.h - outputs that may overwrite inputs ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ROWS_INPLACE_H
#define PARABLOCK_ROWS_INPLACE_H

#include "mlir/IR/Value.h"

namespace parablock {

/// Returns whether an element of `output` may overwrite that of `input`, an
/// argument of its kernel. True if all readers of `input` compute `output` from
/// the element in the same place, in a loop that reads all before it writes.
bool mayOverwrite(mlir::Value output, mlir::BlockArgument input);

} // namespace parablock

#endif // PARABLOCK_ROWS_INPLACE_H
