//===- Parts.h - tensors cut and joined along a dimension -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_REFERENCE_PARTS_H
#define PARABLOCK_LIB_REFERENCE_PARTS_H

#include "Evaluation.h"

namespace parablock::reference {

/// Extracts the indices [offset, offset + size) of dimension `axis`.
mlir::FailureOr<Tensor> takePart(const Evaluation &at, const Tensor &whole,
                                 unsigned axis, int64_t offset, int64_t size);

/// Joins tensors of one shape along dimension `axis`.
mlir::FailureOr<Tensor> joinParts(const Evaluation &at,
                                  llvm::ArrayRef<const Tensor *> parts,
                                  unsigned axis);

} // namespace parablock::reference

#endif // PARABLOCK_LIB_REFERENCE_PARTS_H
