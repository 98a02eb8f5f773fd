//===- BlockFoldScales.cpp - moves scales of branches into weights --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Dominance.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFOLDSCALES
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kPass = "block-fold-scales";

/// Multiplies rows of the projection's weight, and its bias, by gain and
/// factor, which were those of `scaled`.
void scaleProjection(LinearOp linear, Operation *scaled, Value gain,
                     double factor) {
  OpBuilder builder(linear);
  linear->setLoc(
      FusedLoc::get(linear.getContext(), {linear.getLoc(), scaled->getLoc()}));
  auto scale = [&](Value weight) -> Value {
    return FoldScaleOp::create(builder, linear.getLoc(), weight.getType(),
                               weight, gain, builder.getF64FloatAttr(factor));
  };
  linear.getWeightMutable().assign(scale(linear.getWeight()));
  if (linear.getBias())
    linear.getBiasMutable().assign(scale(linear.getBias()));
}

struct BlockFoldScalesPass
    : public block::impl::BlockFoldScalesBase<BlockFoldScalesPass> {
  using BlockFoldScalesBase::BlockFoldScalesBase;

  void runOnOperation() final {
    bool found = false;
    SmallVector<ScaleOp> scales;
    walkOutsideKernels<ScaleOp>(
        getOperation(), [&](ScaleOp scale) { scales.push_back(scale); });
    for (ScaleOp scale : scales)
      found |= foldScale(scale);
    walkOutsideKernels<ResidualOp>(getOperation(), [&](ResidualOp residual) {
      found |= foldBranchScales(residual);
    });
    if (scoreScale)
      walkOutsideKernels<SdpaOp>(
          getOperation(), [&](SdpaOp sdpa) { found |= foldScoreScale(sdpa); });
    if (!found)
      recordNoMatch(getOperation(), kPass, "scale of a branch");
  }

  /// block.scale of a projection, read by residuals only.
  static bool foldScale(ScaleOp scale) {
    if (!llvm::all_of(scale->getUsers(), llvm::IsaPred<ResidualOp>))
      return false;
    auto linear = scale.getInput().getDefiningOp<LinearOp>();
    if (!linear) {
      recordMissed(scale, kPass, Reason::NotAProjection,
                   "the scaled value is not a projection");
      return true;
    }
    if (!linear->hasOneUse()) {
      recordMissed(scale, kPass, Reason::SecondUser,
                   "the projection is also read unscaled");
      return true;
    }
    recordPassed(scale, kPass, "folded into the projection's rows",
                 {{"factor", scale.getFactor().convertToDouble()}});
    // Its one reader has the gain; other tools may make that in between.
    if (scale.getGain() &&
        !DominanceInfo().properlyDominates(scale.getGain(), linear))
      linear->moveBefore(scale);
    scaleProjection(linear, scale, scale.getGain(),
                    scale.getFactor().convertToDouble());
    scale.replaceAllUsesWith(linear.getResult());
    scale.erase();
    return true;
  }

  /// Branch scales that differ keep the branches from being merged.
  static bool foldBranchScales(ResidualOp residual) {
    SmallVector<double> left;
    for (unsigned k = 0; k < residual.getBranches().size(); ++k)
      left.push_back(residual.getBranchScale(k));
    if (left.size() < 2 || llvm::all_equal(left))
      return false;
    for (auto [k, branch] : llvm::enumerate(residual.getBranches())) {
      if (left[k] == 1.0)
        continue;
      auto linear = branch.getDefiningOp<LinearOp>();
      if (!linear || !linear->hasOneUse()) {
        recordMissed(residual, kPass,
                     linear ? Reason::SecondUser : Reason::NotAProjection,
                     "branch " + Twine(k) + " is scaled unlike the others");
        continue;
      }
      scaleProjection(linear, residual, /*gain=*/Value(), left[k]);
      recordPassed(linear, kPass,
                   "branch scale folded into the projection's rows",
                   {{"factor", left[k]}});
      left[k] = 1.0;
    }
    residual.setBranchFactors(left);
    return true;
  }

  /// The scale of the scores goes into q where nothing normalises or bounds q
  /// after its projection, and no bias is added to the scores before they are
  /// scaled.
  static bool foldScoreScale(SdpaOp sdpa) {
    ScoresAttr scores = sdpa.getScores();
    if (scores.getScaleValue() == 1.0)
      return false;
    if (scores.getOrder() == ScoreOrder::BiasScaleCap &&
        (scores.getAlibiMax() || sdpa.getRelativeTable())) {
      recordMissed(sdpa, kPass, Reason::BiasIsScaled,
                   "the bias of the scores is scaled with them");
      return true;
    }
    Operation *producer = sdpa.getQuery().getDefiningOp();
    while (getReach(producer) == StepReach::Pair && producer->hasOneUse())
      producer = producer->getOperand(0).getDefiningOp();
    auto linear = dyn_cast_or_null<LinearOp>(producer);
    if (!linear) {
      recordMissed(sdpa, kPass, Reason::NotAProjection,
                   "the query is not a plain or rotated projection");
      return true;
    }
    if (!linear->hasOneUse()) {
      recordMissed(sdpa, kPass, Reason::SecondUser,
                   "the query projection is read elsewhere too");
      return true;
    }
    recordPassed(sdpa, kPass,
                 "scale of the scores folded into the query projection",
                 {{"factor", scores.getScaleValue()}});
    scaleProjection(linear, sdpa, /*gain=*/Value(), scores.getScaleValue());
    sdpa.setScoresAttr(ScoresAttr::get(
        sdpa.getContext(), getReal(sdpa.getContext(), 1.0), scores.getCausal(),
        scores.getWindow(), scores.getSoftcap(), scores.getAlibiMax(),
        scores.getOrder(), scores.getAlibiType()));
    return true;
  }
};
} // namespace
