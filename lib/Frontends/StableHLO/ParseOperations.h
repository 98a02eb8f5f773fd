//===- ParseOperations.h - the syntax of StableHLO ops ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_STABLEHLO_PARSEOPERATIONS_H
#define PARABLOCK_LIB_STABLEHLO_PARSEOPERATIONS_H

#include "mlir/IR/Dialect.h"

namespace parablock::hlo {

/// Returns the syntax of the op of a name, without its dialect; every name has
/// one.
mlir::Dialect::ParseOpHook getSyntax(llvm::StringRef name);

} // namespace parablock::hlo

#endif // PARABLOCK_LIB_STABLEHLO_PARSEOPERATIONS_H
