//===- RowsKernel.h - kernels that work row by row --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CPU_ROWSKERNEL_H
#define PARABLOCK_LIB_CPU_ROWSKERNEL_H

#include "Frame.h"
#include "RowCode.h"

namespace parablock::cpugen {

/// Sizes of a launch: batch, sequence, keys and past keys (of attention), then
/// the values of the kernel's operands that are sizes. Attention has the number
/// of elements of its cu_seqlens there, then the shape of its score_bias.
inline constexpr unsigned kFirstFreeDim = 4;

void bindSizes(RowCode &program, mlir::Block &body, Frame &frame);

/// Generates the kernel. Its tensors are the operands of `kernel` and its
/// results.
mlir::FailureOr<KernelCode> buildRowsKernel(Frame &frame,
                                            block::KernelOp kernel);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CPU_ROWSKERNEL_H
