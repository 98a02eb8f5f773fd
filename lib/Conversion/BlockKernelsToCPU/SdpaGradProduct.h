//===- SdpaGradProduct.h - products of attention's gradients ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADPRODUCT_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADPRODUCT_H

#include "SdpaFrame.h"

namespace parablock::cpugen {

/// sums[i][c] += sum over k of left[i][k] * right[k][c], all in f32.
struct GradProduct {
  Value left;
  /// Distances between its elements from row to row and from step to step.
  int64_t leftRow, leftStep;
  Value right;
  int64_t rightStep;
  Value sums;
  int64_t sumsRow;
  /// A multiple of the lanes of a vector.
  int64_t columns;
  Value rows, steps;
  /// The most steps of a call.
  int64_t mostSteps;
  /// True where the sums hold nothing yet.
  bool isFirst = false;
};

/// Iterates over tiles of registers, with as many rows and vectors as the
/// processor's tile of attention.
void emitGradProduct(const SdpaFrame &sdpa, const GradProduct &product);

/// Like emitGradProduct, but a zero on the left contributes nothing, even if
/// the other factor is NaN.
void emitCarefulGradProduct(const SdpaFrame &sdpa, const GradProduct &product);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADPRODUCT_H
