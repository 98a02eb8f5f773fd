//===- EraseDead.h - removal of unread ops ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ERASEDEAD_H
#define PARABLOCK_IR_ERASEDEAD_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace parablock {

/// Erases the ops within `regions` that have no effect and whose results no op
/// reads, at any depth.
inline void eraseDeadOps(llvm::MutableArrayRef<mlir::Region> regions) {
  if (regions.empty())
    return;
  mlir::IRRewriter rewriter(regions.front().getContext());
  // What only the regions of a dead op read is dead once that is gone.
  while (succeeded(mlir::runRegionDCE(rewriter, regions)))
    continue;
}

} // namespace parablock

#endif // PARABLOCK_IR_ERASEDEAD_H
