//===- Parts.cpp - copies parts along a dimension -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Parts.h"

#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::reference;

/// Returns how many elements are contiguous for one index before `axis`.
static int64_t getRunLength(ArrayRef<int64_t> shape, unsigned axis) {
  return std::accumulate(shape.begin() + axis, shape.end(), int64_t(1),
                         std::multiplies<>());
}

FailureOr<Tensor> reference::takePart(const Evaluation &at, const Tensor &whole,
                                      unsigned axis, int64_t offset,
                                      int64_t size) {
  llvm::SmallVector<int64_t> shape = whole.shape;
  shape[axis] = size;
  FailureOr<std::vector<double>> values = at.allocate(shape);
  if (failed(values))
    return failure();
  if (!values->empty()) {
    int64_t length = getRunLength(shape, axis);
    int64_t stride = getRunLength(whole.shape, axis);
    const double *from = whole.data().data() + offset * (length / size);
    for (auto to = values->begin(); to != values->end(); from += stride)
      to = std::copy_n(from, length, to);
  }
  return at.wrap(std::move(*values), shape, whole.type);
}

FailureOr<Tensor> reference::joinParts(const Evaluation &at,
                                       ArrayRef<const Tensor *> parts,
                                       unsigned axis) {
  llvm::SmallVector<int64_t> shape = parts.front()->shape;
  shape[axis] *= static_cast<int64_t>(parts.size());
  FailureOr<std::vector<double>> values = at.allocate(shape);
  if (failed(values))
    return failure();
  if (!values->empty()) {
    int64_t length = getRunLength(parts.front()->shape, axis), offset = 0;
    for (auto to = values->begin(); to != values->end(); offset += length)
      for (const Tensor *part : parts)
        to = std::copy_n(part->data().data() + offset, length, to);
  }
  return at.wrap(std::move(*values), shape, parts.front()->type);
}
