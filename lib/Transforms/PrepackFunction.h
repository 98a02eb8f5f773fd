//===- PrepackFunction.h - the function that packs parameters ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_TRANSFORMS_PREPACKFUNCTION_H
#define PARABLOCK_LIB_TRANSFORMS_PREPACKFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/BitVector.h"

namespace parablock::block {

/// The arguments of `function` that are parameters.
llvm::BitVector collectParameters(mlir::func::FuncOp function);

/// Finds the @prepack next to `main`; null if there is none. Fails if another
/// symbol has the name, or if it does not compute every parameter.
mlir::FailureOr<mlir::func::FuncOp> findPrepack(mlir::func::FuncOp main);

/// Creates one that returns the parameters unchanged. Fails if one has no name
/// or no static shape.
mlir::FailureOr<mlir::func::FuncOp> makePrepack(mlir::func::FuncOp main);

/// Maps the parameters of `main` to the results of `prepack`.
mlir::IRMapping mapParameters(mlir::func::FuncOp prepack,
                              mlir::func::FuncOp main);

/// Clones the ops that `value` depends on at the insertion point of `builder`.
mlir::Value cloneWork(mlir::OpBuilder &builder, mlir::IRMapping &mapping,
                      mlir::Value value);

} // namespace parablock::block

#endif // PARABLOCK_LIB_TRANSFORMS_PREPACKFUNCTION_H
