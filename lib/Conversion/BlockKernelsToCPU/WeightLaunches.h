//===- WeightLaunches.h - launches that pack weights ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_WEIGHTLAUNCHES_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_WEIGHTLAUNCHES_H

#include "KernelLibrary.h"
#include "TensorSource.h"

namespace parablock::cpugen {

/// Adds tensors that are moved or folded weights (WeightKernel.h).
class WeightLaunches : LaunchWriter {
public:
  using LaunchWriter::LaunchWriter;

  /// Returns the tensor of `value`, packed if `layout` is not null; equal ones
  /// are created once.
  mlir::FailureOr<plan::TensorOp> getTensor(mlir::Operation *user, Value value,
                                            const PanelLayout *layout);

  /// Returns a tensor of `value` that no other value shares.
  mlir::FailureOr<plan::TensorOp> makeCopy(mlir::Operation *user, Value value);

private:
  /// Returns a launch that computes `value`, without its result; sets `isOnce`
  /// to whether it depends on parameters alone.
  mlir::FailureOr<Launch> makeLaunch(mlir::Operation *user, Value value,
                                     const PanelLayout *layout, bool &isOnce);

  struct PackedWeight {
    Value value;
    PanelLayout layout;
    plan::TensorOp tensor;
  };

  llvm::SmallVector<PackedWeight> packed;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_WEIGHTLAUNCHES_H
