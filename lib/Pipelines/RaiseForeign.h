//===- RaiseForeign.h - raising of foreign IR -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_PIPELINES_RAISEFOREIGN_H
#define PARABLOCK_LIB_PIPELINES_RAISEFOREIGN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace parablock {

/// Checks that `options` are such as block-raise takes.
llvm::Error checkRaiseOptions(llvm::StringRef options);

/// Runs block-raise on a module without blocks, and with options on any.
/// Failures have been reported as diagnostics.
mlir::LogicalResult raiseForeign(mlir::ModuleOp module,
                                 llvm::StringRef options = "");

} // namespace parablock

#endif // PARABLOCK_LIB_PIPELINES_RAISEFOREIGN_H
