//===- Moves.cpp - slices, transpositions, concatenations -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace parablock;
using namespace parablock::recipe;
using llvm::ArrayRef;

namespace {
/// Where the elements of a box lie, counted in bytes.
struct Layout {
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 4> strides;
};
} // namespace

static Layout getRowMajorLayout(const TensorType &type) {
  Layout layout;
  layout.strides.resize(type.shape.size());
  int64_t stride = getElementSize(type.element);
  for (size_t dim = type.shape.size(); dim-- > 0;) {
    layout.strides[dim] = stride;
    stride *= type.shape[dim];
  }
  return layout;
}

/// `size` bytes is the size of an element, known here so that the copy of one
/// is an instruction or two.
template <unsigned size>
static void copyRow(uint8_t *to, int64_t toStride, const uint8_t *from,
                    int64_t fromStride, int64_t count) {
  if (toStride == size && fromStride == size) {
    std::memcpy(to, from, count * size);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride, from + i * fromStride, size);
}

static void copyRow(unsigned size, uint8_t *to, int64_t toStride,
                    const uint8_t *from, int64_t fromStride, int64_t count) {
  switch (size) {
  case 1:
    return copyRow<1>(to, toStride, from, fromStride, count);
  case 2:
    return copyRow<2>(to, toStride, from, fromStride, count);
  case 4:
    return copyRow<4>(to, toStride, from, fromStride, count);
  default:
    return copyRow<8>(to, toStride, from, fromStride, count);
  }
}

/// Copies a box of elements of `size` bytes from one layout to another.
static void copyBox(ArrayRef<int64_t> shape, unsigned size, const uint8_t *from,
                    const Layout &fromLayout, uint8_t *to,
                    const Layout &toLayout) {
  if (llvm::is_contained(shape, 0))
    return;
  to += toLayout.offset;
  from += fromLayout.offset;
  if (shape.empty()) {
    std::memcpy(to, from, size);
    return;
  }
  llvm::SmallVector<int64_t, 4> index(shape.size() - 1, 0);
  while (true) {
    int64_t read = 0, write = 0;
    for (size_t dim = 0; dim < index.size(); ++dim) {
      read += index[dim] * fromLayout.strides[dim];
      write += index[dim] * toLayout.strides[dim];
    }
    copyRow(size, to + write, toLayout.strides.back(), from + read,
            fromLayout.strides.back(), shape.back());
    size_t dim = index.size();
    while (dim > 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}

StoredTensor recipe::moveSlice(const Expression &slice,
                               const StoredTensor &input) {
  Layout from = getRowMajorLayout(input.type);
  for (size_t dim = 0; dim < slice.offsets.size(); ++dim) {
    from.offset += slice.offsets[dim] * from.strides[dim];
    from.strides[dim] *= slice.strides[dim];
  }
  StoredTensor result = StoredTensor::allocate(slice.type);
  copyBox(slice.type.shape, getElementSize(slice.type.element),
          input.bytes.data(), from, result.mutableBytes().data(),
          getRowMajorLayout(slice.type));
  return result;
}

StoredTensor recipe::moveTranspose(const Expression &transpose,
                                   const StoredTensor &input) {
  Layout rowMajor = getRowMajorLayout(input.type), from;
  for (int64_t dim : transpose.permutation)
    from.strides.push_back(rowMajor.strides[dim]);
  StoredTensor result = StoredTensor::allocate(transpose.type);
  copyBox(transpose.type.shape, getElementSize(transpose.type.element),
          input.bytes.data(), from, result.mutableBytes().data(),
          getRowMajorLayout(transpose.type));
  return result;
}

StoredTensor recipe::moveBroadcast(const Expression &broadcast,
                                   const StoredTensor &input) {
  Layout rowMajor = getRowMajorLayout(input.type), from;
  from.strides.resize(broadcast.type.shape.size(), 0);
  for (auto [dim, stride] :
       llvm::zip_equal(broadcast.permutation, rowMajor.strides))
    from.strides[dim] = stride;
  StoredTensor result = StoredTensor::allocate(broadcast.type);
  copyBox(broadcast.type.shape, getElementSize(broadcast.type.element),
          input.bytes.data(), from, result.mutableBytes().data(),
          getRowMajorLayout(broadcast.type));
  return result;
}

void recipe::moveIntoConcat(StoredTensor &result, const StoredTensor &input,
                            int64_t dim, int64_t offset) {
  Layout to = getRowMajorLayout(result.type);
  to.offset = offset * to.strides[dim];
  copyBox(input.type.shape, getElementSize(input.type.element),
          input.bytes.data(), getRowMajorLayout(input.type),
          result.mutableBytes().data(), to);
}
