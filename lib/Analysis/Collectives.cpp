//===- Collectives.cpp - bytes and counts of collective ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Collectives.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace parablock;

CollectiveCounts parablock::countCollectives(Operation *op) {
  CollectiveCounts counts;
  op->walk([&](Operation *inner) {
    counts.allReduce += isa<shard::AllReduceOp>(inner);
    counts.allGather += isa<shard::AllGatherOp>(inner);
    counts.reduceScatter += isa<shard::ReduceScatterOp>(inner);
  });
  return counts;
}
