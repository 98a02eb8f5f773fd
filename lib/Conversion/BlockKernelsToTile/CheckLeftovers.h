//===- CheckLeftovers.h - nothing of a model stays behind -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_CHECKLEFTOVERS_H
#define PARABLOCK_LIB_CONVERSION_CHECKLEFTOVERS_H

#include "mlir/IR/BuiltinOps.h"

namespace parablock {

/// Fails, with an error at the op, where something between inputs and outputs
/// is no launch: it would run nowhere.
mlir::LogicalResult checkLeftovers(mlir::ModuleOp module);

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_CHECKLEFTOVERS_H
