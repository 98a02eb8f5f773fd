//===- BlockFoldNorm.cpp - moves a norm behind its projections ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// With W [out, in], row mean m, row scale r, gain g and bias e of the norm:
//
//   N(x) W^T + b = r (x W'^T - m c) + b',  W' = W diag(g), c = W' 1, b' = b + W
//   e
//
// c is summed over the rounded W', so that x's mean cancels exactly despite
// rounding. b' is added after the row scale, so it is no longer part of the
// projection.
//
//===----------------------------------------------------------------------===//

#include "NormFolding.h"
#include "NormGradSite.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/HeadNorm.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/KeptNorms.h"
#include "parablock/Transforms/Passes.h"
#include "parablock/Transforms/RewriteHelpers.h"

namespace parablock::block {
#define GEN_PASS_DEF_BLOCKFOLDNORM
#include "parablock/Transforms/Passes.h.inc"
} // namespace parablock::block

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr StringLiteral kFoldNorm = "block-fold-norm";

/// Returns whether a gradient is of `norm` itself, or of a norm of the same
/// row. Whether it reads this norm or a recomputed one depends on the memory
/// budget, which must not affect results.
bool hasGradient(NormalizeOp norm) {
  if (norm->hasAttr(kKeptNormAttr))
    return true;
  return llvm::any_of(
      collectReaders(lookInside(norm.getMoment())), [](Operation *reader) {
        auto other = dyn_cast<NormalizeOp>(reader);
        // A half of a step gives the statistics to the other one.
        return isa<NormGradOp>(reader) ||
               reader->hasTrait<OpTrait::ReturnLike>() ||
               (other && llvm::any_of(collectReaders(other.getResult()),
                                      llvm::IsaPred<WeightGradOp>));
      });
}

/// Returns whether a projection of an attention reads `norm`.
bool isOfAttention(NormalizeOp norm) {
  return llvm::any_of(norm->getUsers(), [](Operation *user) {
    auto linear = dyn_cast<LinearOp>(user);
    Operation *consumer = linear ? findConsumer(linear.getResult()) : nullptr;
    return consumer && getPart(consumer) == ModelPart::Attention;
  });
}

/// Returns whether a projection of the row of `norm`, with weights of the same
/// type, reads it without a norm, or will once its norm is folded. Both then
/// become one product.
bool hasProjectionOfRow(NormalizeOp norm, LinearOp linear) {
  auto canMerge = [&](Operation *op) {
    auto other = dyn_cast<LinearOp>(op);
    return other && !isOfCodes(other.getWeight()) &&
           getElementTypeOrSelf(other.getWeight()) ==
               getElementTypeOrSelf(linear.getWeight());
  };
  return llvm::any_of(norm.getInput().getUsers(), [&](Operation *reader) {
    if (reader == norm || reader->getBlock() != norm->getBlock())
      return false;
    if (isa<LinearOp>(reader))
      return canMerge(reader) &&
             llvm::all_of(reader->getUsers(), llvm::IsaPred<DeferredNormOp>);
    auto other = dyn_cast<NormalizeOp>(reader);
    return other && !isHeadNorm(other) && !hasGradient(other) &&
           !other->use_empty() && llvm::all_of(other->getUsers(), canMerge);
  });
}

/// Folds a norm if every user is a projection and rounding does not get worse.
/// Experts read normalised rows: their norm stays for them, and folds into
/// projections, such as their router's, that merge with the attention's.
struct FoldNorm final : public FoldingPattern<NormalizeOp> {
  using FoldingPattern::FoldingPattern;

