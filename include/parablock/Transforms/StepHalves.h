//===- StepHalves.h - forward and backward of a step ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A step is a function that has gradients among its results. What its other
// results need is forward, the rest backward; what backward reads of forward is
// saved, unless it is made of weights and constants alone or is no tensor: that
// is done again.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_STEPHALVES_H
#define PARABLOCK_TRANSFORMS_STEPHALVES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace parablock::block {

struct StepHalves {
  /// Ops of the function's block, without those in their regions.
  llvm::SmallPtrSet<mlir::Operation *, 16> forward;
  /// Results of forward ops, in their order.
  llvm::SmallVector<mlir::Value> saved;
};

/// Tells whether the result of that number is a gradient.
bool isGradient(mlir::FunctionOpInterface function, unsigned result);

/// Divides `step`, of which `isStepFunction` is true.
StepHalves findHalves(mlir::FunctionOpInterface step);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_STEPHALVES_H
