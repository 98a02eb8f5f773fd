//===- Launches.h - what of a model is launched -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels are formed in two steps: block-form-kernels takes blocks, and passes
// for a device take the ops that are none. Reports count the launches of both,
// whichever of the steps their input has behind it.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TRANSFORMS_LAUNCHES_H
#define PARABLOCK_TRANSFORMS_LAUNCHES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "parablock/Analysis/ModelCounts.h"

namespace parablock {

/// Brings a module of kernels and leftovers to kernels alone. Work on weights
/// of the model `function`, or of main or the only model if that is empty,
/// moves to @prepack, whose recipe goes to `recipePath` unless that is empty.
/// If `function` is empty, that of each other model moves to a function of its
/// own, called like the model with kPrepackSuffix.
mlir::LogicalResult formLaunches(mlir::ModuleOp module,
                                 llvm::StringRef recipePath,
                                 llvm::StringRef function);

/// Counts `function` as countModel does. The launches of level 3, in all and
/// of each layer, include those of leftovers that have no kernels yet; they are
/// left out where no kernel can have them.
mlir::FailureOr<ModelCounts> countLaunched(mlir::FunctionOpInterface function);

/// Adds the dialects that these functions make ops of.
void registerLaunchedDialects(mlir::DialectRegistry &registry);

} // namespace parablock

#endif // PARABLOCK_TRANSFORMS_LAUNCHES_H
