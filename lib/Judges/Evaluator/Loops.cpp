//===- Loops.cpp - fuses loops and copies strides -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Loops.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace parablock;
using namespace parablock::evaluator;

llvm::SmallVector<int64_t>
evaluator::getRowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

void LoopNest::fuse() {
  for (size_t inner = sizes.size(); inner-- > 1;) {
    size_t outer = inner - 1;
    bool fits = llvm::all_of(accesses, [&](const Access &access) {
      return access.strides[outer] == access.strides[inner] * sizes[inner];
    });
    if (!fits && sizes[outer] != 1 && sizes[inner] != 1)
      continue;
    for (Access &access : accesses) {
      // The stride of a loop of one step is of no matter.
      if (sizes[inner] == 1)
        access.strides[inner] = access.strides[outer];
      access.strides.erase(access.strides.begin() + outer);
    }
    sizes[inner] *= sizes[outer];
    sizes.erase(sizes.begin() + outer);
  }
}

bool LoopNest::forEachPiece(
    int64_t longest, llvm::function_ref<bool(const Piece &)> body) const {
  if (llvm::is_contained(sizes, 0))
    return true;
  llvm::SmallVector<int64_t> offsets, counters(sizes.size(), 0);
  llvm::SmallVector<int64_t> indices(
      names.empty() ? 0 : *llvm::max_element(names) + 1, 0);
  for (const Access &access : accesses)
    offsets.push_back(access.offset);
  int64_t length = sizes.empty() ? 1 : sizes.back();
  unsigned outerLoops = sizes.empty() ? 0 : sizes.size() - 1;
  while (true) {
    for (int64_t first = 0; first < length; first += longest) {
      int64_t count = std::min(longest, length - first);
      if (!names.empty())
        indices[names.back()] = first;
      if (!body({offsets, indices, count}))
        return false;
      for (auto [offset, access] : llvm::zip_equal(offsets, accesses))
        if (!sizes.empty())
          offset += count * access.strides.back();
    }
    for (auto [offset, access] : llvm::zip_equal(offsets, accesses))
      if (!sizes.empty())
        offset -= length * access.strides.back();
    unsigned loop = outerLoops;
    while (loop-- > 0) {
      bool wraps = ++counters[loop] == sizes[loop];
      for (auto [offset, access] : llvm::zip_equal(offsets, accesses))
        offset += access.strides[loop] * (wraps ? 1 - sizes[loop] : 1);
      if (wraps)
        counters[loop] = 0;
      if (!names.empty())
        indices[names[loop]] = counters[loop];
      if (!wraps)
        break;
    }
    if (loop == ~0u)
      return true;
  }
}

void evaluator::gather(const double *from, int64_t stride, int64_t count,
                       double *to) {
  if (stride == 1) {
    std::copy_n(from, count, to);
  } else if (stride == 0) {
    std::fill_n(to, count, *from);
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = from[i * stride];
  }
}

void evaluator::scatter(const double *from, int64_t count, double *to,
                        int64_t stride) {
  if (stride == 1) {
    std::copy_n(from, count, to);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    to[i * stride] = from[i];
}
