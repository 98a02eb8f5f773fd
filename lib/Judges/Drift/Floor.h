//===- Floor.h - errors of rounding -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_FLOOR_H
#define PARABLOCK_LIB_DRIFT_FLOOR_H

#include "LogitComparison.h"

namespace parablock::drift {

/// The serial model with rounding against the serial model without.
struct NumericFloor {
  std::string type;
  /// |error| / |y - x| over a layer's link, all links and tokens together.
  TokenStatistics updateError;
  LogitDrift logits;
};

/// Advances `to` from the inputs through all layers of `function`, a form of
/// `model` with the same arguments, on the report split. Always on the
/// reference engine, without rounding.
llvm::Error runExactly(const Model &model, mlir::func::FuncOp function,
                       Stream &to);

/// Runs the model of `function` (with dynamic rows) on the report split:
/// exactly, and with the roundings of its IR for floats of each type of
/// `elements`. Always on the reference engine.
llvm::Expected<std::vector<NumericFloor>>
measureFloors(const Model &model, mlir::func::FuncOp function,
              llvm::ArrayRef<mlir::Type> elements);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_FLOOR_H
