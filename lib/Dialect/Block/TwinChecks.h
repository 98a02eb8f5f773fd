//===- TwinChecks.h - checks shared with gradients --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_IR_TWINCHECKS_H
#define PARABLOCK_LIB_IR_TWINCHECKS_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/Support/MathExtras.h"

namespace parablock::block {

/// Checks that a mean is present if and only if the form is centred, that
/// groups divide the width and statistics have one element per row and group,
/// and that gains have the size of a group or of the row.
template <typename OpT>
mlir::LogicalResult checkNormOperands(OpT op,
                                      llvm::ArrayRef<NamedValue> gains) {
  // [NORMALIZE-1], [NORMGRAD-1]
  if (static_cast<bool>(op.getMean()) != op.getForm().isCentered())
    return op.emitOpError()
           << "expected " << (op.getForm().isCentered() ? "a mean" : "no mean")
           << " for form " << op.getForm();
  int64_t width = getDim(op.getInput(), -1), groups = op.getGroups();
  if (failed(checkDivides(op, "groups", groups, "the width", width)))
    return mlir::failure();
  // [NORMALIZE-2], [NORMGRAD-2]
  for (NamedValue statistic :
       {NamedValue{"mean", op.getMean()}, NamedValue{"moment", op.getMoment()}})
    if (failed(checkSameRows(op, statistic, {"input", op.getInput()})) ||
        failed(checkDim(op, statistic, 2, groups, "one per group")))
      return mlir::failure();
  // [NORMALIZE-3], [NORMGRAD-3]
  for (NamedValue gain : gains)
    if (failed(checkOneOf(op, gain, {width / groups, width},
                          "a group, or the whole row")))
      return mlir::failure();
  return mlir::success();
}

/// Checks that the limit of a clamp is positive.
template <typename OpT> mlir::LogicalResult checkLimit(OpT op) {
  // [CLAMP-1], [CLAMPGRAD-1]
  if (op.getLimit().convertToDouble() > 0)
    return mlir::success();
  return op.emitOpError() << "expected limit to be positive, got "
                          << op.getLimit().convertToDouble();
}

/// Checks that image and patch have equal channels and that the image is a
/// whole number of patches, which is stored in `patches`.
template <typename OpT>
mlir::LogicalResult checkPatches(OpT op, uint64_t &patches) {
  // [PATCH-1], [PATCHGRAD-2]
  if (failed(checkDim(op, {"weight", op.getWeight()}, 1,
                      getDim(op.getPixels(), 1), "channels of the pixels")))
    return mlir::failure();
  // [PATCH-2], [PATCHGRAD-2]
  patches = 1;
  for (int dim : {2, 3}) {
    int64_t size = getDim(op.getPixels(), dim);
    int64_t patch = getDim(op.getWeight(), dim);
    if (mlir::ShapedType::isDynamic(size) || mlir::ShapedType::isDynamic(patch))
      return op.emitOpError() << "expected static image and patch sizes";
    if (failed(checkDivides(op, "patch size", patch, "image size", size)))
      return mlir::failure();
    patches = llvm::SaturatingMultiply<uint64_t>(patches, size / patch);
  }
  return mlir::success();
}

/// Checks that a norm moved behind its projection has a mean, and sums of the
/// weight, if its form is centered.
template <typename OpT> mlir::LogicalResult checkMeanAndSums(OpT op) {
  // [DEFERRED-1], [DEFGRAD-1]
  bool centered = op.getForm().isCentered();
  if (static_cast<bool>(op.getMean()) == centered &&
      static_cast<bool>(op.getSums()) == centered)
    return mlir::success();
  return op.emitOpError() << "expected "
                          << (centered ? "a mean and sums"
                                       : "no mean and no sums")
                          << " for form " << op.getForm();
}

} // namespace parablock::block

#endif // PARABLOCK_LIB_IR_TWINCHECKS_H
