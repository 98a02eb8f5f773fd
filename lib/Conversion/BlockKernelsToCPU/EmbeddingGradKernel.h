//===- EmbeddingGradKernel.h - gradients of tables --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EMBEDDINGGRADKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EMBEDDINGGRADKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"
#include <optional>

namespace parablock::cpugen {

/// The row of a table to which a token's gradient is added.
struct TableGrad {
  /// Selects the row by the token's position instead of its id.
  bool isOfPositions = false;
  /// False where every token has row 0.
  bool hasIds = true;
  int64_t rows, width;
  double scale = 1;
  /// Positions: their offset, and the id without a position.
  int64_t offset = 0;
  std::optional<int64_t> padId;
  mlir::Type gradient, result;
};

/// Generates a kernel whose tensors are the gradient, the ids, if they are
/// read, and the result; its sizes are batch, sequence and an offset of
/// positions.
KernelCode buildTableGradKernel(Frame &frame, const TableGrad &table);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_EMBEDDINGGRADKERNEL_H
