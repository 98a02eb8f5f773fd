//===- VerifyNorm.cpp - verifiers of norm, its statistics and application -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock::block;

/// Gain and bias cover a group or the whole row ([NORM-3], [NORMALIZE-3]).
static LogicalResult checkGain(Operation *op, NamedValue gain, int64_t width,
                               int64_t groups) {
  if (ShapedType::isDynamic(width))
    return success();
  return checkOneOf(op, gain, {width / groups, width},
                    "a group, or the whole row");
}

LogicalResult NormOp::verify() {
  // [NORM-1]
  if (failed(checkSameShape(*this, {"result", getResult()},
                            {"input", getInput()})))
    return failure();
  // [NORM-2]
  int64_t width = getDim(getInput(), -1), groups = getGroups();
  if (failed(checkDivides(*this, "groups", groups, "the width", width)))
    return failure();
  // [NORM-3]
  if (failed(checkGain(*this, {"gamma", getGamma()}, width, groups)))
    return failure();
  return checkGain(*this, {"beta", getBeta()}, width, groups);
}

LogicalResult NormStatsOp::verify() {
  // [STATS-1]
  unsigned expected = getCentered() ? 2 : 1;
  if (getStatistics().size() != expected)
    return emitOpError() << "expected " << expected << " results ("
                         << (getCentered() ? "mean and variance"
                                           : "mean of squares")
                         << "), got " << getStatistics().size();
  // [STATS-2]
  int64_t groups = getGroups();
  if (failed(checkDivides(*this, "groups", groups, "the width",
                          getDim(getInput(), -1))))
    return failure();
  // [STATS-3]
  for (Value statistic : getStatistics())
    if (failed(checkSameRows(*this, {"statistic", statistic},
                             {"input", getInput()})) ||
        failed(checkDim(*this, {"statistic", statistic}, 2, groups,
                        "one per group")))
      return failure();
  return success();
}

LogicalResult NormalizeOp::verify() {
  // [NORMALIZE-1]
  if (static_cast<bool>(getMean()) != getForm().isCentered())
    return emitOpError() << "expected "
                         << (getForm().isCentered() ? "a mean" : "no mean")
                         << " for form " << getForm();
  int64_t width = getDim(getInput(), -1), groups = getGroups();
  if (failed(checkDivides(*this, "groups", groups, "the width", width)))
    return failure();
  // [NORMALIZE-2]
  for (NamedValue statistic :
       {NamedValue{"mean", getMean()}, NamedValue{"moment", getMoment()}})
    if (failed(checkSameRows(*this, statistic, {"input", getInput()})) ||
        failed(checkDim(*this, statistic, 2, groups, "one per group")))
      return failure();
  // [NORMALIZE-3]
  if (failed(checkGain(*this, {"gamma", getGamma()}, width, groups)) ||
      failed(checkGain(*this, {"beta", getBeta()}, width, groups)))
    return failure();
  // [NORMALIZE-4]
  return checkSameShape(*this, {"result", getResult()}, {"input", getInput()});
}
