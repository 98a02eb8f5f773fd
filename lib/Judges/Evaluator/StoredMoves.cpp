//===- StoredMoves.cpp - views, copies and gathers of bytes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StoredMoves.h"

using namespace parablock;
using namespace parablock::evaluator;

StoredView::StoredView(StoredTensor whole)
    : tensor(std::move(whole)), place{0, getRowMajorStrides(tensor.shape)} {}

void evaluator::copyStored(const StoredView &from, StoredTensor &to,
                           const Access &place) {
  const uint8_t *source = from.tensor.bytes.data();
  uint8_t *target = to.mutableBytes().data();
  llvm::ArrayRef<int64_t> shape = from.tensor.shape;
  switch (getElementSize(to.type)) {
  case 1:
    return copyBox<uint8_t>(shape, source, from.place, target, place);
  case 2:
    return copyBox<uint16_t>(shape, source, from.place, target, place);
  case 4:
    return copyBox<uint32_t>(shape, source, from.place, target, place);
  default:
    return copyBox<uint64_t>(shape, source, from.place, target, place);
  }
}

StoredView evaluator::cutView(StoredView view, unsigned dim, int64_t begin,
                              int64_t count) {
  view.place.offset += begin * view.place.strides[dim];
  view.tensor.shape[dim] = count;
  return view;
}

/// Returns whether the elements are contiguous, in order.
static bool isContiguous(const StoredView &view) {
  int64_t expected = 1;
  llvm::ArrayRef<int64_t> shape = view.tensor.shape;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] != 1 && view.place.strides[dim] != expected)
      return false;
    expected *= shape[dim];
  }
  return true;
}

StoredTensor evaluator::gatherStored(const StoredView &view) {
  if (!isContiguous(view)) {
    StoredTensor result =
        StoredTensor::allocate(view.tensor.type, view.tensor.shape);
    copyStored(view, result, {0, getRowMajorStrides(result.shape)});
    return result;
  }
  StoredTensor part = view.tensor;
  int64_t size = getElementSize(part.type), count = 1;
  for (int64_t dim : part.shape)
    count *= dim;
  // For an empty part, the offset is irrelevant.
  part.bytes =
      part.bytes.slice(count ? view.place.offset * size : 0, count * size);
  return part;
}
