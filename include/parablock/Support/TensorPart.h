//===- TensorPart.h - boxes of elements in tensors --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_SUPPORT_TENSORPART_H
#define PARABLOCK_SUPPORT_TENSORPART_H

#include "parablock/Support/SafeTensors.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace parablock {

/// In each dimension, `sizes` elements starting at `offsets`.
struct TensorPart {
  llvm::ArrayRef<int64_t> offsets, sizes;
};

/// Calls `visit` with the start and length of each run of elements of `part`
/// that are contiguous in a row-major tensor of `shape`, in order.
void forEachRun(llvm::ArrayRef<int64_t> shape, const TensorPart &part,
                llvm::function_ref<void(uint64_t begin, uint64_t count)> visit);

/// The elements of `part` of a stored tensor, as doubles.
std::vector<double> decodePart(const SafeTensorsEntry &entry,
                               const TensorPart &part);

/// The elements of `part` of a tensor of `shape` in memory.
std::vector<double> copyPart(llvm::ArrayRef<double> values,
                             llvm::ArrayRef<int64_t> shape,
                             const TensorPart &part);

} // namespace parablock

#endif // PARABLOCK_SUPPORT_TENSORPART_H
