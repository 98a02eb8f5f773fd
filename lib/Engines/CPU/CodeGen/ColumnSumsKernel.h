//===- ColumnSumsKernel.h - sums of columns over rows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_COLUMNSUMSKERNEL_H
#define PARABLOCK_LIB_CPU_COLUMNSUMSKERNEL_H

#include "WeightGradKernel.h"

namespace parablock::cpugen {

/// A sum over rows of `width` columns; `factor` is null for none.
struct ColumnSums {
  int64_t width;
  mlir::Type input, factor, result;
  /// Where rows are there a chunk at a time: sizes are those of LaunchRows.
  std::optional<RowChunks> chunks = std::nullopt;
  /// True where the factor has one element for each row.
  bool isFactorOfRows = false;
};

/// Sizes that the number of rows is the product of.
inline constexpr unsigned kNumRowSizes = 4;

/// Generates the kernel, whose sizes are these and whether sums of other rows
/// are there, which it goes on with. Its tensors are the input, the factor and
/// the result.
KernelCode buildColumnSumsKernel(Frame &frame, const ColumnSums &sums);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_COLUMNSUMSKERNEL_H
