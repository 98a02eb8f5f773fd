//===- TensorPart.cpp - copies boxes of tensors ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/TensorPart.h"

using namespace parablock;
using llvm::ArrayRef;

void parablock::forEachRun(ArrayRef<int64_t> shape, const TensorPart &part,
                           llvm::function_ref<void(uint64_t, uint64_t)> visit) {
  if (shape.empty())
    return visit(0, 1);
  // Whole dimensions at the end belong to one run.
  size_t last = shape.size() - 1;
  uint64_t inner = 1;
  while (last > 0 && part.sizes[last] == shape[last])
    inner *= static_cast<uint64_t>(shape[last--]);
  uint64_t numRuns = 1;
  for (size_t dim = 0; dim < last; ++dim)
    numRuns *= static_cast<uint64_t>(part.sizes[dim]);
  for (uint64_t run = 0; run < numRuns; ++run) {
    uint64_t rest = run, begin = static_cast<uint64_t>(part.offsets[last]);
    uint64_t stride = static_cast<uint64_t>(shape[last]);
    for (size_t dim = last; dim-- > 0;) {
      auto size = static_cast<uint64_t>(part.sizes[dim]);
      begin +=
          (static_cast<uint64_t>(part.offsets[dim]) + rest % size) * stride;
      rest /= size;
      stride *= static_cast<uint64_t>(shape[dim]);
    }
    visit(begin * inner, static_cast<uint64_t>(part.sizes[last]) * inner);
  }
}

std::vector<double> parablock::decodePart(const SafeTensorsEntry &entry,
                                          const TensorPart &part) {
  std::vector<double> values(countElements(part.sizes).value_or(0));
  uint64_t size = getElementSize(entry.type), done = 0;
  forEachRun(entry.shape, part, [&](uint64_t begin, uint64_t count) {
    decodeElements(entry.type, entry.bytes.slice(begin * size, count * size),
                   llvm::MutableArrayRef(values).slice(done, count));
    done += count;
  });
  return values;
}

std::vector<double> parablock::copyPart(ArrayRef<double> values,
                                        ArrayRef<int64_t> shape,
                                        const TensorPart &part) {
  std::vector<double> result;
  result.reserve(countElements(part.sizes).value_or(0));
  forEachRun(shape, part, [&](uint64_t begin, uint64_t count) {
    llvm::append_range(result, values.slice(begin, count));
  });
  return result;
}
