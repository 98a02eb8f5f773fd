//===- ElementDerivative.h - derivatives of activations ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_ELEMENTDERIVATIVE_H
#define PARABLOCK_IR_ELEMENTDERIVATIVE_H

#include "parablock/Dialect/Block/ElementCode.h"

namespace parablock {

/// Emits the derivative of an activation at `x`.
mlir::Value emitDerivative(const RowCode &code, block::Activation kind,
                           mlir::Value x);

} // namespace parablock

#endif // PARABLOCK_IR_ELEMENTDERIVATIVE_H
