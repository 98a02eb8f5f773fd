//===- GradientChecks.h - checks gradients by operands ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_IR_GRADIENTCHECKS_H
#define PARABLOCK_LIB_IR_GRADIENTCHECKS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

namespace parablock::block {

/// Checks that `wrt` names some of `operands`, in order and once each, all of
/// them present.
mlir::LogicalResult checkNames(mlir::Operation *op, mlir::ArrayAttr wrt,
                               llvm::ArrayRef<NamedValue> operands);

/// Checks that, and that there is one of `gradients` for each, of its shape.
mlir::LogicalResult checkGradients(mlir::Operation *op, mlir::ArrayAttr wrt,
                                   mlir::ValueRange gradients,
                                   llvm::ArrayRef<NamedValue> operands);

} // namespace parablock::block

#endif // PARABLOCK_LIB_IR_GRADIENTCHECKS_H
