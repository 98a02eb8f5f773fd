//===- BlockFoldScales.cpp - moves scales of branches into weights --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "mlir/IR/Dominance.h"
#include "parablock/Transforms/Passes.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFOLDSCALES
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kFoldScales = "block-fold-scales";

/// Multiplies rows of the projection's weight, and its bias, by gain and
/// factor, which were those of `scaled`.
void scaleProjection(LinearOp linear, Operation *scaled, Value gain,
                     double factor, PatternRewriter &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(linear);
  Location loc = rewriter.getFusedLoc({linear.getLoc(), scaled->getLoc()});
  auto scale = [&](Value weight) -> Value {
    return FoldScaleOp::create(rewriter, loc, weight.getType(), weight, gain,
                               rewriter.getF64FloatAttr(factor));
  };
  rewriter.modifyOpInPlace(linear, [&] {
    linear->setLoc(loc);
    linear.getWeightMutable().assign(scale(linear.getWeight()));
    if (linear.getBias())
      linear.getBiasMutable().assign(scale(linear.getBias()));
  });
}

/// block.scale of a projection, read by residuals only.
struct FoldScale final : public ExactPattern<ScaleOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(ScaleOp scale, PatternRewriter &rewriter) const final {
    if (!llvm::all_of(scale->getUsers(), llvm::IsaPred<ResidualOp>))
      return failure();
    auto linear = scale.getInput().getDefiningOp<LinearOp>();
    if (!linear)
      return refuse(rewriter, scale, kFoldScales, Reason::NotAProjection,
                    "the scaled value is not a projection");
    if (!linear->hasOneUse())
      return refuse(rewriter, scale, kFoldScales, Reason::SecondUser,
                    "the projection is also read unscaled");
    double factor = scale.getFactor().convertToDouble();
    recordPassed(scale, kFoldScales, "folded into the projection's rows",
                 {{"factor", factor}});
    // Its one reader has the gain; other tools may make that in between.
    if (scale.getGain() &&
        !DominanceInfo().properlyDominates(scale.getGain(), linear))
      rewriter.moveOpBefore(linear, scale);
    scaleProjection(linear, scale, scale.getGain(), factor, rewriter);
    rewriter.replaceOp(scale, linear);
    return success();
  }
};

/// Returns whether `branch` is a projection that nothing else reads.
bool isOwnProjection(Value branch) {
  return branch.getDefiningOp<LinearOp>() && branch.hasOneUse();
}

/// Replaces a branch that is a sum with a projection by what it sums, if
/// another branch is a projection: both can then be merged.
void joinSums(ResidualOp residual, PatternRewriter &rewriter) {
  if (llvm::none_of(residual.getBranches(), isOwnProjection))
    return;
  SmallVector<Value> terms;
  SmallVector<double> factors;
  SmallVector<ResidualOp> sums;
  for (auto [k, branch] : llvm::enumerate(residual.getBranches())) {
    double factor = residual.getBranchScale(k);
    auto sum = branch.getDefiningOp<ResidualOp>();
    if (!sum || !sum->hasOneUse() || sum->getBlock() != residual->getBlock() ||
        llvm::none_of(sum.getBranches(), isOwnProjection)) {
      terms.push_back(branch);
      factors.push_back(factor);
      continue;
    }
    terms.push_back(sum.getInput());
    factors.push_back(factor * sum.getInputScale().convertToDouble());
    for (auto [j, term] : llvm::enumerate(sum.getBranches())) {
      terms.push_back(term);
      factors.push_back(factor * sum.getBranchScale(j));
    }
    sums.push_back(sum);
  }
  if (sums.empty())
    return;
  recordPassed(residual, kFoldScales, "sums of branches joined",
               {{"branches", static_cast<double>(terms.size())}});
  rewriter.modifyOpInPlace(residual, [&] {
    residual.getBranchesMutable().assign(terms);
    residual.setBranchFactors(factors);
  });
  for (ResidualOp sum : sums)
    rewriter.eraseOp(sum);
}

