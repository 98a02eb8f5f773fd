//===- Copies.h - copies into shared memory ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CONVERSION_TILETONVVM_COPIES_H
#define PARABLOCK_CONVERSION_TILETONVVM_COPIES_H

#include "DeviceBuilder.h"

namespace parablock::tile {

/// Copies by one thread, as boxes of a tensor map; `barrier` counts the bytes,
/// in every destination CTA.
void createTensorCopy(DeviceBuilder &builder, const LoweringContext &context,
                      CopyOp copy, mlir::Value barrier);

/// After a copy by tensor map, in the computing threads: writes zeros to the
/// rows after its end, for later products.
void createZerosPastEnd(DeviceBuilder &builder, const LoweringContext &context,
                        CopyOp copy);

/// Copies by all threads. The bytes are visible once each thread has waited for
/// its own cp.async (or at once if rows are not aligned for that), and all have
/// synchronized.
void createThreadCopy(DeviceBuilder &builder, const LoweringContext &context,
                      CopyOp copy);

/// The bytes that come into a CTA's buffer.
int64_t getCopiedBytes(CopyOp copy);

/// Returns the box of one tensor copy of one CTA: rows that a cluster may
/// share, and columns of a panel.
TensorMapParameter getCopyBox(CopyOp copy, ScheduleAttr schedule);

} // namespace parablock::tile

#endif // PARABLOCK_CONVERSION_TILETONVVM_COPIES_H
