//===- ReadLaunchPlan.h - launch plans from IR ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_READLAUNCHPLAN_H
#define PARABLOCK_DEVICE_READLAUNCHPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock/Launch/LaunchPlan.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Whose plan it is, of a function that was split over ranks.
struct PlanRank {
  int64_t rank = 0, count = 1;
};

/// Reads the plan of `function`, whose dynamic dimensions it names as the
/// signature does. The kernels it launches are device functions already. An op
/// that is neither a launch nor structure is an error naming it: nothing runs
/// on the host in silence.
llvm::Expected<LaunchPlan> readLaunchPlan(mlir::func::FuncOp function,
                                          PlanRank rank = {});

/// A failure of the launcher as an error.
llvm::Error toError(const launch::Status &status);

} // namespace parablock

#endif // PARABLOCK_DEVICE_READLAUNCHPLAN_H
