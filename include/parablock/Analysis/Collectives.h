//===- Collectives.h - communication between devices ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_COLLECTIVES_H
#define PARABLOCK_ANALYSIS_COLLECTIVES_H

#include "mlir/IR/Operation.h"

namespace parablock {

struct CollectiveCounts {
  int64_t allReduce = 0, allGather = 0, reduceScatter = 0;
};

/// Those inside `op`.
CollectiveCounts countCollectives(mlir::Operation *op);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_COLLECTIVES_H
