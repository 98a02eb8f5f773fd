//===- CopyOut.h - stores of accumulators by TMA ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_COPYOUT_H
#define PARABLOCK_CONVERSION_TILETONVVM_COPYOUT_H

#include "LoweringContext.h"

namespace parablock::tile {

/// The box of the tensor map that it takes, without its pointer.
TensorMapParameter getCopyOutBox();

mlir::LogicalResult checkCopyOut(CopyOutOp op, ScheduleAttr schedule);

/// Waits for all copies that a thread has issued, at the end of a kernel with
/// copies, when its shared memory is released.
void createCopyOutEnd(KernelOp kernel);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_COPYOUT_H
