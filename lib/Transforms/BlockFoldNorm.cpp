//===- BlockFoldNorm.cpp - moves a norm behind its projections ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// With W [out, in], row mean m, row scale r, gain g and bias e of the norm:
//
//   N(x) W^T + b = r (x W'^T - m c) + b',  W' = W diag(g), c = W' 1, b' = b + W
//   e
//
// c is summed over W' as rounded: whatever rounding did to W', x's mean then
// cancels exactly. b' comes after the row scale, so it is not part of the
// projection any more.
//
//===----------------------------------------------------------------------===//

#include "ExactPattern.h"
#include "NormStatisticsFile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Analysis/HeadNorm.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
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
constexpr StringLiteral kPass = "block-fold-norm";

/// Up to this ratio of mean and deviation, rounding x to 16 bits before its
/// mean is removed stays within the tolerance of 16-bit results.
constexpr double kSafeMeanOverStd = 3.0;

/// Below this epsilon a nearly constant row is scaled up until the rounding of
/// the uncentred product dominates it.
constexpr double kSmallestEps = 1e-9;

bool isNarrow(Type element) { return element.getIntOrFloatBitWidth() < 32; }

/// Why a norm that `user`, no projection, reads cannot be folded.
Reason getReasonAgainst(Operation *user) {
  if (isa<ResidualOp>(user))
    return Reason::PostNorm;
  return isa<SdpaOp>(user) || getReach(user) == StepReach::Pair
             ? Reason::WholeVectorNorm
             : Reason::NotALinear;
}

/// Tells whether codes of few bits are what `weight` is made of.
bool isOfCodes(Value weight) {
  Operation *op = weight.getDefiningOp();
  return op && (isa<UnpackWeightOp>(op) ||
                llvm::any_of(op->getOperands(), isOfCodes));
}

/// Folds a norm if every user is a projection and rounding does not get worse.
struct FoldNorm final : public ExactPattern<NormalizeOp> {
  FoldNorm(MLIRContext *context,
           std::function<double(NormalizeOp)> getMaxMeanOverStd)
      : ExactPattern(context), getMaxMeanOverStd(std::move(getMaxMeanOverStd)) {
  }

  LogicalResult rewrite(NormalizeOp norm,
                        PatternRewriter &rewriter) const final {
    // Norms of heads belong to their projection.
    if (isHeadNorm(norm))
      return failure();
    for (Operation *user : norm->getUsers())
      if (!isa<LinearOp>(user))
        return refuse(rewriter, norm, kPass, getReasonAgainst(user),
                      "read by " + user->getName().getStringRef());
    if (norm->use_empty())
      return rewriter.notifyMatchFailure(norm, "nothing reads the norm");
    for (Operation *user : norm->getUsers())
      if (norm.getGamma() && isOfCodes(cast<LinearOp>(user).getWeight()))
        return refuse(rewriter, norm, kPass, Reason::WeightOfCodes,
                      "a projection's weight is of codes of few bits");
    if (failed(checkRounding(norm, rewriter)))
      return failure();

    unsigned projections = 0;
    for (Operation *user : llvm::make_early_inc_range(norm->getUsers())) {
      foldInto(norm, cast<LinearOp>(user), rewriter);
      ++projections;
    }
    recordPassed(norm, kPass, "folded into the projections that read it",
                 {{"projections", static_cast<double>(projections)}});
    rewriter.eraseOp(norm);
    return success();
  }

private:
  LogicalResult checkRounding(NormalizeOp norm,
                              PatternRewriter &rewriter) const {
    NormAttr form = norm.getForm();
    if (!form.isCentered())
      return success();
    Type stream = getElementTypeOrSelf(norm.getInput().getType());
    Type operands = getElementTypeOrSelf(norm.getResult().getType());
    double meanOverStd = getMaxMeanOverStd ? getMaxMeanOverStd(norm) : -1;
    bool assumedCentred = meanOverStd >= 0 && meanOverStd <= kSafeMeanOverStd;
    if (!isNarrow(stream) && isNarrow(operands) && !assumedCentred)
      return refuse(rewriter, norm, kPass, Reason::NarrowOperands,
                    "the rows' mean over standard deviation is unknown or "
                    "above the safe ratio",
                    {{"assumed_mean_over_std", meanOverStd},
                     {"safe_mean_over_std", kSafeMeanOverStd}});
    if (form.getEpsValue() < kSmallestEps && !assumedCentred)
      return refuse(
          rewriter, norm, kPass, Reason::EpsDominates,
          "a nearly constant row would be scaled by up to 1 / sqrt(eps)",
          {{"eps", form.getEpsValue()}, {"smallest_eps", kSmallestEps}});
    return success();
  }

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
        rewriter.getI64IntegerAttr(getDim(norm.getInput(), -1)));
    rewriter.replaceOp(linear, result);
  }

  std::function<double(NormalizeOp)> getMaxMeanOverStd;
};

struct BlockFoldNormPass
    : public block::impl::BlockFoldNormBase<BlockFoldNormPass> {
  using BlockFoldNormBase::BlockFoldNormBase;

  void runOnOperation() final {
    if (!statistics.empty()) {
      llvm::Expected<NormStatisticsFile> file =
          NormStatisticsFile::read(statistics);
      if (!file) {
        getOperation()->emitError() << llvm::toString(file.takeError());
        return signalPassFailure();
      }
      measured = std::move(*file);
    }
    RewritePatternSet patterns(&getContext());
    populateFoldNormPatterns(
        patterns, [this](NormalizeOp norm) { return getMaxMeanOverStd(norm); });
    applyOnce(getOperation(), std::move(patterns), kPass, "norm over a row",
              numDone, numRefused);
  }

private:
  /// The largest ratio that rows of a layer were measured to have. One that
  /// block-shift formed has norms of two measured layers.
  std::optional<double> lookupMeasured(LayerOp layer) const {
    std::optional<double> own =
        measured->lookupMaxMeanOverStd(layer.getIndex());
    if (!own || !layer.getLabel().ends_with("+"))
      return own;
    std::optional<double> next =
        measured->lookupMaxMeanOverStd(layer.getIndex() + 1);
    return next ? std::max(own, next) : std::nullopt;
  }

  /// The largest ratio that rows of `norm` are known to have, measured or
  /// promised; negative where nothing is known.
  double getMaxMeanOverStd(NormalizeOp norm) const {
    auto layer = norm->getParentOfType<LayerOp>();
    if (measured && layer)
      if (std::optional<double> ratio = lookupMeasured(layer))
        return *ratio;
    return assumeMaxMeanOverStd;
  }

  std::optional<NormStatisticsFile> measured;
};
} // namespace

void block::populateFoldNormPatterns(
    RewritePatternSet &patterns,
    std::function<double(NormalizeOp)> getMaxMeanOverStd) {
  patterns.add<FoldNorm>(patterns.getContext(), std::move(getMaxMeanOverStd));
}
