//===- SdpaGradKernel.h - gradients of attention ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADKERNEL_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADKERNEL_H

#include "SdpaGradTensors.h"
#include "parablock/Conversion/CPUCode/Frame.h"

namespace parablock::cpugen {

/// Generates the kernel of `launch`. The body of `kernel` is the gradient of an
/// attention, on the kernel's operands. Its tensors are these
/// operands and those of listGradTensors; its sizes are those of attention.
KernelCode buildSdpaGradKernel(Frame &frame, block::KernelOp kernel,
                               GradLaunch launch);

/// The sum over items that a kernel computes from the output of a launch.
struct GradSum {
  enum Kind {
    /// [batch][head][key][column], over the heads of a group, in the order of
    /// the tensor of keys.
    OfGroups,
    /// [batch][head][row] over batch rows, as [row][head].
    OfBatch,
    /// [batch][head][row][column] over both.
    OfAll,
    /// Values are not summed, only rounded.
    OfNone
  } kind;
  int64_t heads, keyHeads, width, padded;
  mlir::Type type;
  /// True if the result has some of the keys that there are sums of.
  bool isPart = false;
};

/// Generates the kernel, an item of which is a row of `width`. Its tensors are
/// the sums and the result; its sizes are batch and rows of the result, and of
/// a part rows of the sums and the first one of the result.
KernelCode buildGradSumKernel(Frame &frame, const GradSum &sum);

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_SDPAGRADKERNEL_H
