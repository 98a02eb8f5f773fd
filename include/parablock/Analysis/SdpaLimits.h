//===- SdpaLimits.h - what generated attention takes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_SDPALIMITS_H
#define PARABLOCK_ANALYSIS_SDPALIMITS_H

#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock {

/// Fails, with an error at `op` that names the `target` ("CPU"), where queries,
/// keys and values differ in type, or where the table of distances and buckets
/// would outgrow the caches.
mlir::LogicalResult checkSdpaLimits(block::AttentionOpInterface op,
                                    llvm::StringRef target);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_SDPALIMITS_H
