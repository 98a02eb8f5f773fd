//===- LeftoverCost.h - costs of elements -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_LEFTOVERS_LEFTOVERCOST_H
#define PARABLOCK_LIB_LEFTOVERS_LEFTOVERCOST_H

#include "mlir/IR/Operation.h"

namespace parablock {

/// Work per element, in additions, that is repeated rather than stored and
/// loaded.
constexpr double kCheapWork = 4;

/// Work of `op` itself for one element of its result, in additions.
double countWork(mlir::Operation *op);

/// Returns how often an op reads each element of the tensor of `read`; at least
/// 1.
double countRepeats(mlir::OpOperand &read);

} // namespace parablock

#endif // PARABLOCK_LIB_LEFTOVERS_LEFTOVERCOST_H
