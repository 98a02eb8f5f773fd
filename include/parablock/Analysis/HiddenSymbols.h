//===- HiddenSymbols.h - symbols in unregistered ops ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_ANALYSIS_HIDDENSYMBOLS_H
#define PARABLOCK_ANALYSIS_HIDDENSYMBOLS_H

#include "mlir/IR/BuiltinOps.h"

namespace parablock {

/// Returns true if an op of an unregistered dialect has a region that may be a
/// symbol table: MLIR's inliner crashes there, and its removal of symbols
/// fails.
bool hidesSymbols(mlir::ModuleOp module);

} // namespace parablock

#endif // PARABLOCK_ANALYSIS_HIDDENSYMBOLS_H
