//===- ReadLaunchPlan.h - launch plans from IR ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_DEVICE_READLAUNCHPLAN_H
#define PARABLOCK_DEVICE_READLAUNCHPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Location.h"
#include "parablock/Engines/Launch/LaunchPlan.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Whose plan it is, of a function that was split over ranks.
struct PlanRank {
  int64_t rank = 0, count = 1;
};

/// An op that there is no plan for, and where it is.
class PlanError : public llvm::ErrorInfo<PlanError> {
public:
  static char ID;
  PlanError(mlir::Location location, std::string text)
      : location(location), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  const mlir::Location location;
  const std::string text;
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
