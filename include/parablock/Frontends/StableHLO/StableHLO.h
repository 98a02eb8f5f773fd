//===- StableHLO.h - reader of StableHLO ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The distribution's MLIR does not include StableHLO. This library parses its
// text op by op, as far as ops have a counterpart in linalg, tensor, arith and
// math, and replaces them by those before any other pass runs. Other dialects
// that cannot be read are recognized by name, so that the error names a way to
// export without them.
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

/// `stablehlo` and `chlo`, and dialects that only produce errors.
void registerForeignDialects(mlir::DialectRegistry &registry);

/// Turns every StableHLO op of the module into upstream ops, as the pass does;
/// fails, with an error at the op, if one has no counterpart. The dialects that
/// the pass depends on must be loaded.
llvm::LogicalResult convertToUpstream(mlir::ModuleOp module);

/// Runs the pass on a module that contains StableHLO.
llvm::LogicalResult readAsUpstream(mlir::ModuleOp module);

/// Inlines calls of functions and erases private functions without
/// uses. Supports ops of unregistered dialects, which MLIR's inliner
/// rejects.
void inlineCalls(mlir::ModuleOp module);

} // namespace parablock::hlo

#endif // PARABLOCK_STABLEHLO_STABLEHLO_H
