//===- EmbeddingGradKernel.h - gradients of tables --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_EMBEDDINGGRADKERNEL_H
#define PARABLOCK_LIB_CPU_EMBEDDINGGRADKERNEL_H

#include "Frame.h"
#include <optional>

namespace parablock::cpugen {

/// Which row of a table a token's gradient is added to.
struct TableGrad {
  /// The row that the ids say, or that of the token's position.
  bool isOfPositions = false;
  /// False where every token has row 0.
  bool hasIds = true;
  int64_t rows, width;
  double scale = 1;
  /// Positions: what is added to them, and the id that has no place of its own.
  int64_t offset = 0;
  std::optional<int64_t> padId;
  mlir::Type gradient, result;
};

/// Generates a kernel whose tensors are the gradient, the ids, if they are
/// read, and the result; its sizes batch, sequence and an offset of positions.
KernelCode buildTableGradKernel(Frame &frame, const TableGrad &table);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_EMBEDDINGGRADKERNEL_H
