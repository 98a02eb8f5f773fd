//===- GroupLeftovers.h - kernels of leftover ops ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LEFTOVERS_GROUPLEFTOVERS_H
#define PARABLOCK_LEFTOVERS_GROUPLEFTOVERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include <vector>

namespace parablock {

/// Ops that become one kernel. An op may be in several.
struct LeftoverGroup {
  /// Ops whose results the kernel stores.
  llvm::SetVector<mlir::Operation *> roots;
  llvm::DenseSet<mlir::Operation *> ops;
  /// Arguments of the function and results of other groups.
  llvm::SetVector<mlir::Value> inputs;
  /// Results of roots that are read elsewhere.
  llvm::SmallVector<mlir::Value> results;
  /// The place among the surrounding ops before which it must run.
  unsigned before = 0;
};

/// Places of the function's values among the ops that remain.
struct LeftoverPlaces {
  /// For each argument, the first place after its definition.
  llvm::SmallVector<unsigned> arguments;
  /// For each result, the place of the first op that reads it.
  llvm::SmallVector<unsigned> results;
};

/// Returns the kernels of `function`, each after those that it reads from.
mlir::FailureOr<std::vector<LeftoverGroup>>
groupLeftovers(mlir::func::FuncOp function, const LeftoverPlaces &places);

} // namespace parablock

#endif // PARABLOCK_LEFTOVERS_GROUPLEFTOVERS_H
