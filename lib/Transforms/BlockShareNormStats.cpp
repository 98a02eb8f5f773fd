//===- BlockShareNormStats.cpp - norms of one value share statistics ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKSHARENORMSTATS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kPass = "block-share-norm-stats";

struct BlockShareNormStatsPass
    : public block::impl::BlockShareNormStatsBase<BlockShareNormStatsPass> {
  void runOnOperation() final {
    bool shared = false;
    // Within one basic block the first of equal statistics dominates the
    // others.
    getOperation()->walk([&](Block *basicBlock) {
      if (!isa<KernelOp>(basicBlock->getParentOp()))
        shared |= shareWithin(*basicBlock);
    });
    if (!shared)
      recordNoMatch(getOperation(), kPass, "two norms of one value");
  }

  static bool shareWithin(Block &basicBlock) {
    DenseMap<std::tuple<Value, int64_t, int64_t>, NormStatsOp> first;
    bool shared = false;
    for (auto stats :
         llvm::make_early_inc_range(basicBlock.getOps<NormStatsOp>())) {
      std::tuple key(Value(stats.getInput()),
                     static_cast<int64_t>(stats.getCentered()),
                     static_cast<int64_t>(stats.getGroups()));
      auto [entry, isNew] = first.try_emplace(key, stats);
      if (isNew)
        continue;
      NormStatsOp kept = entry->second;
      kept->setLoc(
          FusedLoc::get(kept.getContext(), {kept.getLoc(), stats.getLoc()}));
      stats.replaceAllUsesWith(kept.getResults());
      recordPassed(kept, kPass,
                   "two norms of one value share their statistics");
      stats.erase();
      shared = true;
    }
    return shared;
  }
};
} // namespace
