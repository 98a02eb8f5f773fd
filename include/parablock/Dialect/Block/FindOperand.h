//===- FindOperand.h - operands of attention by name ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_FINDOPERAND_H
#define PARABLOCK_IR_FINDOPERAND_H

#include "mlir/IR/Operation.h"
#include "parablock/Dialect/Block/BlockAttrs.h"

namespace parablock::block {

/// Returns a named operand of an attention, of its core or of the core's
/// gradient; null if it is absent, and for any other op.
mlir::Value findOperand(mlir::Operation *op, AttentionOperand which);

} // namespace parablock::block

#endif // PARABLOCK_IR_FINDOPERAND_H
