//===- Launches.h - launches of models --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels are formed in two steps: block-form-kernels takes blocks, and passes
// for a device take other ops. Reports count the launches of both, at whichever
// step their input is.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_LAUNCHES_H
#define PARABLOCK_TRANSFORMS_LAUNCHES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/ModelCounts.h"

namespace parablock {

/// Turns a module of kernels and leftovers into kernels alone. Weight-only work
/// of the model `function`, or if empty of main or the only model, moves to
/// @prepack, whose recipe is written to `recipePath` unless that is empty. If
/// `function` is empty, weight-only work of each other model and step moves to
/// its own function, named like these plus kPrepackSuffix.
mlir::LogicalResult formLaunches(mlir::ModuleOp module,
                                 llvm::StringRef recipePath,
                                 llvm::StringRef function);

/// Counts `function` as countModel does. The launches of level 3, in total and
/// per layer, include leftovers that have no kernels yet; leftovers that cannot
/// become kernels are left out.
mlir::FailureOr<ModelCounts> countLaunched(mlir::FunctionOpInterface function);

/// Adds the dialects whose ops these functions create.
void registerLaunchedDialects(mlir::DialectRegistry &registry);

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_LAUNCHES_H
