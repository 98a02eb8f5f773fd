//===- OpFoldSizes.h - sizes given as constants or values -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_OPFOLDSIZES_H
#define PARABLOCK_LIB_REFERENCE_OPFOLDSIZES_H

#include "Evaluation.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace parablock::reference {

/// Offsets, sizes or strides of an upstream op.
inline llvm::SmallVector<int64_t>
getSizes(const Evaluation &at, llvm::ArrayRef<mlir::OpFoldResult> mixed) {
  return llvm::map_to_vector(mixed, [&](mlir::OpFoldResult size) {
    if (std::optional<int64_t> constant = mlir::getConstantIntValue(size))
      return *constant;
    return at.getIndex(mlir::cast<mlir::Value>(size));
  });
}

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_OPFOLDSIZES_H
