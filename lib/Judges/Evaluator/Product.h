//===- Product.h - sums of products -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_EVALUATOR_PRODUCT_H
#define PARABLOCK_LIB_EVALUATOR_PRODUCT_H

#include "Loops.h"

namespace parablock::evaluator {

/// `c[i] += sum over r of a[i, r] * b[i, r]` over loops that each operand may
/// or may not depend on.
struct Contraction {
  /// The sizes of all loops; strides are 0 in operands that do not depend on
  /// one.
  llvm::SmallVector<int64_t> sizes;
  Access a, b, c;

  void run(const double *aData, const double *bData, double *cData) const;
};

} // namespace parablock::evaluator

#endif // PARABLOCK_LIB_EVALUATOR_PRODUCT_H
