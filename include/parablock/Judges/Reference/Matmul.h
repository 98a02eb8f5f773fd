//===- Matmul.h - sums of products of rows ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_REFERENCE_MATMUL_H
#define PARABLOCK_REFERENCE_MATMUL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace parablock::reference {

/// A matrix inside a tensor: `rows` rows of `columns` neighbouring elements.
struct MatrixView {
  const double *data;
  int64_t rows, columns, stride;
};

/// `result[r * resultStride + o] = sum_k a[r, k] * b[o, k]`, every sum from
/// k = 0 upwards: the numbers do not depend on threads or blocking.
void multiplyTransposed(MatrixView a, MatrixView b, double *result,
                        int64_t resultStride);

/// Calls `body` for 0 to count - 1, on all cores if there is enough work (in
/// multiplications, approximately). Calls must be independent.
void parallelFor(int64_t count, int64_t workPerCall,
                 llvm::function_ref<void(int64_t)> body);

} // namespace parablock::reference

#endif // PARABLOCK_REFERENCE_MATMUL_H
