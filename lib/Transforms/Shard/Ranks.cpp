//===- Ranks.cpp - counts devices of a grid -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Shard/Ranks.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;

std::optional<int64_t> parablock::countRanks(ModuleOp module) {
  for (auto grid : module.getOps<shard::GridOp>()) {
    int64_t ranks = 1;
    for (int64_t size : grid.getShape())
      ranks *= size;
    return ranks;
  }
  return std::nullopt;
}
