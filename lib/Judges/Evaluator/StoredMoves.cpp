//===- StoredMoves.cpp - moves of stored elements -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StoredMoves.h"

#include <cstring>

using namespace parablock;
using namespace parablock::evaluator;

/// The size of an element is known here, so that a copy is an instruction.
template <typename Element>
static void copyElements(llvm::ArrayRef<int64_t> shape, const uint8_t *from,
                         const Access &fromAccess, uint8_t *to,
                         const Access &toAccess) {
  LoopNest nest;
  nest.sizes.assign(shape.begin(), shape.end());
  nest.accesses = {fromAccess, toAccess};
  nest.fuse();
  int64_t fromStride = nest.getInnerStride(0);
  int64_t toStride = nest.getInnerStride(1);
  constexpr int64_t size = sizeof(Element), longest = int64_t(1) << 20;
  nest.forEachPiece(longest, [&](const LoopNest::Piece &piece) {
    const uint8_t *source = from + piece.offsets[0] * size;
    uint8_t *target = to + piece.offsets[1] * size;
    if (fromStride == 1 && toStride == 1)
      std::memcpy(target, source, piece.count * size);
    else
      for (int64_t i = 0; i < piece.count; ++i)
        std::memcpy(target + i * toStride * size,
                    source + i * fromStride * size, size);
    return true;
  });
}

void evaluator::copyStored(llvm::ArrayRef<int64_t> shape,
                           const StoredTensor &from, const Access &fromAccess,
                           StoredTensor &to, const Access &toAccess) {
  const uint8_t *source = from.bytes.data();
  uint8_t *target = to.mutableBytes().data();
  switch (getElementSize(from.type)) {
  case 1:
    return copyElements<uint8_t>(shape, source, fromAccess, target, toAccess);
  case 2:
    return copyElements<uint16_t>(shape, source, fromAccess, target, toAccess);
  case 4:
    return copyElements<uint32_t>(shape, source, fromAccess, target, toAccess);
  default:
    return copyElements<uint64_t>(shape, source, fromAccess, target, toAccess);
  }
}

Access evaluator::getPlace(const StoredTensor &tensor) {
  return {0, getRowMajorStrides(tensor.shape)};
}

/// Tells whether the elements of the box lie side by side, in order.
static bool isContiguous(llvm::ArrayRef<int64_t> shape, const Access &access) {
  int64_t expected = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] != 1 && access.strides[dim] != expected)
      return false;
    expected *= shape[dim];
  }
  return true;
}

StoredTensor evaluator::gatherStored(const StoredTensor &source,
                                     const Access &from,
                                     llvm::ArrayRef<int64_t> shape) {
  if (isContiguous(shape, from)) {
    StoredTensor part = source;
    part.shape.assign(shape.begin(), shape.end());
    int64_t size = getElementSize(source.type), count = 1;
    for (int64_t dim : shape)
      count *= dim;
    // Of nothing, the offset is of no matter.
    part.bytes =
        source.bytes.slice(count ? from.offset * size : 0, count * size);
    return part;
  }
  StoredTensor result = StoredTensor::allocate(source.type, shape);
  copyStored(shape, source, from, result, getPlace(result));
  return result;
}