/// Branch scales that differ keep the branches from being merged.
struct FoldBranchScales final : public ExactPattern<ResidualOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(ResidualOp residual,
                        PatternRewriter &rewriter) const final {
    unsigned before = residual.getBranches().size();
    joinSums(residual, rewriter);
    bool folded = residual.getBranches().size() != before;
    SmallVector<double> left;
    for (unsigned k = 0; k < residual.getBranches().size(); ++k)
      left.push_back(residual.getBranchScale(k));
    if (left.size() < 2 || llvm::all_equal(left))
      return success(folded);
    for (auto [k, branch] : llvm::enumerate(residual.getBranches())) {
      // Experts stay a branch of their own.
      if (left[k] == 1.0 || branch.getDefiningOp<ExpertsOp>())
        continue;
      auto linear = branch.getDefiningOp<LinearOp>();
      if (!linear || !linear->hasOneUse()) {
        (void)refuse(rewriter, residual, kFoldScales,
                     linear ? Reason::SecondUser : Reason::NotAProjection,
                     "branch " + Twine(k) + " is scaled unlike the others");
        continue;
      }
      scaleProjection(linear, residual, /*gain=*/Value(), left[k], rewriter);
      recordPassed(linear, kFoldScales,
                   "branch scale folded into the projection's rows",
                   {{"factor", left[k]}});
      left[k] = 1.0;
      folded = true;
    }
    if (folded)
      rewriter.modifyOpInPlace(residual,
                               [&] { residual.setBranchFactors(left); });
    return success(folded);
  }
};

/// The scale of the scores goes into q where nothing normalises or bounds q
/// after its projection, and no bias is added to the scores before they are
/// scaled.
struct FoldScoreScale final : public ExactPattern<SdpaOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(SdpaOp sdpa, PatternRewriter &rewriter) const final {
    ScoresAttr scores = sdpa.getScores();
    if (scores.getScaleValue() == 1.0)
      return failure();
    if (scores.getOrder() == ScoreOrder::BiasScaleCap &&
        (scores.getAlibiMax() || sdpa.getRelativeTable()))
      return refuse(rewriter, sdpa, kFoldScales, Reason::BiasIsScaled,
                    "the bias of the scores is scaled with them");
    Operation *producer = sdpa.getQuery().getDefiningOp();
    while (getReach(producer) == StepReach::Pair && producer->hasOneUse())
      producer = producer->getOperand(0).getDefiningOp();
    auto linear = dyn_cast_or_null<LinearOp>(producer);
    if (!linear)
      return refuse(rewriter, sdpa, kFoldScales, Reason::NotAProjection,
                    "the query is not a plain or rotated projection");
    if (!linear->hasOneUse())
      return refuse(rewriter, sdpa, kFoldScales, Reason::SecondUser,
                    "the query projection is read elsewhere too");
    recordPassed(sdpa, kFoldScales,
                 "scale of the scores folded into the query projection",
                 {{"factor", scores.getScaleValue()}});
    scaleProjection(linear, sdpa, /*gain=*/Value(), scores.getScaleValue(),
                    rewriter);
    rewriter.modifyOpInPlace(sdpa, [&] {
      sdpa.setScoresAttr(ScoresAttr::get(
          sdpa.getContext(), getReal(sdpa.getContext(), 1.0),
          scores.getCausal(), scores.getWindow(), scores.getSoftcap(),
          scores.getAlibiMax(), scores.getOrder(), scores.getAlibiType()));
    });
    return success();
  }
};

struct BlockFoldScalesPass
    : public block::impl::BlockFoldScalesBase<BlockFoldScalesPass> {
  using BlockFoldScalesBase::BlockFoldScalesBase;

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateFoldScalesPatterns(patterns, scoreScale);
    applyOnce(getOperation(), std::move(patterns), kFoldScales,
              "scale of a branch", numDone, numRefused);
  }
};
} // namespace

void block::populateFoldScalesPatterns(RewritePatternSet &patterns,
                                       bool scoreScale) {
  patterns.add<FoldScale, FoldBranchScales>(patterns.getContext());
  if (scoreScale)
    patterns.add<FoldScoreScale>(patterns.getContext());
}
