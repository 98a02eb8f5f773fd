//===- ColumnSumsKernel.h - sums of columns over rows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_COLUMNSUMSKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_COLUMNSUMSKERNEL_H

#include "WeightGradKernel.h"

namespace parablock::cpugen {

/// A sum over rows of `width` columns; `factor` is null for none.
struct ColumnSums {
  int64_t width;
  mlir::Type input, factor, result;
  /// Set if rows are processed in chunks: sizes are those of LaunchRows.
  std::optional<RowChunks> chunks = std::nullopt;
  /// True where the factor has one element for each row.
  bool isFactorOfRows = false;
};

/// Sizes that the number of rows is the product of.
inline constexpr unsigned kNumRowSizes = 4;

/// Generates the kernel. Its sizes are those above and whether the result
/// already contains sums of other rows, to which it adds. Its tensors are the
/// input, the factor and the result.
KernelCode buildColumnSumsKernel(Frame &frame, const ColumnSums &sums);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_COLUMNSUMSKERNEL_H
