//===- StableHLO.h - reading StableHLO text ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// StableHLO is not part of the distribution's MLIR. Its text is read here op by
// op, as far as ops have one counterpart in linalg, tensor, arith and math, and
// turned into those before anything else looks at it. Dialects that cannot be
// read are known by name, so that the error says what to ask their tool for.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_STABLEHLO_STABLEHLO_H
#define PARABLOCK_STABLEHLO_STABLEHLO_H

#include "llvm/Support/LogicalResult.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace parablock::hlo {

/// `stablehlo` and `chlo`, and dialects that are only errors.
void registerForeignDialects(mlir::DialectRegistry &registry);

/// Turns every StableHLO op of the module into upstream ops, as the pass does;
/// fails, with an error at the op, where one has no counterpart. The dialects
/// that the pass depends on have to be loaded.
llvm::LogicalResult convertToUpstream(mlir::ModuleOp module);

/// Runs the pass on a module that needs it.
llvm::LogicalResult readAsUpstream(mlir::ModuleOp module);

/// Puts bodies of functions in the place of calls to them, and erases private
/// functions that nothing names any more. Works beside ops of dialects that are
/// not registered, where the inliner of MLIR does not.
void inlineCalls(mlir::ModuleOp module);

} // namespace parablock::hlo

#endif // PARABLOCK_STABLEHLO_STABLEHLO_H
