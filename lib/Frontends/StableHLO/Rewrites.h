//===- Rewrites.h - rewrites before the conversion --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_STABLEHLO_REWRITES_H
#define PARABLOCK_LIB_STABLEHLO_REWRITES_H

#include "mlir/IR/BuiltinOps.h"

namespace parablock::hlo {

/// Largest number of ops that unrolling may create.
inline constexpr int64_t kMostOps = 100000;

/// Unrolls loops with a known trip count; fails, with an error, for other
/// loops.
llvm::LogicalResult unrollLoops(mlir::ModuleOp module);

/// Returns whether an attribute of any op names `symbol`, with any meaning.
bool isNamed(mlir::StringAttr symbol, mlir::ModuleOp module);

/// Turns composites into calls of their decompositions, and known custom calls
/// into the ops they represent.
void rewriteCalls(mlir::ModuleOp module);

/// Complex numbers become pairs; fails, with an error, where they cannot.
llvm::LogicalResult splitComplex(mlir::ModuleOp module);

/// Moves ops out of regions that assume something about sizes.
void inlineAssumptions(mlir::ModuleOp module);

/// Names open sizes of arguments as the exporting tool does.
void nameSizes(mlir::ModuleOp module);

/// True where `module` has globals of `ml_program`.
bool hasGlobals(mlir::ModuleOp module);
/// Replaces reads of globals by constants, and erases private globals; fails,
/// with an error, for a global with stores.
llvm::LogicalResult readGlobals(mlir::ModuleOp module);

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_REWRITES_H
