//===- WeightGradKernel.h - gradients by weights ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_WEIGHTGRADKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_WEIGHTGRADKERNEL_H

#include "StripProduct.h"
#include <optional>

namespace parablock::cpugen {

/// The widths of adjacent tensors, and their common type.
struct SideBySide {
  llvm::SmallVector<int64_t> widths;
  mlir::Type type;

  int64_t getWidth() const;
};

/// Rows of gradients that exist one chunk at a time.
struct RowChunks {
  int64_t rows;
  /// Elements from one row of a chunk to the next.
  int64_t distance;
};

/// The rows of a launch. Its sizes are two factors of their number and, at
/// place `later`, whether sums of other rows exist; for chunks, the chunk's
/// number.
struct LaunchRows {
  LaunchRows(Frame &frame, const std::optional<RowChunks> &chunks,
             unsigned later = 2);

  /// The first row, and how many there are.
  Value first, count;
  /// True if sums start with existing values.
  Value isLater;
};

/// Generates a kernel that multiplies columns of gradients with columns of
/// inputs, over all rows. Its tensors are the gradients, the inputs and the
/// result, of `type`. Later rows continue the sums of earlier ones, so that an
/// element is accumulated in the order of the rows, however many are processed
/// at once.
KernelCode
buildWeightGradKernel(Frame &frame, const SideBySide &gradients,
                      const SideBySide &inputs, mlir::Type type,
                      const std::optional<RowChunks> &chunks = std::nullopt);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_WEIGHTGRADKERNEL_H
