//===- FixRank.cpp - pass block-fix-rank ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Transforms/Shard/RankFunction.h"
#include "parablock/Transforms/Shard/Ranks.h"

namespace parablock {
#define GEN_PASS_DEF_BLOCKFIXRANK
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h.inc"
} // namespace parablock

using namespace mlir;
using namespace parablock;

LogicalResult parablock::checkRank(ModuleOp module, int64_t rank) {
  int64_t count = countRanks(module).value_or(1);
  if (rank >= 0 && rank < count)
    return success();
  return emitError(module.getLoc())
         << "expected rank to be in [0, " << count - 1 << "], got " << rank;
}

namespace {
struct BlockFixRankPass
    : public parablock::impl::BlockFixRankBase<BlockFixRankPass> {
  using Base::Base;

  void runOnOperation() final {
    if (failed(checkRank(getOperation(), rank)))
      return signalPassFailure();
    fixRank(getOperation(), rank);
  }
};
} // namespace
