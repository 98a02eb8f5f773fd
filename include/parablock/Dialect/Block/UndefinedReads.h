//===- UndefinedReads.h - reads of tensor.empty -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_UNDEFINEDREADS_H
#define PARABLOCK_IR_UNDEFINEDREADS_H

#include "mlir/IR/Operation.h"

namespace parablock {

/// Emits an error at each op within `root` that computes with elements of a
/// `tensor.empty`, such as a product that is added to one. They are undefined,
/// so each engine would give other numbers.
mlir::LogicalResult refuseUndefinedReads(mlir::Operation *root);

} // namespace parablock

#endif // PARABLOCK_IR_UNDEFINEDREADS_H
