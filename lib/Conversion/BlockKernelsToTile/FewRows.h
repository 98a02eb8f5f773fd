//===- FewRows.h - kernels for few rows -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_FEWROWS_H
#define PARABLOCK_LIB_CONVERSION_FEWROWS_H

#include "parablock/Dialect/Tile/TileOps.h"

namespace parablock {

/// A kernel that replaces another if the dynamic number of rows is
/// small.
struct FewRowsKernel {
  /// Null if it equals the other one, or if nothing is launched.
  tile::KernelOp kernel;
  /// Operands and dimensions of them whose product is the number of rows; empty
  /// if the number makes no difference.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 2> sizes;
  /// The most rows that it has room for.
  int64_t most = 0;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_FEWROWS_H
