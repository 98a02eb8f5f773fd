//===- ReadLaunchPlan.h - launch plans from IR ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_READLAUNCHPLAN_H
#define PARABLOCK_DEVICE_READLAUNCHPLAN_H

#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Engines/Launch/LaunchPlan.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Reads a program of device kernels for the launcher; of several ranks, for
/// that one. What no launcher can do is a diagnostic.
mlir::FailureOr<LaunchPlan> readLaunchPlan(plan::ProgramOp program,
                                           int64_t rank = 0);

/// Describes a tensor or a view as launchers know it.
PlanTensor describeTensor(mlir::Value tensor);

/// A failure of the launcher as an error.
llvm::Error toError(const launch::Status &status);

} // namespace parablock

#endif // PARABLOCK_DEVICE_READLAUNCHPLAN_H
