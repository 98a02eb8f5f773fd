//===- ReadLaunchPlan.h - launch plans from IR ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_READLAUNCHPLAN_H
#define PARABLOCK_DEVICE_READLAUNCHPLAN_H

#include "parablock/Dialect/Plan/PlanOps.h"
#include "parablock/Engines/Launch/LaunchPlan.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Reads a program of device kernels for the launcher; with several ranks, for
/// that rank. Steps that launchers do not support are diagnosed.
mlir::FailureOr<LaunchPlan> readLaunchPlan(plan::ProgramOp program,
                                           int64_t rank = 0);

/// Describes a tensor or a view in the form of launchers.
PlanTensor describeTensor(mlir::Value tensor);

/// Converts a failure of the launcher to an error.
llvm::Error toError(const launch::Status &status);

} // namespace parablock

#endif // PARABLOCK_DEVICE_READLAUNCHPLAN_H
