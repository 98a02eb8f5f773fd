//===- VerifyFusion.cpp - verifiers of merged and folded ops --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TwinChecks.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::block;

LogicalResult LinearSumOp::verify() {
  // [LINSUM-1]
  if (getInputs().empty() || getInputs().size() != getWeights().size())
    return emitOpError()
           << "expected one weight per input and at least one, got "
           << getInputs().size() << " inputs and " << getWeights().size()
           << " weights";
  // [LINSUM-2], [LINSUM-3], [LINSUM-4]
  int64_t width = getDim(getResult(), -1);
  for (auto [input, weight] : llvm::zip_equal(getInputs(), getWeights()))
    if (failed(checkDim(*this, {"weight", weight}, 1, getDim(input, -1),
                        "width of its input")) ||
        failed(checkDim(*this, {"weight", weight}, 0, width,
                        "width of the result")) ||
        failed(checkSameRows(*this, {"input", input}, {"result", getResult()})))
      return failure();
  return checkDim(*this, {"bias", getBias()}, 0, width, "width of the result");
}

LogicalResult SplitOp::verify() {
  // [SPLIT-1]
  uint64_t sum = 0, width = getDim(getInput(), -1);
  for (Value segment : getSegments())
    sum = llvm::SaturatingAdd<uint64_t>(sum, getDim(segment, -1));
  if (sum != width)
    return emitOpError() << "expected the segments to be " << width
                         << " wide together, got " << sum;
  // [SPLIT-2]
  for (Value segment : getSegments()) {
    if (failed(
            checkSameRows(*this, {"segment", segment}, {"input", getInput()})))
      return failure();
    if (getElementTypeOrSelf(segment.getType()) !=
        getElementTypeOrSelf(getInput().getType()))
      return emitOpError() << "expected segments of "
                           << getElementTypeOrSelf(getInput().getType())
                           << ", got " << segment.getType();
  }
  return success();
}

LogicalResult DeferredNormOp::verify() {
  // [DEFERRED-1]
  if (failed(checkMeanAndSums(*this)))
    return failure();
  // [DEFERRED-2]
  int64_t width = getDim(getInput(), -1);
  if (failed(checkDim(*this, {"sums", getSums()}, 0, width,
                      "width of the input")) ||
      failed(
          checkDim(*this, {"bias", getBias()}, 0, width, "width of the input")))
    return failure();
  // [DEFERRED-3]
  for (NamedValue statistic :
       {NamedValue{"mean", getMean()}, NamedValue{"moment", getMoment()}})
    if (failed(checkDim(*this, statistic, 2, 1, "one per row")) ||
        failed(checkSameRows(*this, statistic, {"input", getInput()})))
      return failure();
  // [DEFERRED-4]
  if (failed(checkSameShape(*this, {"result", getResult()},
                            {"input", getInput()})))
    return failure();
  if (getCentrable() && !getMean()) // [DEFERRED-5]
    return emitOpError() << "expected a mean where it is centrable, got none";
  return success();
}

LogicalResult AddBiasOp::verify() {
  // [BIAS-1]
  if (failed(checkDim(*this, {"bias", getBias()}, 0, getDim(getInput(), -1),
                      "width of the input")))
    return failure();
  // [BIAS-2]
  return checkSameShape(*this, {"result", getResult()}, {"input", getInput()});
}

LogicalResult PartialStatsOp::verify() {
  // [PARTIAL-1]
  unsigned expected = getCentered() ? 2 : 1;
  if (getPartials().size() != expected)
    return emitOpError() << "expected " << expected << " results, got "
                         << getPartials().size();
  // [PARTIAL-2]
  int64_t tile = getTile();
  if (tile < 1)
    return emitOpError() << "expected tile to be positive, got " << tile;
  // [PARTIAL-3]
  int64_t width = getDim(getInput(), -1);
  for (Value partial : getPartials())
    if (failed(checkSameRows(*this, {"partial", partial},
                             {"input", getInput()})) ||
        failed(checkDim(*this, {"partial", partial}, 2,
                        llvm::divideCeil(width, tile), "one per tile")))
      return failure();
  return success();
}

LogicalResult MergeStatsOp::verify() {
  // [MERGE-1]
  int64_t width = getWidth(), tile = getTile();
  if (width < 1 || tile < 1)
    return emitOpError() << "expected width and tile to be positive, got "
                         << width << " and " << tile;
  int64_t tiles = llvm::divideCeil(width, tile);
  for (NamedValue partial :
       {NamedValue{"mean", getMean()}, NamedValue{"moment", getMoment()}})
    if (failed(checkDim(*this, partial, 2, tiles, "one per tile")))
      return failure();
  // [MERGE-2]
  unsigned expected = getMean() ? 2 : 1;
  if (getStatistics().size() != expected)
    return emitOpError() << "expected " << expected << " results, got "
                         << getStatistics().size();
  // [MERGE-3]
  for (Value statistic : getStatistics())
    if (failed(
            checkDim(*this, {"statistic", statistic}, 2, 1, "one per row")) ||
        failed(checkSameRows(*this, {"statistic", statistic},
                             {"moment", getMoment()})))
      return failure();
  return success();
}

LogicalResult FoldGainOp::verify() {
  // [FOLDGAIN-1]
  return checkDim(*this, {"gamma", getGamma()}, 0, getDim(getWeight(), 1),
                  "columns of the weight");
}

