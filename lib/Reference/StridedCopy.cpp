//===- StridedCopy.cpp - moves elements between layouts -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "StridedCopy.h"

#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::reference;

Layout reference::getRowMajorLayout(llvm::ArrayRef<int64_t> shape) {
  Layout layout;
  layout.strides.resize(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    layout.strides[dim] = stride;
    stride *= shape[dim];
  }
  return layout;
}

void reference::copyStrided(llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<double> source, const Layout &from,
                            llvm::MutableArrayRef<double> target,
                            const Layout &to) {
  if (llvm::is_contained(shape, 0))
    return;
  if (shape.empty()) {
    target[to.offset] = source[from.offset];
    return;
  }
  int64_t fromStride = from.strides.back(), toStride = to.strides.back();
  llvm::SmallVector<int64_t> index(shape.size() - 1, 0);
  while (true) {
    int64_t read = from.offset, write = to.offset;
    for (auto [dim, i] : llvm::enumerate(index)) {
      read += i * from.strides[dim];
      write += i * to.strides[dim];
    }
    for (int64_t i = 0; i < shape.back(); ++i)
      target[write + i * toStride] = source[read + i * fromStride];
    size_t dim = index.size();
    while (dim > 0 && ++index[dim - 1] == shape[dim - 1])
      index[--dim] = 0;
    if (dim == 0)
      return;
  }
}
