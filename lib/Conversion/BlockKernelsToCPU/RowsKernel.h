//===- RowsKernel.h - kernels that work row by row --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROWSKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROWSKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Conversion/Rows/RowProgram.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Sizes of a launch: batch, sequence, keys and past keys (of attention),
/// then the kernel's size operands. Attention then has the number of
/// elements of its cu_seqlens and the shape of its score_bias. For paged
/// caches, keys are the pages of a batch row, past keys those of the
/// pool.
inline constexpr unsigned kFirstFreeDim = 4;

extern const RowMachine kRowMachine;

/// The arguments of a kernel, found once for all of its rows.
class RowArguments {
public:
  RowArguments(mlir::Block &body, Frame &frame);

  /// Creates a program for `row` with the arguments.
  RowProgram createProgram(Code &code, Value row) const;

private:
  Value sequence;
  llvm::SmallVector<std::pair<mlir::BlockArgument, Value>> tensors, sizes;
};

/// Generates the kernel. Its tensors are the operands of `kernel` and its
/// results.
mlir::FailureOr<KernelCode> buildRowsKernel(Frame &frame,
                                            block::KernelOp kernel);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_ROWSKERNEL_H
