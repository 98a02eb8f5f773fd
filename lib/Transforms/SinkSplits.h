//===- SinkSplits.h - splits before columnwise steps ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_SINKSPLITS_H
#define PARABLOCK_LIB_TRANSFORMS_SINKSPLITS_H

#include "mlir/IR/Operation.h"

namespace parablock::block {

/// Turns a `block.split` of a value that is computed column by column from a
/// product into a split of the product and the same steps on each segment:
/// kernels sum and finish one segment at a time.
void sinkSplits(mlir::Operation *root);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_SINKSPLITS_H