LogicalResult FoldBiasOp::verify() {
  // [FOLDBIAS-1]
  if (failed(checkDim(*this, {"beta", getBeta()}, 0, getDim(getWeight(), 1),
                      "columns of the weight")))
    return failure();
  // [FOLDBIAS-2]
  int64_t rows = getDim(getWeight(), 0);
  if (failed(
          checkDim(*this, {"bias", getBias()}, 0, rows, "rows of the weight")))
    return failure();
  return checkDim(*this, {"result", getResult()}, 0, rows,
                  "rows of the weight");
}

LogicalResult WeightSumsOp::verify() {
  // [SUMS-1]
  return checkDim(*this, {"result", getResult()}, 0, getDim(getWeight(), 0),
                  "rows of the weight");
}

LogicalResult FoldScaleOp::verify() {
  // [FOLDSCALE-1]
  return checkOneOf(*this, {"gain", getGain()}, {1, getDim(getWeight(), 0)},
                    "one, or one per row of the weight");
}

LogicalResult BiasSumOp::verify() {
  // [BIASSUM-1]
  if (getBiases().empty())
    return emitOpError() << "expected at least one bias, got none";
  for (Value bias : getBiases())
    if (failed(checkSameShape(*this, {"bias", bias}, {"result", getResult()})))
      return failure();
  return success();
}

LogicalResult MatrixDotsOp::verify() {
  // [MATDOTS-1]
  if (failed(checkSameShape(*this, {"right", getRight()}, {"left", getLeft()})))
    return failure();
  // [MATDOTS-2]
  return checkDim(
      *this, {"result", getResult()}, 0, getDim(getLeft(), getRows() ? 0 : 1),
      getRows() ? "rows of the matrices" : "columns of the matrices");
}

LogicalResult OuterUpdateOp::verify() {
  // [OUTER-1]
  if (failed(checkSameShape(*this, {"matrix", getMatrix()},
                            {"result", getResult()})))
    return failure();
  // [OUTER-2]
  if (failed(checkDim(*this, {"left", getLeft()}, 0, getDim(getResult(), 0),
                      "rows of the result")))
    return failure();
  return checkDim(*this, {"right", getRight()}, 0, getDim(getResult(), 1),
                  "columns of the result");
}

/// [UNPACK-4] codes that have zero points.
static LogicalResult checkZeros(UnpackWeightOp op) {
  if (op.getZeros() && op.getForm() != CodeForm::Int8 &&
      op.getForm() != CodeForm::Int4)
    return op.emitOpError()
           << "expected no zeros for form " << stringifyCodeForm(op.getForm());
  return success();
}

/// [UNPACK-1] to [UNPACK-4] for cells in the order of lanes.
static LogicalResult verifyLanes(UnpackWeightOp op) {
  StringRef expected = findLaneRefusal(op);
  Type scale = getElementTypeOrSelf(op.getScales());
  if (expected.empty() && !scale.isF32() && !scale.isInteger())
    expected = "scales of f32 or exponents";
  if (!expected.empty())
    return op.emitOpError()
           << "expected " << expected << " in the order of lanes, got "
           << op.getCodes().getType() << " and scales "
           << op.getScales().getType() << " of " << op.getType();
  int64_t rows = getDim(op.getResult(), 0), columns = getDim(op.getResult(), 1);
  int64_t cell = getCellColumns(op.getForm());
  int64_t groups = llvm::divideCeil(columns, op.getGroupSize());
  NamedValue codes{"codes", op.getCodes()};
  if (failed(checkDim(op, codes, 0, rows / 2, "half the rows of the result")) ||
      failed(checkDim(op, codes, 1,
                      llvm::divideCeil(columns, cell) * 2 * cellBytes,
                      "128 for each cell")))
    return failure();
  for (NamedValue value : {NamedValue{"scales", op.getScales()},
                           NamedValue{"zeros", op.getZeros()}})
    if (failed(checkDim(op, value, 0, groups, "one per group")) ||
        failed(checkDim(op, value, 1, rows, "rows of the result")))
      return failure();
  return checkZeros(op);
}

LogicalResult UnpackWeightOp::verify() {
  int64_t rows = getDim(getResult(), 0), columns = getDim(getResult(), 1);
  if (2 * getDim(getCodes(), 0) == rows)
    return verifyLanes(*this);
  // [UNPACK-1]
  NamedValue codes{"codes", getCodes()};
  if (failed(checkDim(*this, codes, 0, rows, "rows of the result")) ||
      failed(checkDim(*this, codes, 1,
                      isPacked() ? llvm::divideCeil(columns, 2) : columns,
                      isPacked() ? "half the columns of the result"
                                 : "columns of the result")))
    return failure();
  // [UNPACK-2]
  int64_t group = getGroup();
  if (group < 0 || (isPacked() && group % 2 != 0))
    return emitOpError() << "expected group to be 0 or a positive "
                         << (isPacked() ? "even number" : "number") << ", got "
                         << group;
  // [UNPACK-3], [UNPACK-4]
  if (failed(checkZeros(*this)))
    return failure();
  int64_t groups = llvm::divideCeil(columns, getGroupSize());
  for (NamedValue value :
       {NamedValue{"scales", getScales()}, NamedValue{"zeros", getZeros()}})
    if (failed(checkDim(*this, value, 0, rows, "rows of the result")) ||
        failed(checkDim(*this, value, 1, groups, "one per group")))
      return failure();
  return success();
}
