//===- BlockFuseOutputProjections.cpp - patterns that merge sums ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
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
constexpr StringLiteral kFuseOutputProjections =
    "block-fuse-output-projections";

bool isOfExperts(Value branch) {
  return static_cast<bool>(branch.getDefiningOp<ExpertsOp>());
}

/// Merges the branches of a residual but for those of experts: at least two,
/// all of them projections without other readers, of one type and scale.
struct FuseOutputs final : public ExactPattern<ResidualOp> {
  using ExactPattern::ExactPattern;

  LogicalResult rewrite(ResidualOp residual,
                        PatternRewriter &rewriter) const final {
    auto branches = residual.getBranches();
    auto stop = [&](Reason reason, const Twine &detail,
                    ArrayRef<Metric> metrics = {}) {
      return refuse(rewriter, residual, kFuseOutputProjections, reason, detail,
                    metrics);
    };
    SmallVector<unsigned> own;
    for (auto [k, branch] : llvm::enumerate(branches))
      if (!isOfExperts(branch))
        own.push_back(k);
    if (own.size() == 1 && branches[own.front()].getDefiningOp<LinearSumOp>())
      return rewriter.notifyMatchFailure(residual, "merged already");
    for (Value branch : branches)
      if (branch.getDefiningOp<NormalizeOp>())
        return stop(Reason::PostNorm, "a branch is normalised before the sum");
    if (branches.size() < 2)
      return stop(Reason::SingleBranch, "the residual has one branch",
                  {{"branches", static_cast<double>(branches.size())}});
    SmallVector<LinearOp> linears;
    // Beside experts, one projection has nothing to merge with.
    if (own.size() < 2)
      own = llvm::to_vector(llvm::seq<unsigned>(branches.size()));
    unsigned first = own.front();
    for (unsigned k : own) {
      auto linear = branches[k].getDefiningOp<LinearOp>();
      std::string name = "branch " + std::to_string(k);
      if (!linear)
        return stop(Reason::NotAProjection, name + " is not a projection");
      if (!linear->hasOneUse())
        return stop(Reason::SecondUser, name + " is read elsewhere too");
      linears.push_back(linear);
      if (linear.getType() != linears.front().getType())
        return stop(Reason::ElementTypes, name + " has another element type");
      if (residual.getBranchScale(k) != residual.getBranchScale(first))
        return stop(Reason::DifferentScales,
                    name + " is scaled differently; block-fold-scales first",
                    {{"scale", residual.getBranchScale(k)},
                     {"first_scale", residual.getBranchScale(first)}});
    }
    fuse(residual, linears, rewriter);
    return success();
  }

private:
  static void fuse(ResidualOp residual, ArrayRef<LinearOp> linears,
                   PatternRewriter &rewriter) {
    SmallVector<Value> inputs, weights, biases;
    SmallVector<Location> locations;
    for (LinearOp linear : linears) {
      locations.push_back(linear.getLoc());
      inputs.push_back(linear.getInput());
      weights.push_back(linear.getWeight());
      if (linear.getBias())
        biases.push_back(linear.getBias());
    }
    Location loc = rewriter.getFusedLoc(locations);
    Type f32 = rewriter.getF32Type();
    LinearOp first = linears.front();
    Value bias;
    if (biases.size() == 1)
      bias = biases.front();
    else if (!biases.empty())
      bias = BiasSumOp::create(rewriter, loc,
                               withElementType(biases.front(), f32), biases);
    // The sum stays in the accumulator's type: the residual rounds once.
    Value sum = LinearSumOp::create(rewriter, loc,
                                    withElementType(first.getResult(), f32),
                                    inputs, weights, bias);
    recordPassed(residual, kFuseOutputProjections,
                 "projections of one sum merged",
                 {{"projections", static_cast<double>(linears.size())}});
    SmallVector<Value> branches = {sum};
    SmallVector<double> scales;
    for (auto [k, branch] : llvm::enumerate(residual.getBranches())) {
      if (branch == first.getResult())
        scales.insert(scales.begin(), residual.getBranchScale(k));
      if (!isOfExperts(branch))
        continue;
      branches.push_back(branch);
      scales.push_back(residual.getBranchScale(k));
    }
    rewriter.modifyOpInPlace(residual, [&] {
      residual.getBranchesMutable().assign(branches);
      residual.setBranchFactors(scales);
    });
    for (LinearOp linear : linears)
      rewriter.eraseOp(linear);
  }
};

struct BlockFuseOutputProjectionsPass
    : public block::impl::BlockFuseOutputProjectionsBase<
          BlockFuseOutputProjectionsPass> {
  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populateFuseOutputProjectionsPatterns(patterns);
    applyOnce(getOperation(), std::move(patterns), kFuseOutputProjections,
              "residual", numDone, numRefused);
  }
};
} // namespace

void block::populateFuseOutputProjectionsPatterns(RewritePatternSet &patterns) {
  patterns.add<FuseOutputs>(patterns.getContext());
}
