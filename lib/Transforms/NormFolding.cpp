//===- NormFolding.cpp - when norms may stand behind products -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NormFolding.h"

#include "mlir/IR/TypeUtilities.h"
#include "parablock/Transforms/Patterns.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// Up to this ratio of mean and deviation, rounding x to 16 bits before its
/// mean is removed stays within the tolerance of 16-bit results.
static constexpr double kSafeMeanOverStd = 3.0;

/// Below this epsilon a nearly constant row is scaled up until the rounding of
/// the uncentred product dominates it.
static constexpr double kSmallestEps = 1e-9;

llvm::Expected<RowCentring> RowCentring::read(StringRef path, double promised) {
  RowCentring rows;
  rows.promised = promised;
  if (path.empty())
    return rows;
  llvm::Expected<NormStatisticsFile> file = NormStatisticsFile::read(path);
  if (!file)
    return file.takeError();
  rows.measured = std::move(*file);
  return rows;
}

/// The largest ratio that rows of a layer were measured to have. One that
/// block-shift formed has norms of two measured layers.
std::optional<double> RowCentring::lookupMeasured(LayerOp layer) const {
  std::optional<double> own = measured->lookupMaxMeanOverStd(layer.getIndex());
  if (!own || !layer.getLabel().ends_with("+"))
    return own;
  std::optional<double> next =
      measured->lookupMaxMeanOverStd(layer.getIndex() + 1);
  return next ? std::max(own, next) : std::nullopt;
}

double RowCentring::getMaxMeanOverStd(NormalizeOp norm) const {
  auto layer = norm->getParentOfType<LayerOp>();
  if (measured && layer)
    if (std::optional<double> ratio = lookupMeasured(layer))
      return *ratio;
  return promised;
}

static bool isNarrow(Value value) {
  return getElementTypeOrSelf(value).getIntOrFloatBitWidth() < 32;
}

LogicalResult block::checkFoldedRounding(NormalizeOp norm,
                                         double maxMeanOverStd, Operation *at,
                                         StringRef pass,
                                         RewriterBase &rewriter) {
  NormAttr form = norm.getForm();
  if (!form.isCentered())
    return success();
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
  return isa<SdpaOp>(user) || getReach(user) == StepReach::Pair
             ? Reason::WholeVectorNorm
             : Reason::NotALinear;
}

bool block::isOfCodes(Value weight) {
  Operation *op = weight.getDefiningOp();
  return op && (isa<UnpackWeightOp>(op) ||
                llvm::any_of(op->getOperands(), isOfCodes));
}
