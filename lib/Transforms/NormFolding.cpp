//===- NormFolding.cpp - when norms may stand behind products -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NormFolding.h"

#include "KernelSteps.h"
#include "NormStatisticsFile.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Analysis/Dataflow.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// Up to this ratio of mean and deviation, rounding x to 16 bits before its
/// mean is removed stays within the tolerance of 16-bit results.
static constexpr double kSafeMeanOverStd = 3.0;

/// Below this epsilon a nearly constant row is scaled up until the rounding of
/// a product with the mean in it dominates it: a row of elements around c,
/// which are not all equal, is off by c / sqrt(eps) times a few units of f32,
/// 3e-4 c here and 1e-4 c at the usual 1e-5. Rows of equal elements are exact
/// with any epsilon. Kernels that multiply in f32 take the mean from the row,
/// but folded IR may go to tensor cores, or to other compilers.
static constexpr double kSmallestEps = 1e-6;

/// The largest ratio that rows of a layer were measured to have. One that
/// block-shift formed has norms of two measured layers.
static std::optional<double> lookupMeasured(const NormStatisticsFile &measured,
                                            LayerOp layer) {
  std::optional<double> own = measured.lookupMaxMeanOverStd(layer.getIndex());
  if (!own || !layer.getLabel().ends_with("+"))
    return own;
  std::optional<double> next =
      measured.lookupMaxMeanOverStd(layer.getIndex() + 1);
  return next ? std::max(own, next) : std::nullopt;
}

LogicalResult block::applyFolding(
    Operation *root, StringRef statistics, double promised,
    function_ref<void(RewritePatternSet &, RowCentring)> populate,
    StringRef pass, StringRef sought, Pass::Statistic &done,
    Pass::Statistic &refused) {
  std::optional<NormStatisticsFile> measured;
  if (!statistics.empty()) {
    llvm::Expected<NormStatisticsFile> file =
        NormStatisticsFile::read(statistics);
    if (!file)
      return root->emitError() << llvm::toString(file.takeError());
    measured = std::move(*file);
  }
  RewritePatternSet patterns(root->getContext());
  populate(patterns, [&](NormalizeOp norm) {
    auto layer = norm->getParentOfType<LayerOp>();
    if (measured && layer)
      if (std::optional<double> ratio = lookupMeasured(*measured, layer))
        return *ratio;
    return promised;
  });
  applyOnce(root, std::move(patterns), pass, sought, done, refused);
  return success();
}

static bool isNarrow(Value value) {
  return getElementTypeOrSelf(value).getIntOrFloatBitWidth() < 32;
}

LogicalResult block::checkFoldedRounding(NormalizeOp norm,
                                         const RowCentring &rows, Operation *at,
                                         StringRef pass,
                                         RewriterBase &rewriter) {
  NormAttr form = norm.getForm();
  if (!form.isCentered())
    return success();
  double maxMeanOverStd = rows ? rows(norm) : -1;
  bool assumedCentred =
      maxMeanOverStd >= 0 && maxMeanOverStd <= kSafeMeanOverStd;
  if (!isNarrow(norm.getInput()) && isNarrow(norm.getResult()) &&
      !assumedCentred)
    return refuse(rewriter, at, pass, Reason::NarrowOperands,
                  "the rows' mean over standard deviation is unknown or "
                  "above the safe ratio",
                  {{"assumed_mean_over_std", maxMeanOverStd},
                   {"safe_mean_over_std", kSafeMeanOverStd}});
  if (form.getEpsValue() < kSmallestEps && !assumedCentred)
    return refuse(
        rewriter, at, pass, Reason::EpsDominates,
        "a nearly constant row would be scaled by up to 1 / sqrt(eps)",
        {{"eps", form.getEpsValue()}, {"smallest_eps", kSmallestEps}});
  return success();
}

Reason block::getReasonAgainst(Operation *user) {
  if (isa<ResidualOp>(user))
    return Reason::PostNorm;
  return getRootKind(user) == KernelKind::Sdpa ||
                 getReach(user) == StepReach::Pair
             ? Reason::WholeVectorNorm
             : Reason::NotALinear;
}

bool block::isOfCodes(Value weight) {
  return walkSources(weight,
                     [](Value source) -> WalkResult {
                       return failure(source.getDefiningOp<UnpackWeightOp>());
                     })
      .wasInterrupted();
}
