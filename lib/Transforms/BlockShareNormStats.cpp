//===- BlockShareNormStats.cpp - patterns that share statistics -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKSHARENORMSTATS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kShareNormStats = "block-share-norm-stats";

/// The first of equal statistics in a basic block dominates the others.
struct ShareStats final : public ExactPattern<NormStatsOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(NormStatsOp stats,
                        PatternRewriter &rewriter) const final {
    NormStatsOp kept = stats;
    for (Operation *user : stats.getInput().getUsers())
      if (auto other = dyn_cast<NormStatsOp>(user);
          other && other->getBlock() == stats->getBlock() &&
          OperationEquivalence::isEquivalentTo(
              other, stats, OperationEquivalence::IgnoreLocations) &&
          other->isBeforeInBlock(kept))
        kept = other;
    if (kept == stats)
      return failure();
    rewriter.modifyOpInPlace(kept, [&] {
      kept->setLoc(rewriter.getFusedLoc({kept.getLoc(), stats.getLoc()}));
    });
    recordPassed(kept, kShareNormStats,
                 "two norms of one value share their statistics");
    rewriter.replaceOp(stats, kept);
    return success();
  }
};

struct BlockShareNormStatsPass
    : public block::impl::BlockShareNormStatsBase<BlockShareNormStatsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateShareNormStatsPatterns(patterns);
    applyOnce(getOperation(), std::move(patterns), kShareNormStats,
              "two norms of one value", numDone, numRefused);
  }
};
} // namespace

void block::populateShareNormStatsPatterns(RewritePatternSet &patterns) {
  patterns.add<ShareStats>(patterns.getContext());
}
