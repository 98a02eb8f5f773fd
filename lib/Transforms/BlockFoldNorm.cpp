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

#include "NormStatisticsFile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Analysis/HeadNorm.h"
#include "parablock/Dialect/Block/BlockOps.h"
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

/// The row norms this pass is about; norms of heads belong to their projection.
bool isRowNorm(NormalizeOp norm) { return !isHeadNorm(norm); }

bool isNarrow(Type element) { return element.getIntOrFloatBitWidth() < 32; }

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
    SmallVector<NormalizeOp> norms;
    walkOutsideKernels<NormalizeOp>(getOperation(), [&](NormalizeOp norm) {
      if (isRowNorm(norm))
        norms.push_back(norm);
    });
    if (norms.empty())
      recordNoMatch(getOperation(), kPass, "norm over a row");
    for (NormalizeOp norm : norms)
      if (isFoldable(norm))
        fold(norm);
  }

  /// Why a norm that `user`, no projection, reads cannot be folded.
  static Reason getReasonAgainst(Operation *user) {
    if (isa<ResidualOp>(user))
      return Reason::PostNorm;
    return isa<SdpaOp>(user) || getReach(user) == StepReach::Pair
               ? Reason::WholeVectorNorm
               : Reason::NotALinear;
  }

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

  /// A norm folds if every user is a projection and rounding does not get
  /// worse.
  bool isFoldable(NormalizeOp norm) {
    for (Operation *user : norm->getUsers()) {
      if (isa<LinearOp>(user))
        continue;
      recordMissed(norm, kPass, getReasonAgainst(user),
                   "read by " + user->getName().getStringRef());
      return false;
    }
    NormAttr form = norm.getForm();
    if (!form.isCentered() || norm->use_empty())
      return !norm->use_empty();
    Type stream = getElementTypeOrSelf(norm.getInput().getType());
    Type operands = getElementTypeOrSelf(norm.getResult().getType());
    double meanOverStd = getMaxMeanOverStd(norm);
    bool assumedCentred = meanOverStd >= 0 && meanOverStd <= kSafeMeanOverStd;
    if (!isNarrow(stream) && isNarrow(operands) && !assumedCentred) {
      recordMissed(
          norm, kPass, Reason::NarrowOperands,
          "the rows' mean over standard deviation is unknown or above the safe "
          "ratio",
          {{"assumed_mean_over_std", meanOverStd},
           {"safe_mean_over_std", kSafeMeanOverStd}});
      return false;
    }
    if (form.getEpsValue() < kSmallestEps && !assumedCentred) {
      recordMissed(
          norm, kPass, Reason::EpsDominates,
          "a nearly constant row would be scaled by up to 1 / sqrt(eps)",
          {{"eps", form.getEpsValue()}, {"smallest_eps", kSmallestEps}});
      return false;
    }
    return true;
  }

  static void fold(NormalizeOp norm) {
    unsigned projections = 0;
    for (Operation *user : llvm::make_early_inc_range(norm->getUsers())) {
      foldInto(norm, cast<LinearOp>(user));
      ++projections;
    }
    recordPassed(norm, kPass, "folded into the projections that read it",
                 {{"projections", static_cast<double>(projections)}});
    norm.erase();
  }

  static void foldInto(NormalizeOp norm, LinearOp linear) {
    OpBuilder builder(linear);
    Location loc =
        FusedLoc::get(norm.getContext(), {norm.getLoc(), linear.getLoc()});
    Type f32 = builder.getF32Type();
    Value original = linear.getWeight(), weight = original;
    auto sumsType = RankedTensorType::get({getDim(original, 0)}, f32);

    if (norm.getGamma())
      weight = FoldGainOp::create(builder, loc, weight.getType(), weight,
                                  norm.getGamma(), norm.getForm());
    Value sums, bias = linear.getBias();
    if (norm.getForm().isCentered())
      sums = WeightSumsOp::create(builder, loc, sumsType, weight);
    if (norm.getBeta())
      bias = FoldBiasOp::create(builder, loc, sumsType, original,
                                norm.getBeta(), bias);

    Value input = castElements(builder, loc, norm.getInput(),
                               getElementTypeOrSelf(original.getType()));
    Value product =
        LinearOp::create(builder, loc, withElementType(linear.getResult(), f32),
                         input, weight, /*bias=*/Value());
    Value result = DeferredNormOp::create(
        builder, loc, linear.getResult().getType(), product, norm.getMean(),
        norm.getMoment(), sums, bias, norm.getForm(),
        builder.getI64IntegerAttr(getDim(norm.getInput(), -1)));
    linear.replaceAllUsesWith(result);
    linear.erase();
  }

  std::optional<NormStatisticsFile> measured;
};
} // namespace
