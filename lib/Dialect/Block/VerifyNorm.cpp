//===- VerifyNorm.cpp - verifiers of norms --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TwinChecks.h"

using namespace mlir;
using namespace parablock::block;

/// Gain and bias cover a group or the whole row ([NORM-3]).
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
  // [NORMALIZE-1], [NORMALIZE-2], [NORMALIZE-3]
  if (failed(checkNormOperands(*this,
                               {{"gamma", getGamma()}, {"beta", getBeta()}})))
    return failure();
  // [NORMALIZE-4]
  return checkSameShape(*this, {"result", getResult()}, {"input", getInput()});
}
