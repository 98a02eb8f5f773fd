//===- ShapeChecks.cpp - compares dims, shapes and rows -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ShapeChecks.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace parablock::block {

int64_t getDim(Value value, int dim) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getDimSize(dim < 0 ? type.getRank() + dim : dim);
}

RankedTensorType resized(Value value, unsigned dim, int64_t size) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, type.getElementType());
}

LogicalResult checkDim(Operation *op, NamedValue value, int dim,
                       int64_t expected, const Twine &why) {
  if (!value.value)
    return success();
  int64_t found = getDim(value.value, dim);
  if (areCompatible(found, expected))
    return success();
  int64_t rank = cast<RankedTensorType>(value.value.getType()).getRank();
  return op->emitOpError() << "expected dimension "
                           << (dim < 0 ? rank + dim : dim) << " of "
                           << value.name << " to be " << expected << " (" << why
                           << "), got " << found;
}

/// True where the first `count` dimensions are compatible.
static bool haveCompatibleDims(Value a, Value b, int64_t count) {
  for (int64_t d = 0; d < count; ++d)
    if (!areCompatible(getDim(a, d), getDim(b, d)))
      return false;
  return true;
}

/// Checks all dimensions but the last `numOthers`.
static LogicalResult checkSame(Operation *op, StringRef what, NamedValue a,
                               NamedValue b, int64_t numOthers) {
  if (!a.value || !b.value)
    return success();
  int64_t rank = cast<RankedTensorType>(a.value.getType()).getRank();
  if (rank == cast<RankedTensorType>(b.value.getType()).getRank() &&
      haveCompatibleDims(a.value, b.value, rank - numOthers))
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expected " << a.name << " to have the " << what
                            << " of " << b.name << ", " << b.value.getType()
                            << ", got " << a.value.getType();
  diag.attachNote(b.value.getLoc()) << b.name << " comes from here";
  return diag;
}

LogicalResult checkSameShape(Operation *op, NamedValue a, NamedValue b) {
  return checkSame(op, "shape", a, b, /*numOthers=*/0);
}

LogicalResult checkSameRows(Operation *op, NamedValue a, NamedValue b) {
  return checkSame(op, "rows", a, b, /*numOthers=*/1);
}

LogicalResult checkOneOf(Operation *op, NamedValue value,
                         ArrayRef<int64_t> allowed, const Twine &why) {
  if (!value.value)
    return success();
  int64_t found = getDim(value.value, 0);
  for (int64_t size : allowed)
    if (areCompatible(found, size))
      return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expected " << value.name << " to have ";
  llvm::interleave(allowed, diag, " or ");
  return diag << " elements (" << why << "), got " << found;
}

LogicalResult checkDivides(Operation *op, StringRef divisorName,
                           int64_t divisor, StringRef sizeName, int64_t size) {
  if (divisor > 0 && (ShapedType::isDynamic(size) || size % divisor == 0))
    return success();
  return op->emitOpError() << "expected " << divisorName
                           << " to be a positive divisor of " << sizeName
                           << ", " << size << ", got " << divisor;
}

LogicalResult checkOffset(Operation *op, Value offset, int64_t batch) {
  if (!offset || offset.getType().isIndex())
    return success();
  return checkDim(op, {"offset", offset}, 0, batch, "one per batch row");
}

} // namespace parablock::block
