//===- LaneCodes.cpp - codes in the order of GPU lanes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/LaneCodes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

int64_t block::getCellColumns(CodeForm form) {
  return UnpackWeightOp::isPacked(form) ? 2 * cellBytes : cellBytes;
}

int64_t block::getCellParts(UnpackWeightOp unpack) {
  int64_t cell = getCellColumns(unpack.getForm());
  auto group = static_cast<int64_t>(unpack.getGroup());
  return group == 0 || group >= cell ? 1 : cell / group;
}

bool block::areLaneCodes(UnpackWeightOp unpack) {
  return getDim(unpack.getCodes(), 0) != getDim(unpack.getResult(), 0);
}

/// Returns whether each group of columns is some parts of a cell, or some
/// cells.
static bool hasWholeGroups(int64_t group, int64_t cell) {
  if (group >= cell)
    return group % cell == 0;
  // A product has 16 columns.
  return group == 0 || (group % 16 == 0 && cell % group == 0);
}

StringRef block::findLaneRefusal(UnpackWeightOp unpacked) {
  Type element = getElementTypeOrSelf(unpacked.getType());
  if (!element.isBF16() && !element.isF16())
    return "a product of bf16 or f16";
  auto isUnsigned = [](Value value) {
    return getElementTypeOrSelf(value.getType()).isUnsignedInteger();
  };
  if (llvm::any_of(unpacked->getOperands(), isUnsigned))
    return "no operand of ui8";
  int64_t cell = getCellColumns(unpacked.getForm());
  if (unpacked.getType().getDimSize(0) % cellRows != 0)
    return "whole cells of 16 rows";
  if (!hasWholeGroups(static_cast<int64_t>(unpacked.getGroup()), cell))
    return "groups of whole cells, or of equal parts of one";
  return {};
}

AffineMap block::getLaneCodeMap(CodeForm form, MLIRContext *context) {
  AffineExpr row = getAffineDimExpr(0, context);
  AffineExpr column = getAffineDimExpr(1, context);
  int64_t cell = getCellColumns(form);
  bool hasTwo = UnpackWeightOp::isPacked(form);
  AffineExpr lane = (column % 8).floorDiv(2);
  AffineExpr chunk = lane * 2 + (row % 16).floorDiv(8);
  AffineExpr step = (column % cell).floorDiv(16);
  AffineExpr half = (column % 16).floorDiv(8);
  AffineExpr byte = hasTwo ? step * 2 + half : step * 4 + half * 2 + column % 2;
  return AffineMap::get(2, 0,
                        {row.floorDiv(16) * 8 + row % 8,
                         column.floorDiv(cell) * 128 + chunk * 16 + byte},
                        context);
}

AffineMap block::getLaneScaleMap(int64_t group, MLIRContext *context) {
  AffineExpr row = getAffineDimExpr(0, context);
  AffineExpr column = getAffineDimExpr(1, context);
  AffineExpr first =
      group ? column.floorDiv(group) : getAffineConstantExpr(0, context);
  return AffineMap::get(2, 0, {first, row}, context);
}

/// Exchanges dimensions of a tensor of static shape.
static Value createTranspose(OpBuilder &builder, Value tensor,
                             ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  Value empty = tensor::EmptyOp::create(builder, tensor.getLoc(), shape,
                                        type.getElementType());
  return linalg::TransposeOp::create(builder, tensor.getLoc(), tensor, empty,
                                     order)
      ->getResult(0);
}

/// Adds zeros up to whole cells.
static Value padToCells(OpBuilder &builder, Value codes) {
  auto type = cast<RankedTensorType>(codes.getType());
  int64_t rest = type.getDimSize(1) % cellBytes;
  if (rest == 0)
    return codes;
  auto zeros = arith::ConstantOp::create(
      builder, codes.getLoc(),
      builder.getZeroAttr(type.clone({type.getDimSize(0), cellBytes - rest})));
  return tensor::ConcatOp::create(builder, codes.getLoc(), /*dim=*/1,
                                  ValueRange{codes, zeros});
}

Value block::createLaneCodes(OpBuilder &builder, CodeForm form, Value codes) {
  codes = padToCells(builder, codes);
  auto type = cast<RankedTensorType>(codes.getType());
  int64_t rows = type.getDimSize(0), bytes = type.getDimSize(1);
  bool hasTwo = UnpackWeightOp::isPacked(form);
  // Rows: cells, halves, rows of a half. Columns: cells, steps of 16, halves,
  // lanes, and columns of a lane, which are one byte where that has two codes.
  int64_t shape[] = {rows / cellRows, 2, 8, bytes / cellBytes,
                     hasTwo ? 8 : 4,  2, 4, hasTwo ? 1 : 2};
  Location loc = codes.getLoc();
  Value cells = tensor::ExpandShapeOp::create(
      builder, loc, type.clone(shape), codes,
      ArrayRef<ReassociationIndices>{{0, 1, 2}, {3, 4, 5, 6, 7}});
  Value ordered = createTranspose(builder, cells, {0, 2, 3, 6, 1, 4, 5, 7});
  return tensor::CollapseShapeOp::create(
      builder, loc, type.clone({rows / 2, 2 * bytes}), ordered,
      ArrayRef<ReassociationIndices>{{0, 1}, {2, 3, 4, 5, 6, 7}});
}

Value block::createLaneScales(OpBuilder &builder, Value scales) {
  auto type = cast<RankedTensorType>(scales.getType());
  Type f32 = builder.getF32Type();
  if (isa<FloatType>(type.getElementType()) && type.getElementType() != f32)
    scales = arith::ExtFOp::create(builder, scales.getLoc(), type.clone(f32),
                                   scales);
  return createTranspose(builder, scales, {1, 0});
}
