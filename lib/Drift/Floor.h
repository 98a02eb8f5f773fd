//===- Floor.h - what rounding alone does -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_FLOOR_H
#define PARABLOCK_LIB_DRIFT_FLOOR_H

#include "Scan.h"

namespace parablock::drift {

/// The serial model with rounding against the serial model without.
struct NumericFloor {
  std::string type;
  /// |error| / |y - x| over a layer's link, all links and tokens together.
  TokenStatistics updateError;
  LogitDrift logits;
};

/// Runs the model of `function` (with dynamic rows) rounding as its IR says
/// with floats of type `element`, on the report split.
llvm::Expected<NumericFloor> measureFloor(const Model &model, const Scan &scan,
                                          mlir::func::FuncOp function,
                                          mlir::Type element);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_FLOOR_H
