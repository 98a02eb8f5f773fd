//===- SdpaKernel.h - attention by online softmax ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAKERNEL_H

#include "parablock/Conversion/CPUCode/Frame.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// Generates the kernel. Its tensors are the operands of `kernel` and its
/// result; its sizes are batch, queries, new keys and past keys.
mlir::FailureOr<KernelCode> buildSdpaKernel(Frame &frame,
                                            block::KernelOp kernel);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAKERNEL_H
