//===- StridedCopy.h - moves elements between layouts -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_STRIDEDCOPY_H
#define PARABLOCK_LIB_REFERENCE_STRIDEDCOPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace parablock::reference {

/// Where the elements of an n-dimensional box lie: at `offset` plus the sum of
/// index times stride.
struct Layout {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> strides;
};

/// The layout of a whole row-major tensor.
Layout getRowMajorLayout(llvm::ArrayRef<int64_t> shape);

/// Copies the box of `shape` from one layout to another.
void copyStrided(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<double> source,
                 const Layout &from, llvm::MutableArrayRef<double> target,
                 const Layout &to);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_STRIDEDCOPY_H