  LogicalResult rewrite(NormalizeOp norm,
                        PatternRewriter &rewriter) const final {
    // Norms of heads belong to their projection.
    if (isHeadNorm(norm))
      return failure();
    SmallVector<LinearOp> linears;
    for (Operation *user : norm->getUsers())
      if (auto linear = dyn_cast<LinearOp>(user))
        linears.push_back(linear);
    bool isOfExperts = llvm::any_of(norm->getUsers(), llvm::IsaPred<ExpertsOp>);
    if (isOfExperts && !isOfAttention(norm))
      llvm::erase_if(linears, [&](LinearOp linear) {
        return !hasProjectionOfRow(norm, linear);
      });
    if (!isOfExperts || linears.empty())
      for (Operation *user : norm->getUsers())
        if (!isa<LinearOp>(user))
          return refuse(rewriter, norm, kFoldNorm, getReasonAgainst(user),
                        "read by " + user->getName().getStringRef());
    if (hasGradient(norm))
      return refuse(rewriter, norm, kFoldNorm, Reason::UnfoldedGradient,
                    "a gradient reads the norm or its row as they are");
    if (norm->use_empty())
      return rewriter.notifyMatchFailure(norm, "nothing reads the norm");
    for (LinearOp linear : linears)
      if (norm.getGamma() && isOfCodes(linear.getWeight()))
        return refuse(rewriter, norm, kFoldNorm, Reason::WeightOfCodes,
                      "a projection's weight is of codes of few bits");
    if (failed(checkFoldedRounding(norm, rows, norm, kFoldNorm, rewriter)))
      return failure();

    for (LinearOp linear : linears)
      foldInto(norm, linear, rewriter);
    recordPassed(norm, kFoldNorm, "folded into the projections that read it",
                 {{"projections", static_cast<double>(linears.size())}});
    if (norm->use_empty())
      rewriter.eraseOp(norm);
    else
      recordMissed(norm, kFoldNorm, Reason::NotALinear,
                   "experts read the normalised rows too");
    return success();
  }

private:
  static void foldInto(NormalizeOp norm, LinearOp linear,
                       PatternRewriter &rewriter) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(linear);
    Location loc = rewriter.getFusedLoc({norm.getLoc(), linear.getLoc()});
    Type f32 = rewriter.getF32Type();
    Value original = linear.getWeight(), weight = original;
    auto sumsType = RankedTensorType::get({getDim(original, 0)}, f32);

    if (norm.getGamma())
      weight = FoldGainOp::create(rewriter, loc, weight.getType(), weight,
                                  norm.getGamma(), norm.getForm());
    Value sums, bias = linear.getBias();
    if (norm.getForm().isCentered())
      sums = WeightSumsOp::create(rewriter, loc, sumsType, weight);
    if (norm.getBeta())
      bias = FoldBiasOp::create(rewriter, loc, sumsType, original,
                                norm.getBeta(), bias);

    Value input = castElements(rewriter, loc, norm.getInput(),
                               getElementTypeOrSelf(original.getType()));
    Value product = LinearOp::create(rewriter, loc,
                                     withElementType(linear.getResult(), f32),
                                     input, weight, /*bias=*/Value());
    Value result = DeferredNormOp::create(
        rewriter, loc, linear.getResult().getType(), product, norm.getMean(),
        norm.getMoment(), sums, bias, norm.getForm(),
        rewriter.getI64IntegerAttr(getDim(norm.getInput(), -1)),
        /*centrable=*/sums ? rewriter.getUnitAttr() : UnitAttr());
    rewriter.replaceOp(linear, result);
  }
};

struct BlockFoldNormPass
    : public block::impl::BlockFoldNormBase<BlockFoldNormPass> {
  using BlockFoldNormBase::BlockFoldNormBase;

  void runOnOperation() final {
    if (failed(applyFolding(getOperation(), statistics, assumeMaxMeanOverStd,
                            populateFoldNormPatterns, kFoldNorm,
                            "norm over a row", numDone, numRefused)))
      return signalPassFailure();
  }
};
} // namespace

void block::populateFoldNormPatterns(
    RewritePatternSet &patterns,
    std::function<double(NormalizeOp)> getMaxMeanOverStd) {
  patterns.add<FoldNorm>(patterns.getContext(), std::move(getMaxMeanOverStd));
}
