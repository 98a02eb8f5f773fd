//===- CheckLeftovers.h - check for ops without launches --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_CHECKLEFTOVERS_H
#define PARABLOCK_LIB_CONVERSION_CHECKLEFTOVERS_H

#include "mlir/IR/BuiltinOps.h"

namespace parablock {

/// Fails, with an error at the op, if an op between inputs and outputs is not a
/// launch: no code would run it.
mlir::LogicalResult checkLeftovers(mlir::ModuleOp module);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_CHECKLEFTOVERS_H
