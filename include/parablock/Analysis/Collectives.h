//===- Collectives.h - communication between devices ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_COLLECTIVES_H
#define PARABLOCK_ANALYSIS_COLLECTIVES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace parablock {

struct CollectiveCounts {
  int64_t allReduce = 0, allGather = 0, reduceScatter = 0;
  /// Exchanges of rows between the ranks that have them and their experts'.
  int64_t allToAll = 0;
};

/// Bytes that ranks exchange for a row with experts, there and back.
struct ExchangedBytes {
  /// If rows choose all experts alike, and at most.
  double expected = 0, most = 0;
};

/// Returns whether `op`, which may be null, adds up values of all ranks.
bool isRankSum(mlir::Operation *op);

/// Those inside `op`.
CollectiveCounts countCollectives(mlir::Operation *op);

/// Returns the bytes of a row in exchanges inside `op`.
ExchangedBytes countExchangedBytes(mlir::Operation *op);

using OpSet = llvm::SmallPtrSet<mlir::Operation *, 4>;

/// Returns the sums of `function` that devices wait for: in the order of its
/// ops, no product or attention on data follows a sum's operand without reading
/// the sum, so nothing can be computed while the sum is sent.
OpSet findExposedSums(mlir::Operation *function);

/// Returns the number of `sums` inside `op`.
int64_t countSums(const OpSet &sums, mlir::Operation *op);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_COLLECTIVES_H
