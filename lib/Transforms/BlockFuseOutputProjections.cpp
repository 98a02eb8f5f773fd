//===- BlockFuseOutputProjections.cpp - projections of one sum merge ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFUSEOUTPUTPROJECTIONS
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kPass = "block-fuse-output-projections";

struct BlockFuseOutputProjectionsPass
    : public block::impl::BlockFuseOutputProjectionsBase<
          BlockFuseOutputProjectionsPass> {
  void runOnOperation() final {
    SmallVector<ResidualOp> residuals;
    walkOutsideKernels<ResidualOp>(getOperation(), [&](ResidualOp residual) {
      residuals.push_back(residual);
    });
    if (residuals.empty())
      recordNoMatch(getOperation(), kPass, "residual");
    for (ResidualOp residual : residuals)
      if (!isFused(residual) && isFusable(residual))
        fuse(residual);
  }

  static bool isFused(ResidualOp residual) {
    return residual.getBranches().size() == 1 &&
           residual.getBranches().front().getDefiningOp<LinearSumOp>();
  }

  /// At least two branches, all of them projections that nothing else reads, of
  /// one type and scale.
  static bool isFusable(ResidualOp residual) {
    auto branches = residual.getBranches();
    for (Value branch : branches)
      if (branch.getDefiningOp<NormalizeOp>()) {
        recordMissed(residual, kPass, Reason::PostNorm,
                     "a branch is normalised before the sum");
        return false;
      }
    if (branches.size() < 2) {
      recordMissed(residual, kPass, Reason::SingleBranch,
                   "the residual has one branch",
                   {{"branches", static_cast<double>(branches.size())}});
      return false;
    }
    for (auto [k, branch] : llvm::enumerate(branches)) {
      auto linear = branch.getDefiningOp<LinearOp>();
      if (!linear) {
        recordMissed(residual, kPass, Reason::NotAProjection,
                     "branch " + Twine(k) + " is not a projection");
        return false;
      }
      if (!linear->hasOneUse()) {
        recordMissed(residual, kPass, Reason::SecondUser,
                     "branch " + Twine(k) + " is read elsewhere too");
        return false;
      }
      auto first = branches.front().getDefiningOp<LinearOp>();
      if (linear.getResult().getType() != first.getResult().getType()) {
        recordMissed(residual, kPass, Reason::ElementTypes,
                     "branch " + Twine(k) + " has another element type");
        return false;
      }
      if (residual.getBranchScale(k) != residual.getBranchScale(0)) {
        recordMissed(residual, kPass, Reason::DifferentScales,
                     "branch " + Twine(k) +
                         " is scaled differently; block-fold-scales first",
                     {{"scale", residual.getBranchScale(k)},
                      {"first_scale", residual.getBranchScale(0)}});
        return false;
      }
    }
    return true;
  }

  static void fuse(ResidualOp residual) {
    OpBuilder builder(residual);
    SmallVector<Value> inputs, weights, biases;
    SmallVector<Location> locations;
    SmallVector<LinearOp> linears;
    for (Value branch : residual.getBranches()) {
      auto linear = branch.getDefiningOp<LinearOp>();
      linears.push_back(linear);
      locations.push_back(linear.getLoc());
      inputs.push_back(linear.getInput());
      weights.push_back(linear.getWeight());
      if (linear.getBias())
        biases.push_back(linear.getBias());
    }
    Location loc = FusedLoc::get(builder.getContext(), locations);
    Type f32 = builder.getF32Type();
    Value first = linears.front().getResult(), bias;
    if (biases.size() == 1)
      bias = biases.front();
    else if (!biases.empty())
      bias = BiasSumOp::create(
          builder, loc,
          RankedTensorType::get(
              cast<RankedTensorType>(biases.front().getType()).getShape(), f32),
          biases);
    // The sum stays in the accumulator's type: the residual rounds once.
    Value sum = LinearSumOp::create(builder, loc, withElementType(first, f32),
                                    inputs, weights, bias);
    recordPassed(residual, kPass, "projections of one sum merged",
                 {{"projections", static_cast<double>(linears.size())}});
    double scale = residual.getBranchScale(0);
    residual.getBranchesMutable().assign(sum);
    residual.setBranchFactors(scale);
    for (LinearOp linear : linears)
      linear.erase();
  }
};
} // namespace
