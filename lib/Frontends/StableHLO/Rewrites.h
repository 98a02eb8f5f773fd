//===- Rewrites.h - what is done before ops are converted -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_STABLEHLO_REWRITES_H
#define PARABLOCK_LIB_STABLEHLO_REWRITES_H

#include "mlir/IR/BuiltinOps.h"

namespace parablock::hlo {

/// Largest number of ops that unrolling may create.
inline constexpr int64_t kMostOps = 100000;

/// Writes out loops whose number of turns is known; fails, with an error, where
/// there is another one.
llvm::LogicalResult unrollLoops(mlir::ModuleOp module);

/// True where an attribute of any op names `symbol`, whatever it means by it.
bool isNamed(mlir::StringAttr symbol, mlir::ModuleOp module);

/// Composites become calls of what they are made of, and custom calls what
/// they stand for, where that is known.
void rewriteCalls(mlir::ModuleOp module);

/// Complex numbers become pairs; fails, with an error, where they cannot.
llvm::LogicalResult splitComplex(mlir::ModuleOp module);

/// Ops of regions that assume something of sizes stand before them instead.
void inlineAssumptions(mlir::ModuleOp module);

/// Names open sizes of arguments as the exporting tool does.
void nameSizes(mlir::ModuleOp module);

/// True where `module` has globals of `ml_program`.
bool hasGlobals(mlir::ModuleOp module);
/// Puts constants in the place of what is read of globals, and drops private
/// ones; fails, with an error, where one is stored to.
llvm::LogicalResult readGlobals(mlir::ModuleOp module);

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_REWRITES_H
