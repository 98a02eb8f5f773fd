//===- StepHalves.h - forward and backward of a step ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A step is a function with gradients among its results. Ops that its other
// results need are forward, the rest is backward. Forward values that backward
// reads are saved, unless they depend on weights and constants alone or are not
// tensors: those are recomputed.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_STEPHALVES_H
#define PARABLOCK_TRANSFORMS_STEPHALVES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace parablock::block {

struct StepHalves {
  /// Ops of the function's block, without ops in their regions.
  llvm::SmallPtrSet<mlir::Operation *, 16> forward;
  /// Results of forward ops, in their order.
  llvm::SmallVector<mlir::Value> saved;
};

/// Returns whether result number `result` is a gradient.
bool isGradient(mlir::FunctionOpInterface function, unsigned result);

/// Divides `step`, for which `isStepFunction` returns true.
StepHalves findHalves(mlir::FunctionOpInterface step);

} // namespace parablock::block

#endif // PARABLOCK_TRANSFORMS_STEPHALVES_H
