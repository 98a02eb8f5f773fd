//===- Copies.h - copies into shared memory ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_COPIES_H
#define PARABLOCK_CONVERSION_TILETONVVM_COPIES_H

#include "DeviceBuilder.h"

namespace parablock::tile {

/// Copies by one thread, as boxes of a tensor map; `barrier` counts the bytes,
/// in every CTA that they come to.
void createTensorCopy(DeviceBuilder &builder, const LoweringContext &context,
                      CopyOp copy, mlir::Value barrier);

/// After a copy by tensor map, in the threads that compute: zeros in the rows
/// from its end on, for products that follow.
void createZerosPastEnd(DeviceBuilder &builder, const LoweringContext &context,
                        CopyOp copy);

/// Copies by all threads, which find the bytes there once each has waited for
/// its own cp.async, or at once where rows are not aligned for that, and met
/// the others.
void createThreadCopy(DeviceBuilder &builder, const LoweringContext &context,
                      CopyOp copy);

/// The bytes that come into a CTA's buffer.
int64_t getCopiedBytes(CopyOp copy);

/// Returns the box of one tensor copy of one CTA: rows that a cluster may
/// share, and columns of a panel.
TensorMapParameter getCopyBox(CopyOp copy, ScheduleAttr schedule);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_COPIES_H
