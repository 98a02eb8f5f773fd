//===- ModelFunction.h - which function is the model ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one place that decides which function of a module is the model, whatever
// tool it came from: the one that a caller names, otherwise `main`, otherwise
// the only candidate. Functions that passes make of a model are no candidates:
// @prepack, a step with gradients, and its halves. Passes and tools ask here
// and name no function themselves.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_MODELFUNCTION_H
#define PARABLOCK_IR_MODELFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace parablock {

/// The function that packs parameters, and the one that gives gradients by
/// these.
inline constexpr llvm::StringLiteral kPrepack = "prepack";
inline constexpr llvm::StringLiteral kUnpackGrads = "unpack_grads";

/// In a module of several models, the function that packs parameters of another
/// model than main is called like that model, with this behind its name.
inline constexpr llvm::StringLiteral kPrepackSuffix = "_prepack";

/// Functions that differentiation makes of a model are called like it, with one
/// of these behind its name.
inline constexpr llvm::StringLiteral kStepSuffix = "_step";
inline constexpr llvm::StringLiteral kForwardSuffix = "_forward";
inline constexpr llvm::StringLiteral kBackwardSuffix = "_backward";

/// Returns the function called `name` within `root`, which must have a body. If
/// `name` is empty: `root` itself if it is a function, otherwise the model of
/// the module. The error lists the functions that there are.
llvm::Expected<mlir::FunctionOpInterface>
findModelFunction(mlir::Operation *root, llvm::StringRef name = "");

/// The same; null after a diagnostic at `root`.
mlir::FunctionOpInterface findMainFunction(mlir::Operation *root,
                                           llvm::StringRef name = "");

/// The same of a pass that takes no other kind of function than `func.func`.
mlir::func::FuncOp findMainFuncOp(mlir::Operation *root,
                                  llvm::StringRef name = "");

/// Returns the functions of a module that are models, in order: those with a
/// body that no pass made of another one. Private ones, which others call, are
/// left out where there is a public one.
llvm::SmallVector<mlir::FunctionOpInterface>
listModelFunctions(mlir::Operation *module);

/// Returns the function with gradients and other results that differentiation
/// made of `model`; null where there is none.
mlir::FunctionOpInterface findStep(mlir::FunctionOpInterface model);

/// Returns the step of a module: that of the model `name`, or `name` itself;
/// null after a diagnostic.
mlir::func::FuncOp findStepOrFail(mlir::Operation *root,
                                  llvm::StringRef name = "");

/// Returns true if `function` has one block, gradients and other results.
bool isStepFunction(mlir::FunctionOpInterface function);

/// Returns true if `function` is a step or one of its halves: it returns
/// gradients, or what its other half reads.
bool isTrainingFunction(mlir::FunctionOpInterface function);

/// Returns true if `op`, which may be null, is in such a function.
bool isInTrainingFunction(mlir::Operation *op);

/// Returns the name of the model that `step` is of: its own without a suffix.
std::string getModelName(mlir::FunctionOpInterface step);

/// Returns the function that packs parameters of `model`: the one of that model
/// alone, or @prepack; null where there is none.
mlir::func::FuncOp findPackingFunction(mlir::FunctionOpInterface model);

/// Erases the models and steps of a module other than `kept` and, unless `kept`
/// is a step, the one that it was made of, where nothing calls them, with what
/// packs their parameters: who runs or writes one function does not lower the
/// others.
/// The function that packs parameters of `kept` is @prepack from here on.
void eraseOtherModels(mlir::FunctionOpInterface kept);

} // namespace parablock

#endif // PARABLOCK_IR_MODELFUNCTION_H
